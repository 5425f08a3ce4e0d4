"""Measurements of folds and queries."""

import numpy as np
import pytest

from locisimiles.benchmark.metrics.measurement import Measurement, find
from locisimiles.errors import ParameterError


def over(folds, values):
    count = len(folds)
    return Measurement.over_queries(
        "cit", "F1", np.arange(count, dtype=np.int32), np.array(folds, np.int8), np.array(values)
    )


def test_folds_have_equal_weight():
    measured = over([0, 0, 0, 1], [0.0, 0.0, 0.0, 1.0])
    assert measured.fold_value.tolist() == [0, 1]
    assert (measured.mean, measured.std, measured.n) == (0.5, 0.5, 4)


def test_a_set_without_folds_has_no_deviation():
    measured = over([-1, -1], [0.0, 1.0])
    assert measured.mean == 0.5
    assert np.isnan(measured.std)


def test_the_mean_of_no_queries_is_undefined():
    assert np.isnan(over([], []).mean)


def test_a_fold_without_a_figure_is_left_out():
    measured = Measurement.over_folds("cf", "F1", [0, 1, 2], [0.2, float("nan"), 0.4], 9)
    assert (measured.mean, measured.n) == (pytest.approx(0.3), 9)
    assert measured.std == pytest.approx(0.1)


def test_each_fold_needs_a_value():
    with pytest.raises(ParameterError, match="fold and value must have equal length"):
        Measurement.over_folds("cf", "F1", [0], [0.2, 0.3], 2)


def test_a_measurement_is_found_by_name():
    measured = [over([0], [1.0]), Measurement.over_folds("cf", "F1", [0], [0.25], 1)]
    assert find(measured, "cf", "F1").mean == 0.25
    with pytest.raises(ParameterError, match="cit F1, cf F1"):
        find(measured, "pooled", "F1")


def test_figures_of_folds_have_no_queries():
    measured = Measurement.over_folds("cf", "F1", [0, 1], [0.2, 0.4], 9)
    assert [len(column) for column in (measured.query, measured.query_fold)] == [0, 0]
    assert len(measured.query_value) == 0
