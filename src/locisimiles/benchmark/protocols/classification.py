"""Protocol ``classification``: every query against every source of a fold document.

Each type is judged one against the rest: *cit.*, *cf.*, and ``pooled``, where a pair is right if it
is a reference of any type and was taken for one of any type. Precision, recall and F1 are means
over queries in one of two readings (see `locisimiles.benchmark.metrics.classification`), error
rates and accuracy means over all queries; then follows the mean over folds.

The paper's sampling tables count otherwise: one table of counts over both types and all queries of
a fold. That is `collapsed_confusion`.
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
from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.benchmark.protocols.grid import (
    FoldCounts,
    group_decision,
    mean_over_queries,
    rule_of_each,
)
from locisimiles.benchmark.sets.groups import GROUPS, TYPES, in_group
from locisimiles.benchmark.sets.references import Label
from locisimiles.classify.thresholds import NINE_THRESHOLDS, Thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.classification import ClassificationMetric, Reading
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
        One a fold.
    rule
        How probabilities become decisions: one rule, or one for each fold (thresholds that were
        tuned on the other folds).
    reading
        Which queries count in the means of precision, recall and F1.
    metrics
        What to measure.

    Returns
    -------
    tuple of Measurement
        One for each group and metric, and ``macro-F1`` of the group ``pooled``: the mean of the F1
        of *cit.* and *cf.*, the paper's last column. A fold without references of a group has no
        figure for it.

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
    rules = rule_of_each(grids, rule)
    decisions = [rule.decide(grid.probabilities) for grid, rule in zip(grids, rules, strict=True)]
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
        numbers = [grid.fold for grid in grids]
        queries = sum(len(grid.query) for grid in grids)
        macro = np.mean(f1_of_types, axis=0)
        measured.append(Measurement.over_folds("pooled", "macro-F1", numbers, macro, queries))
    return tuple(measured)


def group_counts(grid: PairGrid, decisions: NDArray[np.bool_], group: str) -> Counts:
    """Count, for each query, right and wrong decisions about a group."""
    return Counts.of(group_decision(decisions, group), in_group(grid.label, group))


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdSweep:
    """Figures of one fold at several thresholds.

    Attributes
    ----------
    thresholds, groups, metrics
        The names along the three axes of `value`.
    value
        Means over queries; NaN where no query counts.
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
    """Measure one fold with the same threshold for both types, at each of several.

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

    A reference taken for the wrong type is both a false positive and a false negative, so that the
    four counts exceed the number of pairs by the number of such pairs (as they do in the paper: by
    about 40 of 159,489). Rates are of the number of pairs. Figures are means over folds, so that
    precision is not that of the mean counts.

    Returns
    -------
    tuple of Measurement
        Of the group ``pooled``: ``TP``, ``FP``, ``FN``, ``TN``, ``P``, ``R``, ``F1``, ``Acc``,
        ``FPR``, ``FNR``, ``SMR``. ``Acc`` is 1 − SMR.
    """
    rules = rule_of_each(grids, rule)
    rows = [
        _collapsed(grid, rule.decide(grid.probabilities))
        for grid, rule in zip(grids, rules, strict=True)
    ]
    folds = [grid.fold for grid in grids]
    queries = sum(len(grid.query) for grid in grids)
    return tuple(
        Measurement.over_folds("pooled", name, folds, [row[name] for row in rows], queries)
        for name in rows[0]
    )


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
