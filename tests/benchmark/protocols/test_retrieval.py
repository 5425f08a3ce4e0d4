"""The retrieval protocol."""

import numpy as np
import pytest

from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.metrics.ranking import Recall, ReciprocalRank
from locisimiles.benchmark.protocols import RETRIEVAL_METRICS, evaluate_retrieval, unanswered
from locisimiles.benchmark.sets.references import References
from locisimiles.candidates import Candidates
from locisimiles.errors import ParameterError


def ranking(*queries):
    return Candidates.join(
        [(np.array(one, np.intp), np.arange(len(one), 0, -1, np.float32)) for one in queries]
    )


# Query 0 (fold 0) has a citation and an allusion, 1 (fold 0) a citation, 2 (fold 1) an allusion.
REFERENCES = References.from_columns(
    query=[0, 0, 1, 2], source=[5, 6, 7, 8], label=[1, 2, 1, 2], fold=[0, 0, 0, 1]
)
FOUND = ranking([6, 5], [1, 7], [1, 2], [5])


@pytest.mark.parametrize(
    ("group", "metric", "folds"),
    [
        ("cit", "R@1", [0.0]),
        ("cit", "R@10", [1.0]),
        ("cit", "MRR", [0.5]),
        ("cf", "R@1", [1.0, 0.0]),
        ("cf", "MRR", [1.0, 0.0]),
        ("pooled", "R@1", [0.25, 0.0]),
        ("pooled", "R@10", [1.0, 0.0]),
        ("pooled", "MRR", [0.75, 0.0]),
        ("pooled", "MRR@10", [0.75, 0.0]),
    ],
)
def test_values_computed_by_hand(group, metric, folds):
    assert find(evaluate_retrieval(FOUND, REFERENCES), group, metric).fold_value.tolist() == folds


def test_values_of_queries_are_kept():
    measured = find(evaluate_retrieval(FOUND, REFERENCES), "pooled", "MRR")
    assert measured.query.tolist() == [0, 1, 2]
    assert measured.query_fold.tolist() == [0, 0, 1]
    assert measured.query_value.tolist() == [1.0, 0.5, 0.0]
    assert (measured.n, measured.mean, measured.std) == (3, 0.375, 0.375)


def test_a_query_counts_in_a_group_if_it_has_a_reference_of_it():
    measured = evaluate_retrieval(FOUND, REFERENCES, [Recall(10)])
    assert [find(measured, group, "R@10").n for group in ("cit", "cf", "pooled")] == [2, 2, 3]


def test_the_paper_gives_recall_and_reciprocal_rank_at_three_cutoffs():
    names = {metric.name for metric in RETRIEVAL_METRICS}
    assert {f"{metric}@{k}" for metric in ("R", "MRR") for k in (10, 100, 1000)} <= names
    assert {"MRR", "MAP", "nDCG@10"} <= names


def test_a_group_without_references_is_not_measured():
    only = References.from_columns([0], [5], [1])
    assert {one.group for one in evaluate_retrieval(FOUND, only)} == {"cit", "pooled"}


def test_an_unknown_group_is_an_error():
    with pytest.raises(ParameterError, match="unknown group"):
        evaluate_retrieval(FOUND, REFERENCES, [ReciprocalRank()], groups=["marked"])


def test_queries_without_candidates_are_listed():
    assert unanswered(ranking([1], [], [2]), REFERENCES).tolist() == [1]
    assert unanswered(FOUND, REFERENCES).tolist() == []
