"""Protocol ``classification``: every query against every source of a fold document.

Each type is evaluated one against the rest: *cit.*, *cf.*, and ``pooled``, where a reference of
either type counts as found if either type was predicted. Precision, recall and F1 are means over
queries in one of two readings (see `locisimiles.benchmark.metrics.classification`), error rates and
accuracy are means over all queries; all are then averaged over folds.

The paper's sampling tables use one confusion matrix for both types and all queries of a fold: see
`collapsed_confusion`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.metrics.classification import (
    CLASSIFICATION_METRICS,
    F1,
    PRECISION,
    RECALL,
    Counts,
    macro_mean,
)
from locisimiles.benchmark.protocols.grid import (
    FoldCounts,
    decide,
    group_decision,
    mean_over_queries,
    measure_folds,
)
from locisimiles.benchmark.sets.groups import GROUPS, in_group
from locisimiles.classify.labels import TYPES, Label
from locisimiles.classify.thresholds import NINE_THRESHOLDS, Thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.classification import ClassificationMetric, Reading
    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.benchmark.protocols.grid import PairGrid
    from locisimiles.classify.thresholds import DecisionRule

__all__ = [
    "ThresholdSweep",
    "collapsed_confusion",
    "evaluate_classification",
    "group_counts",
    "sweep_thresholds",
]


def evaluate_classification(
    grids: Sequence[PairGrid],
    rule: DecisionRule | Sequence[DecisionRule],
    *,
    reading: Reading = "paper",
    metrics: Sequence[ClassificationMetric] = CLASSIFICATION_METRICS,
) -> tuple[Measurement, ...]:
    """Measure a classifier.

    Parameters
    ----------
    grids
        One per fold.
    rule
        Turns probabilities into decisions: one rule, or one per fold (such as thresholds tuned on
        the other folds).
    reading
        Which queries count in the means of precision, recall and F1.
    metrics
        The metrics.

    Returns
    -------
    tuple of Measurement
        One per group and metric, and ``macro-F1`` of the group ``pooled``: the mean F1 of *cit.*
        and *cf.*, the paper's last column. A fold without references of a group has no figure for
        it.

    Examples
    --------
    >>> from locisimiles.benchmark.metrics.measurement import find
    >>> from locisimiles.benchmark.protocols.grid import PairGrid
    >>> from locisimiles.benchmark.sets.references import References
    >>> probabilities = np.array([[[0.1, 0.9, 0.0], [0.2, 0.8, 0.0]], [[1.0, 0.0, 0.0]] * 2])
    >>> references = References.from_columns(query=[0], source=[1], label=[1])
    >>> grid = PairGrid.from_references(probabilities, references)
    >>> measured = evaluate_classification([grid], Thresholds(0.5, 0.5))
    >>> find(measured, "cit", "P").mean, find(measured, "cit", "FPR").mean
    (0.5, 0.25)
    """
    decisions = decide(grids, rule)
    measured: list[Measurement] = []
    f1_of_types: list[list[float]] = []
    for group in GROUPS:
        folds = [
            FoldCounts(grid.fold, grid.query, group_counts(grid, decision, group))
            for grid, decision in zip(grids, decisions, strict=True)
        ]
        measured += [mean_over_queries(group, metric, folds, reading) for metric in metrics]
        if group != "pooled":
            f1 = [macro_mean(F1, fold.counts, reading) for fold in folds]
            f1_of_types += [] if np.isnan(f1).all() else [f1]
    if f1_of_types:
        macro = [{"macro-F1": value} for value in np.mean(f1_of_types, axis=0)]
        measured += measure_folds("pooled", grids, macro)
    return tuple(measured)


def group_counts(grid: PairGrid, decisions: NDArray[np.bool_], group: str) -> Counts:
    """Count right and wrong decisions about a group, per query."""
    return Counts.of(group_decision(decisions, group), in_group(grid.label, group))


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdSweep:
    """Figures of one fold at several thresholds.

    Attributes
    ----------
    thresholds, groups, metrics
        The names along the three axes of `value`.
    value
        Means over queries; NaN if no query counts.
    """

    thresholds: tuple[float, ...]
    groups: tuple[str, ...]
    metrics: tuple[str, ...]
    value: NDArray[np.float64]


def sweep_thresholds(
    grid: PairGrid,
    thresholds: Sequence[float] = NINE_THRESHOLDS,
    *,
    reading: Reading = "paper",
    metrics: Sequence[ClassificationMetric] = CLASSIFICATION_METRICS,
) -> ThresholdSweep:
    """Measure one fold at several thresholds, the same for both types.

    Examples
    --------
    >>> from locisimiles.benchmark.protocols.grid import PairGrid
    >>> from locisimiles.benchmark.sets.references import References
    >>> references = References.from_columns(query=[0], source=[0], label=[1])
    >>> grid = PairGrid.from_references(np.array([[[0.4, 0.6, 0.0]]]), references)
    >>> sweep = sweep_thresholds(grid, [0.5, 0.9])
    >>> sweep.value[:, sweep.groups.index("cit"), sweep.metrics.index("F1")].tolist()
    [1.0, 0.0]
    """
    value = np.empty((len(thresholds), len(GROUPS), len(metrics)))
    for row, threshold in enumerate(thresholds):
        decisions = Thresholds(threshold, threshold).decide(grid.probabilities)
        for column, group in enumerate(GROUPS):
            counts = group_counts(grid, decisions, group)
            value[row, column] = [macro_mean(metric, counts, reading) for metric in metrics]
    names = tuple(metric.name for metric in metrics)
    return ThresholdSweep(tuple(thresholds), GROUPS, names, value)


def collapsed_confusion(
    grids: Sequence[PairGrid], rule: DecisionRule | Sequence[DecisionRule]
) -> tuple[Measurement, ...]:
    """Count over both types and all queries of a fold, as the paper's sampling tables do.

    A reference predicted to be of the wrong type is both a false positive and a false negative, so
    the four counts exceed the number of pairs by the number of such pairs (in the paper, by about
    40 of 159,489). Rates are relative to the number of pairs. Figures are means over folds, so
    precision is not that of the mean counts.

    Returns
    -------
    tuple of Measurement
        Of the group ``pooled``: ``TP``, ``FP``, ``FN``, ``TN``, ``P``, ``R``, ``F1``, ``Acc``,
        ``FPR``, ``FNR``, ``SMR``. ``Acc`` is 1 − SMR.
    """
    decisions = decide(grids, rule)
    rows = [_collapsed(grid, own) for grid, own in zip(grids, decisions, strict=True)]
    return tuple(measure_folds("pooled", grids, rows))


def _collapsed(grid: PairGrid, decisions: NDArray[np.bool_]) -> dict[str, float]:
    is_type = np.stack([grid.label == kind for kind in TYPES])
    counts = Counts.of(decisions.ravel(), is_type.ravel())
    true_negatives = np.count_nonzero(~decisions.any(axis=0) & (grid.label == Label.NONE))
    tp, fp, fn = float(counts.tp), float(counts.fp), float(counts.fn)
    pairs = max(grid.label.size, 1)
    return {
        "TP": tp,
        "FP": fp,
        "FN": fn,
        "TN": float(true_negatives),
        **{metric.name: float(metric.values(counts)) for metric in (PRECISION, RECALL, F1)},
        "Acc": 1 - (fp + fn) / pairs,
        "FPR": fp / pairs,
        "FNR": fn / pairs,
        "SMR": (fp + fn) / pairs,
    }
