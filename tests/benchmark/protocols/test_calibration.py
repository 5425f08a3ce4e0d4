"""The calibration protocol."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.protocols import (
    PairGrid,
    brier_score,
    evaluate_calibration,
    expected_yield,
    group_probability,
    reliability,
)
from locisimiles.benchmark.sets.references import References
from locisimiles.errors import ParameterError

PROBABILITY = np.array([0.05, 0.05, 0.45, 0.5, 0.95, 1.0])
TRUTH = np.array([False, False, True, False, True, True])


def test_reliability_by_hand():
    table = reliability(PROBABILITY, TRUTH, bins=2)
    assert table.pairs.tolist() == [3, 3]
    assert table.predicted.tolist() == pytest.approx([0.55 / 3, 2.45 / 3])
    assert table.observed.tolist() == pytest.approx([1 / 3, 2 / 3])
    assert table.ece == pytest.approx(((1 - 0.55) + (2.45 - 2)) / 6)


def test_bins_without_pairs_are_left_out():
    assert reliability(PROBABILITY, TRUTH, bins=10).pairs.tolist() == [2, 1, 1, 2]


def test_bins_may_have_the_same_number_of_pairs():
    assert reliability(PROBABILITY, TRUTH, bins=3, by="count").pairs.tolist() == [2, 2, 2]


def test_the_error_of_no_pairs_is_undefined():
    empty = np.array([]), np.array([], bool)
    for by in ("width", "count"):
        assert np.isnan(reliability(*empty, by=by).ece)
    assert np.isnan(brier_score(*empty))


COLUMNS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=12)


@settings(deadline=None, max_examples=50)
@given(COLUMNS, st.integers(1, 7))
def test_scikit_learn_agrees(pairs, bins):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    probability, truth = (np.array(column) for column in zip(*pairs, strict=True))
    assert brier_score(probability, truth) == pytest.approx(
        metrics.brier_score_loss(truth, probability, labels=[False, True])
    )
    table = reliability(probability, truth, bins=bins)
    assert table.pairs.sum() == len(pairs)
    assert (table.predicted * table.pairs).sum() == pytest.approx(probability.sum())
    assert (table.observed * table.pairs).sum() == pytest.approx(truth.sum())


def test_scikit_learn_agrees_about_the_curve():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = pytest.importorskip("sklearn.calibration", reason="scikit-learn is not installed")
    generator = np.random.default_rng(0)
    probability = generator.random(500)
    truth = generator.random(500) < probability**2
    observed, predicted = theirs.calibration_curve(truth, probability, n_bins=8)
    table = reliability(probability, truth, bins=8)
    assert table.observed.tolist() == pytest.approx(observed.tolist())
    assert table.predicted.tolist() == pytest.approx(predicted.tolist())


def test_the_expected_yield_is_the_sum_of_probabilities():
    found = expected_yield(PROBABILITY, TRUTH, 3)
    assert (found.n, found.actual, found.expected) == (3, 2, pytest.approx(2.45))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=7), st.sampled_from([0.5, 0.8, 0.95]))
def test_the_interval_is_that_of_all_outcomes(chances, confidence):
    outcomes = np.zeros(len(chances) + 1)
    for successes in itertools.product([0, 1], repeat=len(chances)):
        weight = np.prod([p if hit else 1 - p for p, hit in zip(chances, successes, strict=True)])
        outcomes[sum(successes)] += weight
    found = expected_yield(
        np.array(chances), np.zeros(len(chances), bool), len(chances), confidence=confidence
    )
    tail = (1 - confidence) / 2
    assert outcomes[: found.low].sum() < tail + 1e-9
    assert outcomes[: found.low + 1].sum() >= tail - 1e-9
    assert outcomes[found.high + 1 :].sum() <= tail + 1e-9
    assert outcomes[found.high :].sum() > tail - 1e-9
    assert 0 <= found.low <= found.high <= len(chances)


def test_the_yield_of_too_many_pairs_is_that_of_all():
    assert expected_yield(PROBABILITY, TRUTH, 100).n == 6


def grid():
    probabilities = np.array(
        [[[0.1, 0.6, 0.3], [0.9, 0.1, 0.0]], [[0.2, 0.4, 0.4], [1.0, 0.0, 0.0]]], np.float32
    )
    references = References.from_columns([0, 1], [0, 0], [1, 2])
    return PairGrid.from_references(probabilities, references, fold=0)


def test_the_probability_of_a_group():
    assert group_probability(grid(), "cit").ravel().tolist() == pytest.approx([0.6, 0.1, 0.4, 0.0])
    assert group_probability(grid(), "pooled").ravel().tolist() == pytest.approx(
        [0.9, 0.1, 0.8, 0.0]
    )


@pytest.mark.parametrize(
    ("group", "metric", "value"),
    [
        ("pooled", "Brier", (0.01 + 0.01 + 0.04) / 4),
        ("pooled", "ECE", (0.1 + 0.1 + 0.2) / 4),
        ("pooled", "yield@1", 1),
        ("pooled", "expected yield@1", 0.9),
        ("pooled", "yield@3", 2),
        ("pooled", "expected yield@3", 1.8),
        ("cit", "yield@3", 1),
        ("cf", "expected yield@1", 0.4),
        ("cf", "yield@1", 1),
    ],
)
def test_values_computed_by_hand(group, metric, value):
    measured = evaluate_calibration([grid()], tops=[1, 3])
    assert find(measured, group, metric).mean == pytest.approx(value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: reliability(np.array([0.5]), np.array([True, False])),
        lambda: reliability(np.array([1.5]), np.array([True])),
        lambda: reliability(PROBABILITY, TRUTH, bins=0),
        lambda: reliability(PROBABILITY, TRUTH, by="luck"),
        lambda: brier_score(np.array([np.nan]), np.array([True])),
        lambda: expected_yield(PROBABILITY, TRUTH, 0),
        lambda: expected_yield(PROBABILITY, TRUTH, 1, confidence=1.0),
        lambda: evaluate_calibration([]),
        lambda: evaluate_calibration([grid(), grid()]),
    ],
)
def test_invalid_parameters_are_errors(call):
    with pytest.raises(ParameterError):
        call()
