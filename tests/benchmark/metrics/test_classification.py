"""Classification metrics: hand-computed cases, properties, and scikit-learn."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from locisimiles.benchmark.metrics.classification import (
    ACCURACY,
    CLASSIFICATION_METRICS,
    F1,
    FNR,
    FPR,
    PRECISION,
    RECALL,
    SMR,
    Counts,
    counted_queries,
    macro_mean,
)
from locisimiles.errors import ParameterError

# Five queries of ten pairs: found one of two with two wrong, nothing predicted, wrong ones only,
# nothing at all, everything right.
COUNTS = Counts(
    *(
        np.array(row)
        for row in ([1, 0, 0, 0, 2], [2, 0, 3, 0, 0], [1, 4, 0, 0, 0], [6, 6, 7, 10, 8])
    )
)


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        (PRECISION, [1 / 3, 0, 0, 0, 1]),
        (RECALL, [1 / 2, 0, 0, 0, 1]),
        (F1, [2 / 5, 0, 0, 0, 1]),
        (ACCURACY, [0.7, 0.6, 0.7, 1, 1]),
        (FPR, [0.2, 0, 0.3, 0, 0]),
        (FNR, [0.1, 0.4, 0, 0, 0]),
        (SMR, [0.3, 0.4, 0.3, 0, 0]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_values_computed_by_hand(metric, values):
    assert metric.values(COUNTS).tolist() == pytest.approx(values)


@pytest.mark.parametrize(
    ("metric", "paper", "strict"),
    [
        (PRECISION, (1 / 3 + 1) / 3, (1 / 3 + 1) / 4),
        (RECALL, 1.5 / 3, 1.5 / 4),
        (F1, 1.4 / 3, 1.4 / 4),
        (ACCURACY, 0.8, 0.8),
        (FPR, 0.1, 0.1),
        (FNR, 0.1, 0.1),
        (SMR, 0.2, 0.2),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_the_two_readings_differ_in_the_queries_that_count(metric, paper, strict):
    assert macro_mean(metric, COUNTS, "paper") == pytest.approx(paper)
    assert macro_mean(metric, COUNTS, "strict") == pytest.approx(strict)


def test_f1_is_the_mean_of_f1_not_the_f1_of_means():
    precision, recall = macro_mean(PRECISION, COUNTS), macro_mean(RECALL, COUNTS)
    assert macro_mean(F1, COUNTS) != pytest.approx(2 * precision * recall / (precision + recall))


def test_the_mean_of_no_queries_is_undefined():
    nothing = Counts(*(np.array([0]) for _ in range(3)), np.array([4]))
    assert np.isnan(macro_mean(F1, nothing))
    assert macro_mean(SMR, nothing) == 0


def test_queries_without_pairs_have_no_error_rate():
    empty = Counts(*(np.array([0]) for _ in range(4)))
    assert not counted_queries(SMR, empty).any()


def test_shapes_must_be_equal():
    with pytest.raises(ParameterError, match="must have the same shape"):
        Counts.of(np.zeros((2, 3), bool), np.zeros((3, 2), bool))


def test_an_unknown_reading_is_an_error():
    with pytest.raises(ParameterError, match="paper, strict"):
        macro_mean(F1, COUNTS, "lenient")


SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, max_side=6)


@st.composite
def grids(draw):
    shape = draw(SHAPES)
    return draw(hnp.arrays(bool, shape)), draw(hnp.arrays(bool, shape))


@settings(deadline=None)
@given(grids())
def test_a_confused_type_is_a_false_positive_and_a_false_negative(grid):
    counts = Counts.of(*grid)
    assert SMR.values(counts) == pytest.approx(FPR.values(counts) + FNR.values(counts))
    assert ACCURACY.values(counts) == pytest.approx(1 - SMR.values(counts))
    assert macro_mean(SMR, counts) == pytest.approx(
        macro_mean(FPR, counts) + macro_mean(FNR, counts)
    )


@settings(deadline=None)
@given(grids(), st.randoms(use_true_random=False))
def test_permuting_queries_and_sources_changes_nothing(grid, random):
    predicted, actual = grid
    rows, columns = list(range(predicted.shape[0])), list(range(predicted.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    mixed = Counts.of(predicted[rows][:, columns], actual[rows][:, columns])
    for metric in CLASSIFICATION_METRICS:
        for reading in ("paper", "strict"):
            assert macro_mean(metric, mixed, reading) == pytest.approx(
                macro_mean(metric, Counts.of(predicted, actual), reading), nan_ok=True
            )


@settings(deadline=None)
@given(grids(), st.booleans())
def test_an_irrelevant_source_never_raises_precision(grid, flagged):
    predicted, actual = grid
    column = np.zeros((len(predicted), 1), bool)
    before = Counts.of(predicted, actual)
    after = Counts.of(np.hstack([predicted, column | flagged]), np.hstack([actual, column]))
    for metric in (PRECISION, RECALL, F1):
        assert (metric.values(after) <= metric.values(before)).all()


@settings(deadline=None)
@given(grids())
def test_the_strict_reading_is_never_kinder(grid):
    counts = Counts.of(*grid)
    for metric in (PRECISION, RECALL, F1):
        paper, strict = (macro_mean(metric, counts, name) for name in ("paper", "strict"))
        assert np.isnan(paper) or strict <= paper


@settings(deadline=None, max_examples=40)
@given(grids())
def test_scikit_learn_agrees(grid):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    predicted, actual = grid
    counts = Counts.of(predicted, actual)
    ours = np.array([metric.values(counts) for metric in (PRECISION, RECALL, F1, ACCURACY)]).T
    for row, guess, truth in zip(ours, predicted, actual, strict=True):
        precision, recall, f1, _ = theirs.precision_recall_fscore_support(
            truth, guess, labels=[True], zero_division=0.0
        )
        expected = [precision[0], recall[0], f1[0], theirs.accuracy_score(truth, guess)]
        assert row.tolist() == pytest.approx(expected)


def test_pairs_are_counted_along_the_last_axis():
    random = np.random.default_rng(2)
    predicted, actual = random.random((2, 2, 3, 5)) < 0.5
    counts = Counts.of(predicted, actual)
    for one in np.ndindex(2, 3):
        own = Counts.of(predicted[one], actual[one])
        assert own.n == 5
        for name in ("tp", "fp", "fn", "tn"):
            assert getattr(counts, name)[one] == getattr(own, name)
