"""Every query against every source."""

import numpy as np
import pytest

from locisimiles.benchmark.metrics.classification import FPR, PRECISION, Counts
from locisimiles.benchmark.protocols.grid import (
    FoldCounts,
    PairGrid,
    decide,
    group_decision,
    mean_over_queries,
    measure_folds,
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


def test_references_of_grade_zero_are_negatives():
    references = References.from_columns([0, 0], [0, 1], [1, 1], grade=[0, 2])
    assert PairGrid.from_references(np.zeros((1, 2, 3)), references).label.tolist() == [[0, 1]]


def test_queries_are_the_rows_by_default():
    assert grid().query.tolist() == [0, 1]


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
def test_invalid_grids_are_errors(probabilities, said):
    with pytest.raises(ParameterError, match=said):
        PairGrid.from_references(probabilities, NONE)


@pytest.mark.parametrize(("query", "source"), [(2, 0), (0, 3), (-1, 0)])
def test_references_outside_the_grid_are_an_error(query, source):
    with pytest.raises(ParameterError, match=r"beyond the (2 query|3 source) segments"):
        PairGrid.from_references(
            np.zeros((2, 3, 3)), References.from_columns([query], [source], [1])
        )


def test_positions_must_fit_the_rows():
    with pytest.raises(ParameterError, match=r"equal length \(2 and 3\)"):
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
    grids = [grid(0), grid(1)]
    shared = decide(grids, Thresholds(0, 1))
    assert [fold.any(axis=(1, 2)).tolist() for fold in shared] == [[True, False], [True, False]]
    own = decide(grids, [Thresholds(0, 1), Thresholds(1, 0)])
    assert [fold.any(axis=(1, 2)).tolist() for fold in own] == [[True, False], [False, True]]


def test_figures_of_folds_become_measurements():
    (measured,) = measure_folds("cit", [grid(3), grid(1)], [{"TP": 1.0}, {"TP": 2.0}])
    assert (measured.group, measured.metric, measured.n) == ("cit", "TP", 4)
    assert (measured.fold.tolist(), measured.fold_value.tolist()) == ([3, 1], [1.0, 2.0])


@pytest.mark.parametrize(
    ("grids", "rule", "said"),
    [
        ([], Argmax(), "no fold"),
        ([grid(0), grid(1)], [Argmax()], r"equal length \(2 and 1\)"),
        ([grid(0), grid(0)], Argmax(), r"same fold \(folds 0, 0\)"),
    ],
)
def test_rules_and_folds_must_match(grids, rule, said):
    with pytest.raises(ParameterError, match=said):
        decide(grids, rule)


def test_the_mean_is_over_the_queries_that_count():
    counts = Counts(*(np.array(column) for column in ([1, 0], [1, 1], [0, 0], [0, 1])))
    folds = [FoldCounts(3, np.array([5, 8], np.int32), counts)]
    precision = mean_over_queries("cit", PRECISION, folds, "paper")
    assert (precision.query.tolist(), precision.mean, precision.n) == ([5], 0.5, 1)
    assert mean_over_queries("cit", PRECISION, folds, "strict").mean == 0.25
    assert mean_over_queries("cit", FPR, folds, "paper").query_value.tolist() == [0.5, 0.5]
