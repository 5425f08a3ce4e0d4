"""The first stage: how much of what is best it finds, and what it expects where it sees nothing."""

from dataclasses import replace

import numpy as np
import pytest

from locisimiles.late import first_stage as late_first_stage
from locisimiles.late.first_stage import build_lists
from locisimiles.late.pieces import Pieces
from locisimiles.late.scoring import Scoring, score_texts
from locisimiles.models.embedding_cache import EmbeddingCache

DIMENSIONS = 24
MEANINGS = 300


def clustered(texts, length, seed):
    """Return texts whose words are near one of a few hundred meanings."""
    random = np.random.default_rng(seed)
    meanings = np.random.default_rng(0).normal(size=(MEANINGS, DIMENSIONS))
    count = texts * length
    vectors = meanings[random.integers(MEANINGS, size=count)]
    vectors = vectors + 0.5 * random.normal(size=vectors.shape)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    weight = random.uniform(1, 8, size=count).astype(np.float32)
    place = np.zeros(count, np.int32)
    bounds = np.arange(texts + 1) * length
    return Pieces(np.rint(vectors * 127).astype(np.int8), weight, place, place, bounds, place)


@pytest.fixture(scope="module")
def source():
    return clustered(2000, 12, seed=1)


@pytest.fixture(scope="module")
def queries():
    return clustered(20, 15, seed=2)


def exact(queries, source):
    texts = np.arange(len(source))
    return [score_texts(queries.of(q), source, texts, Scoring())[0] for q in range(len(queries))]


def recall(found, expected, *, best, depth):
    shares = []
    for ours, theirs in zip(found, expected, strict=True):
        likely = np.argsort(-ours, kind="stable")[:depth]
        shares.append(np.isin(np.argsort(-theirs, kind="stable")[:best], likely).mean())
    return np.mean(shares)


def test_a_few_lists_hold_nearly_all_of_the_best(queries, source):
    expected = exact(queries, source)
    found = list(build_lists(source, lists=200, probes=12).scores(queries, Scoring()))
    assert recall(found, expected, best=20, depth=60) > 0.97
    # Which is no matter of course:
    worse = list(build_lists(source, lists=200, probes=1).scores(queries, Scoring()))
    assert recall(worse, expected, best=20, depth=60) < 0.95


def test_with_all_lists_scores_are_exact_but_for_rounding(queries, source):
    found = list(build_lists(source, lists=50, probes=50).scores(queries, Scoring()))
    for ours, theirs in zip(found, exact(queries, source), strict=True):
        assert np.allclose(ours, theirs, atol=0.1)


def test_where_nothing_is_seen_as_much_is_expected_as_in_texts_of_that_length():
    short, long = clustered(400, 2, seed=3), clustered(400, 30, seed=4)
    both = Pieces(
        np.concatenate([short.vectors, long.vectors]),
        np.concatenate([short.weight, long.weight]),
        start=np.zeros(12_800, np.int32),
        end=np.zeros(12_800, np.int32),
        bounds=np.concatenate([short.bounds, long.bounds[1:] + 800]),
        piece=np.zeros(12_800, np.int32),
    )
    queries = clustered(10, 8, seed=5)
    found = np.array(list(build_lists(both, lists=400, probes=1).scores(queries, Scoring())))
    expected = np.array(exact(queries, both))
    # Of most texts the few words of a list say nothing.
    assert np.median(found[:, :400]) > 0
    for scores in (found, expected):
        assert np.median(scores[:, 400:]) > 2 * np.median(scores[:, :400])
    # Texts of a length are all the same where nothing is seen.
    assert len(np.unique(found[0])) < 300 < len(np.unique(expected[0]))


@pytest.mark.parametrize(("name", "most"), [("_MOST_BYTES", 1), ("_MOST_SEEN", 1 << 12)])
def test_how_many_queries_are_searched_together_changes_nothing(
    queries, source, monkeypatch, name, most
):
    lists = build_lists(source, lists=100, probes=5)
    together = list(lists.scores(queries, Scoring()))
    monkeypatch.setattr(late_first_stage, name, most)
    apart = list(lists.scores(queries, Scoring()))
    assert np.array_equal(together, apart)


def test_the_same_words_make_the_same_lists(queries, source):
    one, other = (build_lists(source, lists=40) for _ in range(2))
    assert np.array_equal(
        list(one.scores(queries, Scoring())), list(other.scores(queries, Scoring()))
    )


def test_lists_are_made_once(source, queries, tmp_path, monkeypatch):
    def build(texts):
        cached = {"cache": EmbeddingCache(tmp_path), "settings": {"model": "m"}, "texts": texts}
        return build_lists(source, lists=40, **cached)

    first = build(["a", "b"])
    monkeypatch.setattr(late_first_stage, "spherical_centres", None)
    second = build(["a", "b"])
    assert np.array_equal(
        list(first.scores(queries, Scoring())), list(second.scores(queries, Scoring()))
    )
    with pytest.raises(TypeError):
        build(["a", "c"])


def test_sources_and_queries_without_words_score_nothing(queries):
    nothing = clustered(3, 0, seed=1)
    for scores in build_lists(nothing).scores(queries, Scoring()):
        assert scores.tolist() == [0, 0, 0]
    some = clustered(3, 2, seed=1)
    assert [s.tolist() for s in build_lists(some).scores(nothing, Scoring())] == [[0] * 3] * 3


@pytest.mark.parametrize("probes", [5, 100])
def test_queries_without_pieces_stand_among_others(queries, source, probes):
    begins = np.repeat(queries.bounds[:-1], 2)  # each query after one without pieces
    with_nothing = replace(queries, bounds=np.append(begins, queries.bounds[-1]))
    lists = build_lists(source, lists=100, probes=probes)
    found = list(lists.scores(with_nothing, Scoring()))
    assert len(found) == 2 * len(queries)
    assert not np.any(found[::2])
    assert np.array_equal(found[1::2], list(lists.scores(queries, Scoring())))
