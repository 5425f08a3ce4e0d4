"""Late interaction over an index on disk, compared with the same in memory."""

import shutil

import numpy as np
import pytest

from locisimiles import Document, Index, IndexEncoder, MalformedInputError, load_example_source
from locisimiles.files.array_files import ArrayFile
from locisimiles.index import shards
from locisimiles.late import Late
from locisimiles.late.first_stage import PieceLists
from locisimiles.late.pieces import PieceEncoder
from locisimiles.late.scoring import Scoring
from locisimiles.late.stored import StoredLists, StoredPieces, stored_weights
from locisimiles.models.batches import distinct_texts
from locisimiles.models.clustering import nearest_centres
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.progress import silent
from support.indexes import works

LISTS = 40


@pytest.fixture(scope="module")
def model(tmp_path_factory, tiny_latin):
    """Return the tiny encoder with frozen centres."""
    folder = tmp_path_factory.mktemp("model") / "tiny"
    shutil.copytree(tiny_latin, folder)
    dimensions = IndexEncoder(tiny_latin).encoder.piece_dimensions
    centres = np.random.default_rng(0).normal(size=(LISTS, dimensions))
    centres *= 127 / np.linalg.norm(centres, axis=1, keepdims=True)
    np.save(folder / "centres.npy", np.rint(centres).astype(np.int8))
    return folder


@pytest.fixture(scope="module")
def index(tmp_path_factory, model):
    before = shards._SEGMENTS_PER_SHARD
    shards._SEGMENTS_PER_SHARD = 64
    index = Index.build(
        tmp_path_factory.mktemp("late") / "i", load_example_source(), IndexEncoder(model)
    )
    shards._SEGMENTS_PER_SHARD = before
    return index


def test_an_encoder_without_centres_has_one_list(tiny_latin, model):
    assert len(IndexEncoder(tiny_latin).centres) == 1
    encoder = IndexEncoder(model)
    assert len(encoder.centres) == LISTS
    assert encoder.describe() != IndexEncoder(tiny_latin).describe()
    assert len(set(encoder.encode(["arma uirum cano"] * 2, silent).list_of_piece)) > 1


@pytest.mark.parametrize("content", [b"", np.zeros((3, 5)).tobytes()])
def test_damaged_centres_are_named(model, tmp_path, content):
    folder = tmp_path / "tiny"
    shutil.copytree(model, folder)
    (folder / "centres.npy").write_bytes(content)
    with pytest.raises(MalformedInputError, match=r"centres\.npy"):
        _ = IndexEncoder(folder).centres
    np.save(folder / "centres.npy", np.zeros((3, 5), np.int8))
    with pytest.raises(MalformedInputError, match=r"centres\.npy"):
        _ = IndexEncoder(folder).centres


@pytest.mark.parametrize("settings", [{}, {"exact": True}, {"depth": 20}, {"window": 3}])
def test_a_search_of_an_index_scores_as_in_memory(index, model, settings):
    late = Late(model, cache=None, **settings)
    query, plain = works(1, 2, 3), Document.from_segments(index)
    in_memory, on_disk = late.index(plain), late.index(index)
    assert isinstance(on_disk.pieces, StoredPieces)
    depth = settings.get("depth", 30)
    assert on_disk.search(query, depth) == in_memory.search(query, depth)
    rows = np.arange(12), np.arange(60, 72)
    one, other = (own.score(query, *rows) for own in (in_memory, on_disk))
    assert all(one[view].tolist() == other[view].tolist() for view in one)
    assert on_disk.weights.counts.tolist() == in_memory.weights.counts.tolist()
    assert on_disk.nbytes < in_memory.nbytes


