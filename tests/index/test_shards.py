"""Shards hold the words and pieces of their parts, counted one by one here."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from locisimiles import Document, Index, Segment
from locisimiles.files.array_files import ArrayFile, write_array_file
from locisimiles.index import PreparedDocument
from locisimiles.index.manifest import PartEntry
from locisimiles.index.parts import EncodedPieces, part_arrays, works_of
from locisimiles.index.shards import shard_arrays, shard_key, sharded
from locisimiles.latin.clauses import clause_numbers
from support.indexes import WORDS, WordEncoder, works


class NumberedPieces(WordEncoder):
    """Numbers the words from 0 on, and has as many lists as words."""

    def encode(self, texts, progress):
        pieces = super().encode(texts, progress)
        known = [*WORDS, "/", "cano."]
        number = np.array([known.index(word) for text in texts for word in text.split()], np.int32)
        return EncodedPieces(pieces.vectors, number, pieces.bounds, number % 7)


def parts_of(folder, document, encoder=None):
    """Write a part for each work, and open them."""
    found = []
    for number, work in enumerate(works_of(document)):
        path = folder / f"{number}.arrays"
        write_array_file(path, part_arrays(work, encoder, lambda *_: None))
        found.append(ArrayFile.open(path))
    return found


def test_the_pieces_of_a_shard_are_those_of_its_texts(tmp_path):
    texts = works(1, 2, 3)
    texts = Document.from_segments([Segment("a", "arma arma", "Author 1", "First"), *texts])
    arrays = shard_arrays(parts_of(tmp_path, texts, NumberedPieces()))
    pieces = NumberedPieces().encode(list(texts.texts), lambda *_: None)
    of_text = [pieces.piece[begin:end].tolist() for begin, end in pairwise(pieces.bounds.tolist())]
    assert of_text[0] == [0, 0]  # the first piece of the first text counts, and counts once
    assert arrays["piece lengths"].tolist() == list(map(len, of_text))
    counted = Counter(piece for own in of_text for piece in set(own))
    assert arrays["piece counts"].tolist() == [counted[n] for n in range(max(counted) + 1)]
    text_of_piece = np.repeat(np.arange(len(of_text)), list(map(len, of_text)))
    bounds = arrays["list bounds"].tolist()
    assert bounds[0] == 0
    assert bounds[-1] == len(pieces.piece)
    for number, (begin, end) in enumerate(pairwise(bounds)):
        own = np.flatnonzero(pieces.list_of_piece == number)
        assert arrays["list segment"][begin:end].tolist() == text_of_piece[own].tolist()
        assert arrays["list vectors"][begin:end].tolist() == pieces.vectors[own].tolist()


def test_texts_without_pieces_have_no_counts(tmp_path):
    silent = Document.from_segments([Segment("a", ""), Segment("b", "")])
    arrays = shard_arrays(parts_of(tmp_path, silent, NumberedPieces()))
    assert arrays["piece lengths"].tolist() == [0, 0]
    assert arrays["piece counts"].tolist() == [0]
    assert arrays["list bounds"].tolist() == [0]


def test_parts_without_vectors_make_a_shard_without_pieces(tmp_path):
    (tmp_path / "with").mkdir()
    with_vectors = parts_of(tmp_path / "with", works(1), WordEncoder())
    without = parts_of(tmp_path, works(2))
    assert "list vectors" in shard_arrays(with_vectors)
    assert "list vectors" not in shard_arrays([*with_vectors, *without])


def test_clauses_are_numbered_on_from_work_to_work(tmp_path):
    texts = Document.from_segments([
        Segment("a", "arma cano, uirum cano", work="A"),
        Segment("b", "12", work="B"),  # figures are no words, so it has no clause
        Segment("c", "arma. uirum; cano", work="C"),
    ])  # fmt: skip
    arrays = shard_arrays(parts_of(tmp_path, texts))
    expected, before = {}, 0
    for row, text in enumerate(texts.texts):
        own = PreparedDocument(Document.from_texts([text])).tokens
        numbers = clause_numbers([text], own).tolist()
        words = [own.vocabulary[word] for word in own.word.tolist()]
        if words == ["12"]:
            continue
        expected[row] = [before + number for number in numbers]
        before += max(numbers) + 1
    found = {}
    for segment, clause in zip(arrays["segment"].tolist(), arrays["clause"].tolist(), strict=True):
        found.setdefault(segment, []).append(clause)
    assert {row: sorted(own) for row, own in found.items()} == expected
    assert arrays["clauses"].tolist() == [before]
    assert len({clause for own in expected.values() for clause in own}) == before


def entries(*sizes):
    return [
        PartEntry(
            f"{n * 0x5BD1E995 % (1 << 32):08x}{n:024x}",
            "ab",
            f"Author {n % 2}",
            f"Work {n}",
            size,
            0,
        )
        for n, size in enumerate(sizes)
    ]


@pytest.mark.parametrize(
    ("segments", "shards"), [(1, 1), (1 << 15, 1), ((1 << 15) + 1, 2), (1 << 16, 2), (1 << 17, 4)]
)
def test_shards_are_a_power_of_two_of_similar_size(segments, shards):
    parts = entries(segments - 7, *[1] * 7)
    found = sharded(parts)
    assert len(found) == shards
    keys = sorted(part.key for shard in found for part in shard)
    assert keys == sorted(one.key for one in parts)
    assert sharded(parts[::-1]) == found
    for shard in found:
        names = [(part.author, part.work) for part in shard]
        assert names == sorted(names)
        assert len({int(part.key[:8], 16) % shards for part in shard}) == 1


def test_a_shard_is_named_by_its_parts_in_their_order():
    one, two = entries(1, 1)
    names = {shard_key(parts) for parts in ([one], [two], [one, two], [two, one])}
    assert len(names) == 4
    assert all(len(name) == 32 for name in names)


def test_a_text_of_a_stop_word_keeps_the_places_of_others(tmp_path):
    """The place of a stop word is that of the next content word."""
    texts = Document.from_segments([Segment("a", "arma et uirum in oris")])
    shard = Index.build(tmp_path / "i", texts).lemma_rows("fast").shards[0]
    places = {
        shard.lemmas[number]: shard.columns(np.array([number]), "place")[0].tolist()
        for number in range(len(shard.lemmas))
    }
    assert [places[lemma] for lemma in ("arma", "et", "uir", "in", "ora")] == [
        [0], [1], [1], [2], [2],
    ]  # fmt: skip
