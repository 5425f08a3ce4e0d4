"""The classification protocol."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.protocols import (
    PairGrid,
    collapsed_confusion,
    evaluate_classification,
    sweep_thresholds,
)
from locisimiles.benchmark.sets.references import References
from locisimiles.classify.thresholds import NINE_THRESHOLDS, Argmax, Thresholds


def grid(predicted, label, fold=0):
    """A grid of certain predictions: rows of 0, 1, 2."""
    label = np.array(label)
    query, source = np.nonzero(label)
    return PairGrid.from_references(
        np.eye(3)[np.array(predicted)],
        References.from_columns(query, source, label[query, source]),
        fold=fold,
        query=np.arange(len(label), dtype=np.int32) + 10 * fold,
    )


# Of four sources: one citation found and one missed with one false; an allusion taken for a
# citation; a query without references with a false allusion; an empty query.
FOLD = grid(
    predicted=[[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0]],
    label=[[1, 1, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
)


@pytest.mark.parametrize(
    ("reading", "group", "metric", "value"),
    [
        ("paper", "cit", "P", 1 / 2),
        ("paper", "cit", "R", 1 / 2),
        ("paper", "cit", "F1", 1 / 2),
        ("paper", "cf", "P", 0),
        ("paper", "cf", "F1", 0),
        ("paper", "pooled", "P", (1 / 2 + 1) / 2),
        ("paper", "pooled", "R", (1 / 2 + 1) / 2),
        ("paper", "pooled", "F1", (1 / 2 + 1) / 2),
        ("paper", "pooled", "macro-F1", 1 / 4),
        ("strict", "cit", "P", 1 / 4),
        ("strict", "pooled", "F1", (1 / 2 + 1) / 3),
        ("strict", "pooled", "macro-F1", 1 / 8),
        ("paper", "cit", "FPR", (1 + 1) / 16),
        ("paper", "cit", "FNR", 1 / 16),
        ("paper", "cit", "SMR", 3 / 16),
        ("paper", "cf", "SMR", 2 / 16),
        ("strict", "pooled", "SMR", 3 / 16),
        ("paper", "pooled", "Acc", 13 / 16),
    ],
)
@pytest.mark.parametrize("rule", [Argmax(), Thresholds(0.5, 0.5)])
def test_values_computed_by_hand(rule, reading, group, metric, value):
    measured = evaluate_classification([FOLD], rule, reading=reading)
    assert find(measured, group, metric).mean == pytest.approx(value)


def test_values_of_queries_are_kept_for_those_that_count():
    measured = evaluate_classification([FOLD, grid([[1]], [[1]], fold=1)], Argmax())
    precision = find(measured, "cit", "P")
    assert precision.query.tolist() == [0, 10]
    assert precision.query_fold.tolist() == [0, 1]
    assert precision.fold_value.tolist() == [0.5, 1.0]
    assert find(measured, "cit", "SMR").n == 5


def test_each_fold_may_have_its_own_thresholds():
    folds = [grid([[1]], [[1]], fold) for fold in (0, 1)]
    measured = evaluate_classification(folds, [Thresholds(0.5), Thresholds(float("inf"))])
    assert find(measured, "cit", "F1").fold_value.tolist() == [1.0, 0.0]


def test_a_fold_without_references_of_a_group_has_no_figure():
    folds = [grid([[1, 2]], [[1, 2]]), grid([[1, 2]], [[1, 0]], fold=1)]
    measured = evaluate_classification(folds, Argmax())
    assert find(measured, "cf", "F1").fold.tolist() == [0]
    assert find(measured, "pooled", "macro-F1").mean == 1.0


def test_a_set_with_one_type_only_has_a_macro_f1_of_that_type():
    measured = evaluate_classification([grid([[1, 1]], [[1, 0]])], Argmax())
    assert find(measured, "pooled", "macro-F1").mean == pytest.approx(2 / 3)


def test_a_pair_may_be_of_both_types_unless_exclusive():
    both = PairGrid.from_references(
        np.array([[[0.0, 0.6, 0.4]]]), References.from_columns([0], [0], [1]), fold=0
    )
    free, exclusive = (
        evaluate_classification([both], Thresholds(0.3, 0.3, exclusive=choice))
        for choice in (False, True)
    )
    assert find(free, "cf", "FPR").mean == 1.0
    assert find(exclusive, "cf", "FPR").mean == 0.0
    assert find(exclusive, "cit", "F1").mean == 1.0


def test_confused_types_count_twice_in_the_collapsed_table():
    figures = {one.metric: one.mean for one in collapsed_confusion([FOLD], Argmax())}
    assert [figures[name] for name in ("TP", "FP", "FN", "TN")] == [1, 3, 2, 11]
    assert sum(figures[name] for name in ("TP", "FP", "FN", "TN")) == 16 + 1
    assert figures["P"] == 1 / 4
    assert figures["R"] == 1 / 3
    assert figures["F1"] == pytest.approx(2 / 7)
    assert (figures["FPR"], figures["FNR"], figures["SMR"]) == (3 / 16, 2 / 16, 5 / 16)
    assert figures["Acc"] == 11 / 16


PROBABILITIES = hnp.arrays(float, (4, 5, 3), elements=st.floats(0, 1, width=16))
LABELS = hnp.arrays(np.uint8, (4, 5), elements=st.integers(0, 2))


def laid(probabilities, label):
    query, source = np.nonzero(label)
    references = References.from_columns(query, source, label[query, source])
    return PairGrid.from_references(probabilities, references, fold=0)


@settings(deadline=None, max_examples=30)
@given(PROBABILITIES, LABELS, st.sampled_from(["paper", "strict"]))
def test_a_sweep_is_one_evaluation_per_threshold(probabilities, label, reading):
    fold = laid(probabilities, label)
    sweep = sweep_thresholds(fold, reading=reading)
    assert sweep.value.shape == (9, 3, 7)
    for row, threshold in enumerate(NINE_THRESHOLDS):
        measured = evaluate_classification(
            [fold], Thresholds(threshold, threshold), reading=reading
        )
        for column, group in enumerate(sweep.groups):
            for place, metric in enumerate(sweep.metrics):
                assert find(measured, group, metric).mean == pytest.approx(
                    sweep.value[row, column, place], nan_ok=True
                )


@settings(deadline=None, max_examples=30)
@given(PROBABILITIES, LABELS, st.randoms(use_true_random=False))
def test_permuting_rows_and_columns_changes_nothing(probabilities, label, random):
    rows, columns = list(range(4)), list(range(5))
    random.shuffle(rows)
    random.shuffle(columns)
    mixed = laid(probabilities[rows][:, columns], label[rows][:, columns])
    for evaluate in (evaluate_classification, collapsed_confusion):
        for one, other in zip(
            evaluate([laid(probabilities, label)], Argmax()),
            evaluate([mixed], Argmax()),
            strict=True,
        ):
            assert one.mean == pytest.approx(other.mean, nan_ok=True)


@settings(deadline=None, max_examples=30)
@given(PROBABILITIES, LABELS)
def test_scikit_learn_agrees_about_macro_means(probabilities, label):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    measured = evaluate_classification([laid(probabilities, label)], Argmax())
    predicted = probabilities.argmax(axis=-1)
    for kind, group in ((1, "cit"), (2, "cf")):
        rows = [row for row in range(4) if (label[row] == kind).any()]
        scores = [
            theirs.precision_recall_fscore_support(
                label[row] == kind, predicted[row] == kind, labels=[True], zero_division=0.0
            )[:3]
            for row in rows
        ]
        expected = np.mean(scores, axis=0).ravel() if rows else [np.nan] * 3
        found = [find(measured, group, metric).mean for metric in ("P", "R", "F1")]
        assert found == pytest.approx(list(expected), nan_ok=True)