@pytest.mark.parametrize("probes", [1, 4, LISTS - 1])
def test_estimates_are_those_of_lists_in_memory(index, model, probes):
    encoder = IndexEncoder(model)
    stored = index.vectors()
    weights = stored_weights(stored)
    pieces = StoredPieces(stored.parts, stored.part_begins, weights)
    lists = StoredLists(stored, pieces, encoder.centres, probes)
    texts, rows = distinct_texts(index.texts)
    piece_encoder = PieceEncoder(encoder.encoder, EmbeddingCache(None))
    all_pieces = piece_encoder.encode(texts, silent, "source")
    centres = encoder.centres.astype(np.float32)
    nearest = nearest_centres(all_pieces.vectors, centres).astype(np.int32)
    in_memory = PieceLists(all_pieces, centres, nearest, probes)
    query = piece_encoder.encode([*works(1, 2).texts, "12"], silent, "query").weighted(weights)
    estimates = zip(lists.scores(query, Scoring()), in_memory.scores(query, Scoring()), strict=True)
    for one, other in estimates:
        assert one.tolist() == other[rows].tolist()


def test_estimates_do_not_depend_on_memory(index, model, monkeypatch):
    stored = index.vectors()
    weights = stored_weights(stored)
    pieces = StoredPieces(stored.parts, stored.part_begins, weights)
    lists = StoredLists(stored, pieces, IndexEncoder(model).centres, 4)
    encoder = PieceEncoder(IndexEncoder(model).encoder, EmbeddingCache(None))
    query = encoder.encode(works(1, 2).texts, silent, "query").weighted(weights)
    expected = [scores.tolist() for scores in lists.scores(query, Scoring())]
    monkeypatch.setattr("locisimiles.late.first_stage._MOST_BYTES", 8 * len(pieces))
    assert [scores.tolist() for scores in lists.scores(query, Scoring())] == expected


def test_picked_pieces_are_those_of_the_texts(index):
    stored = index.vectors()
    pieces = StoredPieces(stored.parts, stored.part_begins, stored_weights(stored))
    whole, every = pieces.picked(np.arange(len(index)))
    assert every.tolist() == list(range(len(index)))
    assert pieces.total == len(whole.vectors)
    texts = np.array([70, 3, 3, 150])
    some, numbers = pieces.picked(texts)
    assert len(some) == 3
    for text, number in zip(texts.tolist(), numbers.tolist(), strict=True):
        assert some.of(number).vectors.tolist() == whole.of(text).vectors.tolist()
        assert some.of(number).weight.tolist() == whole.of(text).weight.tolist()
    light, _ = pieces.picked(texts, weigh=False)
    assert light.vectors.tolist() == some.vectors.tolist()
    assert not light.weight.any()


def test_pieces_are_compared_with_their_checksums_once(index, monkeypatch):
    stored = index.vectors()
    weights = stored_weights(stored)
    pieces = StoredPieces(stored.parts, stored.part_begins, weights)
    asked = []
    check = ArrayFile.check_ranges

    def recorded(file, name, begin, end):
        asked.append((name, len(begin)))
        check(file, name, begin, end)

    monkeypatch.setattr(ArrayFile, "check_ranges", recorded)
    pieces.picked(np.array([70, 3, 150]))
    first = len(asked)
    assert sorted(set(asked)) == [("piece", 1), ("vectors", 1)]
    pieces.weighted(weights).picked(np.array([3, 150]))
    assert len(asked) == first
    pieces.picked(np.array([3, 71]))
    assert asked[first:] == [("vectors", 1), ("piece", 1)]


def test_damaged_pieces_are_errors_whenever_they_are_picked(index, tmp_path):
    folder = tmp_path / "damaged"
    shutil.copytree(index.folder, folder)
    whole = index.vectors()
    vectors = whole.parts[-1].unchecked("vectors")
    path = folder / whole.parts[-1].path.relative_to(index.folder)
    content = path.read_bytes()
    at = content.index(vectors.tobytes())
    path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    stored = Index.open(folder).vectors()
    pieces = StoredPieces(stored.parts, stored.part_begins, stored_weights(stored))
    pieces.picked(np.array([0]))
    for _ in range(2):
        with pytest.raises(MalformedInputError, match=path.name):
            pieces.picked(np.arange(len(index)))
