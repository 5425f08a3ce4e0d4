"""Every query segment against every source segment, as the classification protocols need it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.benchmark.metrics.classification import counted_queries
from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.checks import check_equal_lengths, check_pairs
from locisimiles.classify.labels import TYPES, Label
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.classification import (
        ClassificationMetric,
        Counts,
        Reading,
    )
    from locisimiles.benchmark.sets.references import References
    from locisimiles.classify.thresholds import DecisionRule, Probabilities

__all__ = [
    "FoldCounts",
    "PairGrid",
    "check_folds",
    "decide",
    "group_decision",
    "mean_over_queries",
    "measure_folds",
]

_GRID_DIMENSIONS = 3


@dataclass(frozen=True, slots=True, eq=False)
class PairGrid:
    """The pairs of one fold document, with their labels and a classifier's probabilities.

    Attributes
    ----------
    probabilities
        Shape (queries, sources, 3); the classes are *no match*, *cit.*, *cf.*
    label
        The labels, shape (queries, sources).
    fold
        The number of the fold, -1 if there are none.
    query
        The position of each query segment in the query document of the whole set.
    """

    probabilities: Probabilities
    label: NDArray[np.uint8]
    fold: int
    query: NDArray[np.int32]

    @classmethod
    def from_references(
        cls,
        probabilities: Probabilities,
        references: References,
        *,
        fold: int = -1,
        query: NDArray[np.int32] | None = None,
    ) -> PairGrid:
        """Combine probabilities with references.

        Parameters
        ----------
        probabilities
            Shape (queries, sources, 3).
        references
            As positions in this grid. All other pairs, and those of grade 0 or less, are *no
            match*.
        fold
            The number of the fold.
        query
            Positions of the queries in the whole set; by default the rows of the grid.

        Raises
        ------
        ParameterError
            If shapes differ, a reference is outside the grid, or a value is not a probability.

        Examples
        --------
        >>> from locisimiles.benchmark.sets.references import References
        >>> references = References.from_columns(query=[1], source=[2], label=[2])
        >>> PairGrid.from_references(np.zeros((2, 3, 3)), references).label.tolist()
        [[0, 0, 0], [0, 0, 2]]
        """
        if probabilities.ndim != _GRID_DIMENSIONS or probabilities.shape[-1] != len(Label):
            raise ParameterError("benchmark.not_a_grid", shape=str(probabilities.shape))
        if probabilities.size and not (probabilities.min() >= 0 and probabilities.max() <= 1):
            raise ParameterError("benchmark.not_probabilities", name="probabilities")
        shape = probabilities.shape[:2]
        references = references.select(references.grade > 0)
        check_pairs(references.query, references.source, *shape)
        label = np.zeros(shape, np.uint8)
        label[references.query, references.source] = references.label
        if query is None:
            query = np.arange(shape[0], dtype=np.int32)
        check_equal_lengths(probabilities=probabilities, query=query)
        return cls(probabilities, label, fold, query)


def group_decision(decisions: NDArray[np.bool_], group: str) -> NDArray[np.bool_]:
    """Return which pairs are predicted to be references of a group; of any type, if ``pooled``."""
    wanted = [group in {kind.text, "pooled"} for kind in TYPES]
    result: NDArray[np.bool_] = np.logical_or.reduce(decisions[wanted], axis=0)
    return result


def decide(
    grids: Sequence[PairGrid], rule: DecisionRule | Sequence[DecisionRule]
) -> list[NDArray[np.bool_]]:
    """Return the decisions about each grid, by one rule for all or one rule per fold."""
    check_folds(grids)
    rules = list(rule) if isinstance(rule, Sequence) else [rule] * len(grids)
    check_equal_lengths(grids=grids, rule=rules)
    return [rule.decide(grid.probabilities) for grid, rule in zip(grids, rules, strict=True)]


def check_folds(grids: Sequence[PairGrid]) -> None:
    """Raise a ParameterError unless there is a grid and no two are of the same fold."""
    folds = [grid.fold for grid in grids]
    if not folds:
        raise ParameterError("benchmark.no_grids")
    if len(set(folds)) != len(folds):
        raise ParameterError("benchmark.repeated_fold", folds=list(map(str, folds)))


def measure_folds(
    group: str, grids: Sequence[PairGrid], figures: Sequence[Mapping[str, float]]
) -> list[Measurement]:
    """Measure by one figure per fold: `figures` holds those of each grid, by metric."""
    folds = [grid.fold for grid in grids]
    queries = sum(len(grid.query) for grid in grids)
    return [
        Measurement.over_folds(group, metric, folds, [own[metric] for own in figures], queries)
        for metric in figures[0]
    ]


class FoldCounts(NamedTuple):
    """The counts of the queries of a fold."""

    fold: int
    query: NDArray[np.int32]
    counts: Counts


def mean_over_queries(
    group: str, metric: ClassificationMetric, folds: Sequence[FoldCounts], reading: Reading
) -> Measurement:
    """Measure a metric by the mean over the queries of each fold that count."""
    queries, numbers, values = [], [], []
    for fold, query, counts in folds:
        counted = counted_queries(metric, counts, reading)
        queries.append(query[counted])
        numbers.append(np.full(np.count_nonzero(counted), fold, np.int8))
        values.append(metric.values(counts)[counted])
    return Measurement.over_queries(
        group, metric.name, np.concatenate(queries), np.concatenate(numbers), np.concatenate(values)
    )
