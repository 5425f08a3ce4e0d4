"""A measured figure, with the values of its folds and, if it has any, of single queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_equal_lengths
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

__all__ = ["Measurement", "find"]


@dataclass(frozen=True, slots=True, eq=False)
class Measurement:
    """One metric of one group of references.

    As in the paper, the figure of a fold is the mean over its queries, and the reported figure is
    the mean over folds, with their standard deviation.

    Attributes
    ----------
    group
        ``cit``, ``cf`` or ``pooled``; protocols may add others.
    metric
        The name of the metric.
    fold, fold_value
        The number of each fold (-1 if a set has no folds) and its figure; NaN if it has none, such
        as a fold without a reference of the group.
    n
        The number of queries behind the figure.
    query, query_fold, query_value
        The queries that count, as positions in the query document, with fold and value. Empty if
        the metric has no values of single queries.
    """

    group: str
    metric: str
    fold: NDArray[np.int8]
    fold_value: NDArray[np.float64]
    n: int
    query: NDArray[np.int32]
    query_fold: NDArray[np.int8]
    query_value: NDArray[np.float64]

    @classmethod
    def over_queries(
        cls,
        group: str,
        metric: str,
        query: NDArray[np.int32],
        fold: NDArray[np.int8],
        value: NDArray[np.float64],
    ) -> Measurement:
        """Measure by the mean over the queries of each fold.

        Examples
        --------
        >>> query, fold = np.arange(3, dtype=np.int32), np.array([0, 0, 1], np.int8)
        >>> measured = Measurement.over_queries("cit", "R@10", query, fold, np.array([1, 0, 1.0]))
        >>> measured.fold_value.tolist(), measured.mean
        ([0.5, 1.0], 0.75)
        """
        folds, row = np.unique(fold, return_inverse=True)
        sums = np.bincount(row, value, minlength=len(folds))
        means = sums / np.bincount(row, minlength=len(folds))
        return cls(group, metric, folds, means, len(query), query, fold, value)

    @classmethod
    def over_folds(
        cls, group: str, metric: str, fold: Iterable[int], value: Iterable[float], n: int
    ) -> Measurement:
        """Measure by one figure per fold."""
        empty = np.empty(0, np.int32), np.empty(0, np.int8), np.empty(0, np.float64)
        folds, values = np.fromiter(fold, np.int8), np.fromiter(value, np.float64)
        check_equal_lengths(fold=folds, value=values)
        return cls(group, metric, folds, values, n, *empty)

    @property
    def mean(self) -> float:
        """The mean over the folds that have a figure; NaN if none has."""
        known = self._known()
        return float(known.mean()) if len(known) else float("nan")

    @property
    def std(self) -> float:
        """The standard deviation of the folds' figures; NaN if there are fewer than two.

        It is the population one (divided by the number of folds). The paper does not say which it
        prints; for BM25 over words on the rebuilt set, this one gives the ± .032 of its MRR@10, the
        sample one ± .036.
        """
        known = self._known()
        return float(known.std()) if len(known) > 1 else float("nan")

    def _known(self) -> NDArray[np.float64]:
        return self.fold_value[~np.isnan(self.fold_value)]


def find(measurements: Iterable[Measurement], group: str, metric: str) -> Measurement:
    """Return the measurement of a metric for a group.

    Raises
    ------
    ParameterError
        If it was not measured.
    """
    known = {f"{own.group} {own.metric}": own for own in measurements}
    name = f"{group} {metric}"
    if name not in known:
        raise ParameterError("benchmark.not_measured", name=name, known=list(known) or ["–"])
    return known[name]
