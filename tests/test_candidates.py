"""Candidates as columns, and how the best are chosen."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import Candidates
from locisimiles.candidates import best, tie_order

NOTHING = (np.array([], np.intp), np.array([], np.float32))
SCORES = st.integers(-1, 3).map(float) | st.floats(0, 100, width=32)


def found(*pairs):
    return (
        np.array([position for position, _ in pairs], np.intp),
        np.array([score for _, score in pairs], np.float32),
    )


def columns(candidates):
    return (
        candidates.query.tolist(),
        candidates.source.tolist(),
        candidates.score.tolist(),
        candidates.rank.tolist(),
    )


@settings(deadline=None)
@given(st.lists(SCORES, max_size=30), st.integers(1, 40), st.randoms(use_true_random=False))
def test_the_best_are_those_that_sorting_everything_gives(scores, k, random):
    ids = [f"{number:02}" for number in range(len(scores))]
    random.shuffle(ids)
    positions, values = best(np.array(scores, np.float32), k, tie_order(ids))
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], ids[at]))
    expected = [at for at in order if scores[at] > 0][:k]
    assert positions.tolist() == expected
    assert values.tolist() == [scores[at] for at in expected]


@pytest.mark.parametrize("scores", [[], [0.0], [0.0, -1.0]])
def test_a_score_of_zero_is_not_a_candidate(scores):
    positions, values = best(np.array(scores, np.float32), 5, tie_order("ab"[: len(scores)]))
    assert (positions.tolist(), values.tolist()) == ([], [])


def test_equal_scores_are_ordered_by_id_even_at_the_cutoff():
    scores = np.ones(6, np.float32)
    assert best(scores, 3, tie_order(["f", "b", "d", "a", "e", "c"]))[0].tolist() == [3, 1, 5]


@settings(deadline=None)
@given(st.lists(st.text(), unique=True))
def test_ties_are_broken_by_the_order_of_ids(ids):
    assert tie_order(ids).tolist() == [sorted(ids).index(segment_id) for segment_id in ids]


def test_candidates_of_each_query_are_joined():
    joined = Candidates.join([found((4, 2.5), (2, 1.0)), NOTHING, found((4, 0.5))])
    assert columns(joined) == ([0, 0, 2], [4, 2, 4], [2.5, 1.0, 0.5], [1, 2, 1])


@pytest.mark.parametrize("nothing", [[], [NOTHING], [NOTHING, NOTHING]])
def test_joining_nothing_gives_no_candidates(nothing):
    assert columns(Candidates.join(nothing)) == ([], [], [], [])


@settings(deadline=None)
@given(st.lists(st.integers(0, 4)))
def test_ranks_count_from_one_for_each_query(counts):
    joined = Candidates.join([found(*[(0, 1.0)] * count) for count in counts])
    assert joined.rank.tolist() == [n for count in counts for n in range(1, count + 1)]


@pytest.mark.parametrize(
    ("column", "kind"), [("query", "int32"), ("source", "int32"), ("score", "float32")]
)
@pytest.mark.parametrize("nothing", [True, False])
def test_a_pair_costs_twelve_bytes(column, kind, nothing):
    joined = Candidates.join([] if nothing else [found((4, 2.5))])
    assert getattr(joined, column).dtype == kind


@pytest.mark.parametrize("pairs", [[], [(4, 2.5)], [(4, 2.5), (2, 1.0)]])
def test_the_length_is_the_number_of_pairs(pairs):
    assert len(Candidates.join([found(*pairs)])) == len(pairs)


def sorted_whole(scores, k, places):
    """Return what `best` must, by sorting all scores."""
    order = np.lexsort((places, -scores))
    order = order[scores[order] > 0][:k]
    return order, scores[order]


# Few different scores mean many ties; the smallest size has no groups, some have segments over.
@pytest.mark.parametrize("k", [1, 7, 100, 900])
@pytest.mark.parametrize("size", [1000, 4096, 5000, 40_001])
@pytest.mark.parametrize("different", [2, 50, 10_000])
@pytest.mark.parametrize("share", [0.0, 0.005, 0.6])
def test_the_best_of_many_are_those_that_sorting_everything_gives(k, size, different, share):
    random = np.random.default_rng(size + k)
    scores = random.integers(1, different, size).astype(np.float32)
    scores[random.random(size) >= share] = 0
    places = random.permutation(size)
    for found, expected in zip(
        best(scores, k, places), sorted_whole(scores, k, places), strict=True
    ):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("share", [0.001, 0.5, 1.0])
def test_nan_is_never_a_candidate_among_many(share):
    random = np.random.default_rng(1)
    scores = random.random(20_000).astype(np.float32)
    scores[random.random(20_000) < share] = np.nan
    found, values = best(scores, 100, np.arange(20_000))
    known = np.where(np.isnan(scores), np.float32(0), scores)
    np.testing.assert_array_equal(found, sorted_whole(known, 100, np.arange(20_000))[0])
    assert not np.isnan(values).any()


@pytest.fixture
def many():
    """Return candidates of 1,000 queries with 0 to 6 candidates each."""
    query = np.repeat(np.arange(1000), np.arange(1000) % 7)
    numbers = np.arange(len(query))
    return Candidates(query, numbers % 31, (numbers % 13)[::-1])


def test_the_candidates_of_a_query_are_its_rows(many):
    for query in [0, 1, 6, 500, 998, 999, 1000, -1]:
        rows = many.query == query
        source, score = many.of_query(query)
        assert (source.dtype, score.dtype) == (np.int64, np.float64)
        assert source.tolist() == many.source[rows].tolist()
        assert score.tolist() == many.score[rows].tolist()


def test_the_candidates_of_a_query_are_found_without_copying_columns():
    # 8 MB of queries: a lookup as another kind of integer would copy all of them.
    size = 2_000_000
    columns = np.arange(size, dtype=np.int32), np.zeros(size, np.int32), np.ones(size, np.float32)
    candidates = Candidates(*columns)
    candidates.of_query(0)
    tracemalloc.start()
    source, _ = candidates.of_query(size // 2)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(source) == 1
    assert most < 100_000


def test_the_candidates_of_a_query_can_be_read_from_a_file(many, tmp_path):
    names = ("query", "source", "score")
    for name in names:
        np.save(tmp_path / f"{name}.npy", getattr(many, name))
    mapped = Candidates(*(np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in names))
    for query in (5, 999):
        for ours, theirs in zip(mapped.of_query(query), many.of_query(query), strict=True):
            assert ours.tolist() == theirs.tolist()
