"""Every query segment against every source segment: the ground of the classification protocols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.benchmark.metrics.classification import counted_queries
from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.benchmark.sets.groups import GROUPS, TYPES, in_group
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.classification import (
        ClassificationMetric,
        Counts,
        Reading,
    )
    from locisimiles.benchmark.sets.references import References
    from locisimiles.classify.thresholds import DecisionRule, Probabilities

__all__ = ["FoldCounts", "PairGrid", "group_decision", "mean_over_queries", "rule_of_each"]

_DIMENSIONS = 3


@dataclass(frozen=True, slots=True, eq=False)
class PairGrid:
    """The pairs of one fold document, with what a classifier thinks of them.

    Attributes
    ----------
    probabilities
        Shape (queries, sources, 3); the classes are *no match*, *cit.*, *cf.*
    label
        What the pairs are, shape (queries, sources).
    fold
        The number of the fold, -1 if there are none.
    query
        The position of each query segment in the query document of the whole set, by which
        values of single queries are known.
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
        """Lay references beside probabilities.

        Parameters
        ----------
        probabilities
            Shape (queries, sources, 3).
        references
            By positions in this grid; all other pairs, and those of grade 0 or less, are *no
            match*.
        fold
            The number of the fold.
        query
            Positions of the queries in the whole set; by default the rows of the grid.

        Raises
        ------
        ParameterError
            If shapes do not fit, a reference is outside the grid, or a value is no probability.

        Examples
        --------
        >>> from locisimiles.benchmark.sets.references import References
        >>> references = References.from_columns(query=[1], source=[2], label=[2])
        >>> PairGrid.from_references(np.zeros((2, 3, 3)), references).label.tolist()
        [[0, 0, 0], [0, 0, 2]]
        """
        if probabilities.ndim != _DIMENSIONS or probabilities.shape[-1] != 1 + len(TYPES):
            raise ParameterError(
                f"probabilities of shape {probabilities.shape} are none of a grid",
                hint="the shape must be (queries, sources, 3)",
            )
        if probabilities.size and not (probabilities.min() >= 0 and probabilities.max() <= 1):
            raise ParameterError("a probability is not between 0 and 1")
        shape = probabilities.shape[:2]
        references = references.select(references.grade > 0)
        pairs = np.stack([references.query, references.source], axis=1)
        if len(pairs) and ((pairs < 0) | (pairs >= shape)).any():
            raise ParameterError(
                f"a reference is outside the grid of {shape[0]} × {shape[1]} pairs",
                hint="references must count positions in the same documents",
            )
        label = np.zeros(shape, np.uint8)
        label[references.query, references.source] = references.label
        if query is None:
            query = np.arange(shape[0], dtype=np.int32)
        if len(query) != shape[0]:
            raise ParameterError(f"{len(query)} positions do not fit {shape[0]} queries")
        return cls(probabilities, label, fold, query)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of which there is a reference here."""
        return tuple(group for group in GROUPS if in_group(self.label, group).any())


def group_decision(decisions: NDArray[np.bool_], group: str) -> NDArray[np.bool_]:
    """Return which pairs were taken for references of a group; of any type, if ``pooled``."""
    wanted = [group in {kind.text, "pooled"} for kind in TYPES]
    result: NDArray[np.bool_] = np.logical_or.reduce(decisions[wanted], axis=0)
    return result


def rule_of_each(
    grids: Sequence[PairGrid], rule: DecisionRule | Sequence[DecisionRule]
) -> list[DecisionRule]:
    """Return the rule of each grid: the same for all, or one for each fold."""
    if not grids:
        raise ParameterError("there is no fold to evaluate")
    if len({grid.fold for grid in grids}) != len(grids):
        raise ParameterError("two grids are of the same fold", hint="number them")
    if hasattr(rule, "decide"):
        return [rule] * len(grids)
    rules = list(rule)
    if len(rules) != len(grids):
        raise ParameterError(f"{len(rules)} decision rules do not fit {len(grids)} folds")
    return rules


class FoldCounts(NamedTuple):
    """What was counted for the queries of a fold."""

    fold: int
    query: NDArray[np.int32]
    counts: Counts


def mean_over_queries(
    group: str, metric: ClassificationMetric, folds: Sequence[FoldCounts], reading: Reading
) -> Measurement:
    """Measure a metric by its mean over the queries that count in each fold."""
    queries, numbers, values = [], [], []
    for fold, query, counts in folds:
        counted = counted_queries(metric, counts, reading)
        queries.append(query[counted])
        numbers.append(np.full(np.count_nonzero(counted), fold, np.int8))
        values.append(metric.values(counts)[counted])
    return Measurement.over_queries(
        group, metric.name, np.concatenate(queries), np.concatenate(numbers), np.concatenate(values)
    )
