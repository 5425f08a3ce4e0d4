"""The references that a ranking finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.benchmark.metrics.hits import find_hits
from locisimiles.benchmark.metrics.ranking import Recall, ReciprocalRank
from locisimiles.benchmark.sets.references import References
from locisimiles.candidates import Candidates, tie_order
from locisimiles.errors import ParameterError


def ranking(*queries):
    """Candidates whose scores fall by one; each query is a list of source positions."""
    return Candidates.join(
        [(np.array(one, np.intp), np.arange(len(one), 0, -1, np.float32)) for one in queries]
    )


def test_hits_are_references_with_their_ranks():
    references = References.from_columns([2, 0, 0], [1, 5, 3], [1, 1, 2], grade=[2, 1, 3])
    hits = find_hits(ranking([3, 9, 5], [3, 5], [8, 1]), references)
    assert hits.queries.tolist() == [0, 2]
    assert hits.relevant.tolist() == [2, 1]
    assert hits.hit_row.tolist() == [0, 0, 1]
    assert hits.hit_rank.tolist() == [1, 3, 2]
    assert hits.hit_grade.tolist() == [3, 1, 2]
    assert hits.hit_number.tolist() == [1, 2, 1]


def test_the_ideal_order_is_by_falling_grade():
    references = References.from_columns([4, 4, 1], [1, 5, 3], [1, 1, 2], grade=[1, 3, 2])
    hits = find_hits(ranking(), references)
    assert hits.ideal_row.tolist() == [0, 1, 1]
    assert hits.ideal_rank.tolist() == [1, 1, 2]
    assert hits.ideal_grade.tolist() == [2, 3, 1]


def test_a_query_without_candidates_has_no_recall():
    hits = find_hits(ranking([1]), References.from_columns([0, 1], [1, 1], [1, 1]))
    assert Recall(10).values(hits).tolist() == [1.0, 0.0]


def test_a_query_without_references_is_left_out():
    hits = find_hits(ranking([1], [1]), References.from_columns([1], [1], [1]))
    assert hits.queries.tolist() == [1]


def test_grade_zero_is_not_relevant():
    references = References.from_columns([0, 0, 1], [1, 2, 1], [1, 1, 1], grade=[0, 1, -1])
    hits = find_hits(ranking([1, 2], [1]), references)
    assert (hits.queries.tolist(), hits.relevant.tolist()) == ([0], [1])
    assert hits.hit_rank.tolist() == [2]


def test_each_query_has_its_fold():
    references = References.from_columns([3, 1, 3], [1, 1, 2], [1, 1, 2], fold=[4, 2, 4])
    assert find_hits(ranking(), references).fold.tolist() == [2, 4]


def test_no_references():
    hits = find_hits(ranking([1]), References.from_columns([], [], []))
    assert len(hits) == 0
    assert Recall(1).values(hits).shape == (0,)


@pytest.mark.parametrize(
    ("query", "score"), [([1, 0], [1.0, 2.0]), ([0, 0], [1.0, 2.0]), ([0, 0], [1.0, np.nan])]
)
def test_candidates_out_of_order_are_an_error(query, score):
    mixed = Candidates(np.array(query, np.int32), np.array([0, 1], np.int32), np.array(score))
    with pytest.raises(ParameterError, match=r"must be ordered|NaN"):
        find_hits(mixed, References.from_columns([0], [0], [1]))


def test_a_repeated_pair_is_an_error():
    with pytest.raises(ParameterError, match="twice"):
        find_hits(ranking([1, 1]), References.from_columns([0], [1], [1]))


def test_a_reference_without_grade_is_an_error():
    with pytest.raises(ParameterError, match="NaN"):
        find_hits(ranking([1]), References.from_columns([0], [1], [1], grade=[np.nan]))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_permuting_rows_changes_nothing(data):
    cells = [(query, source) for query in range(3) for source in range(5)]
    pairs = data.draw(st.lists(st.sampled_from(cells), unique=True, min_size=1))
    scores = data.draw(
        st.lists(st.integers(1, 3), min_size=len(pairs), max_size=len(pairs)).map(np.float32)
    )
    gold = data.draw(st.lists(st.sampled_from(cells), unique=True, min_size=1))
    places = tie_order(["d", "b", "a", "e", "c"])

    def values(found, relevant):
        columns = np.array(pairs, np.int32)[found]
        candidates = Candidates.ranked(columns[:, 0], columns[:, 1], scores[found], places)
        query, source = np.array(gold)[relevant].T
        references = References.from_columns(query, source, np.ones(len(gold)))
        hits = find_hits(candidates, references)
        return [metric.values(hits).tolist() for metric in (Recall(2), ReciprocalRank())]

    found = data.draw(st.permutations(range(len(pairs))))
    relevant = data.draw(st.permutations(range(len(gold))))
    assert values(found, relevant) == values(range(len(pairs)), range(len(gold)))


def test_equal_scores_are_ordered_by_source_id():
    columns = (np.array(column) for column in ([0, 0, 0], [0, 1, 2], [1.0, 1.0, 2.0]))
    ranked = Candidates.ranked(*columns, tie_order(["b", "a", "c"]))
    assert ranked.source.tolist() == [2, 1, 0]
