"""Every query against every source."""

import numpy as np
import pytest

from locisimiles.benchmark.metrics import Counts
from locisimiles.benchmark.metrics.classification import FPR, PRECISION
from locisimiles.benchmark.protocols.grid import (
    FoldCounts,
    PairGrid,
    group_decision,
    mean_over_queries,
    rule_of_each,
)
from locisimiles.benchmark.sets.references import References
from locisimiles.classify.thresholds import Argmax, Thresholds
from locisimiles.errors import ParameterError

NONE = References.from_columns([], [], [])


def grid(fold=0, shape=(2, 3)):
    return PairGrid.from_references(np.zeros((*shape, 3)), NONE, fold=fold)


def test_references_become_labels():
    references = References.from_columns([1, 0], [2, 0], [2, 1])
    laid = PairGrid.from_references(np.zeros((2, 3, 3)), references, query=np.array([7, 9]))
    assert laid.label.tolist() == [[1, 0, 0], [0, 0, 2]]
    assert laid.query.tolist() == [7, 9]
    assert laid.groups == ("cit", "cf", "pooled")


def test_references_of_grade_nought_are_none():
    references = References.from_columns([0, 0], [0, 1], [1, 1], grade=[0, 2])
    assert PairGrid.from_references(np.zeros((1, 2, 3)), references).label.tolist() == [[0, 1]]


def test_queries_are_the_rows_unless_said_otherwise():
    assert grid().query.tolist() == [0, 1]
    assert grid().groups == ()


@pytest.mark.parametrize(
    ("probabilities", "said"),
    [
        (np.zeros((2, 3)), "shape"),
        (np.zeros((2, 3, 2)), "shape"),
        (np.full((2, 3, 3), 1.5), "between 0 and 1"),
        (np.full((2, 3, 3), -0.5), "between 0 and 1"),
        (np.full((2, 3, 3), np.nan), "between 0 and 1"),
    ],
)
def test_what_is_no_grid_is_an_error(probabilities, said):
    with pytest.raises(ParameterError, match=said):
        PairGrid.from_references(probabilities, NONE)


@pytest.mark.parametrize(("query", "source"), [(2, 0), (0, 3), (-1, 0)])
def test_references_outside_the_grid_are_an_error(query, source):
    with pytest.raises(ParameterError, match="outside the grid of 2 × 3"):
        PairGrid.from_references(
            np.zeros((2, 3, 3)), References.from_columns([query], [source], [1])
        )


def test_positions_must_fit_the_rows():
    with pytest.raises(ParameterError, match="3 positions"):
        PairGrid.from_references(np.zeros((2, 3, 3)), NONE, query=np.arange(3, dtype=np.int32))


def test_decisions_of_groups():
    decisions = np.array([[[True, False, False]], [[True, True, False]]])
    found = {group: group_decision(decisions, group).tolist() for group in ("cit", "cf", "pooled")}
    assert found == {
        "cit": [[True, False, False]],
        "cf": [[True, True, False]],
        "pooled": [[True, True, False]],
    }


def test_one_rule_serves_all_folds_or_each_has_its_own():
    grids, rules = [grid(0), grid(1)], [Argmax(), Thresholds(0.1)]
    assert rule_of_each(grids, Argmax()) == [Argmax(), Argmax()]
    assert rule_of_each(grids, rules) == rules


@pytest.mark.parametrize(
    ("grids", "rule", "said"),
    [
        ([], Argmax(), "no fold"),
        ([grid(0), grid(1)], [Argmax()], "1 decision rules do not fit 2"),
        ([grid(0), grid(0)], Argmax(), "same fold"),
    ],
)
def test_rules_and_folds_must_fit(grids, rule, said):
    with pytest.raises(ParameterError, match=said):
        rule_of_each(grids, rule)


def test_the_mean_is_over_the_queries_that_count():
    counts = Counts(*(np.array(column) for column in ([1, 0], [1, 1], [0, 0], [0, 1])))
    folds = [FoldCounts(3, np.array([5, 8], np.int32), counts)]
    precision = mean_over_queries("cit", PRECISION, folds, "paper")
    assert (precision.query.tolist(), precision.mean, precision.n) == ([5], 0.5, 1)
    assert mean_over_queries("cit", PRECISION, folds, "strict").mean == 0.25
    assert mean_over_queries("cit", FPR, folds, "paper").query_value.tolist() == [0.5, 0.5]
