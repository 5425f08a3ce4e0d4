"""Classification metrics: four counts per query, and formulas over them.

Each class is evaluated one against the rest: a pair of segments is predicted to be of the class or
not, and is of the class or not. N = TP + FP + FN + TN is the number of pairs of a query.

Precision is 0 if nothing was predicted, recall is 0 if there is nothing to find, and F1 is the mean
of the queries' F1, not the F1 of mean precision and recall. Which queries count in the mean of
precision, recall and F1 depends on the reading of the paper:

``paper``
    Queries that have a reference of the class; false positives of other queries do not count. This
    reading fits the figures the paper prints.
``strict``
    Also queries that have only false positives; precision, recall and F1 are 0 there.

Accuracy and error rates (which the paper normalises by N, so that SMR = FPR + FNR) are averaged
over all queries in both readings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.checks import check_choice
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = [
    "ACCURACY",
    "CLASSIFICATION_METRICS",
    "F1",
    "FNR",
    "FPR",
    "PRECISION",
    "RECALL",
    "SMR",
    "ClassificationMetric",
    "Counts",
    "Reading",
    "counted_queries",
    "macro_mean",
]

Reading = Literal["paper", "strict"]


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """True and false positives and negatives, one number per query.

    Examples
    --------
    >>> actual = np.array([[True, True, False], [False, False, False]])
    >>> predicted = np.array([[True, False, True], [False, False, True]])
    >>> counts = Counts.of(predicted, actual)
    >>> counts.tp.tolist(), counts.fp.tolist(), counts.fn.tolist(), counts.tn.tolist()
    ([1, 0], [1, 1], [1, 0], [0, 2])
    """

    tp: NDArray[np.int64]
    fp: NDArray[np.int64]
    fn: NDArray[np.int64]
    tn: NDArray[np.int64]

    @classmethod
    def of(cls, predicted: NDArray[np.bool_], actual: NDArray[np.bool_]) -> Counts:
        """Count along the last axis of two arrays of the same shape."""
        if predicted.shape != actual.shape:
            raise ParameterError(
                "benchmark.unequal_shapes",
                names="predicted and actual",
                shapes=f"{predicted.shape} and {actual.shape}",
            )
        tp = np.asarray(np.count_nonzero(predicted & actual, axis=-1), np.int64)
        positive = np.asarray(np.count_nonzero(predicted, axis=-1), np.int64)
        relevant = np.asarray(np.count_nonzero(actual, axis=-1), np.int64)
        fp, fn = positive - tp, relevant - tp
        return cls(tp, fp, fn, predicted.shape[-1] - tp - fp - fn)

    @property
    def n(self) -> NDArray[np.int64]:
        """The number of pairs."""
        return self.tp + self.fp + self.fn + self.tn


@dataclass(frozen=True, slots=True)
class ClassificationMetric:
    """A metric computed from the four counts.

    Attributes
    ----------
    name
        The name in tables and result rows.
    values
        Turns counts into one value per query, including queries that the mean leaves out.
    over_all_queries
        Whether the mean is over all queries in every reading; otherwise the reading decides.
    """

    name: str
    values: Callable[[Counts], NDArray[np.float64]]
    over_all_queries: bool = False


def _ratio(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=whole > 0)


PRECISION = ClassificationMetric("P", lambda c: _ratio(c.tp, c.tp + c.fp))
RECALL = ClassificationMetric("R", lambda c: _ratio(c.tp, c.tp + c.fn))
F1 = ClassificationMetric("F1", lambda c: _ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn))
ACCURACY = ClassificationMetric("Acc", lambda c: _ratio(c.tp + c.tn, c.n), over_all_queries=True)
FPR = ClassificationMetric("FPR", lambda c: _ratio(c.fp, c.n), over_all_queries=True)
FNR = ClassificationMetric("FNR", lambda c: _ratio(c.fn, c.n), over_all_queries=True)
SMR = ClassificationMetric("SMR", lambda c: _ratio(c.fp + c.fn, c.n), over_all_queries=True)

CLASSIFICATION_METRICS = (PRECISION, RECALL, F1, ACCURACY, FPR, FNR, SMR)
"""All classification metrics, in the order of the paper's tables."""


def counted_queries(
    metric: ClassificationMetric, counts: Counts, reading: Reading = "paper"
) -> NDArray[np.bool_]:
    """Return which queries count in the mean of a metric.

    Examples
    --------
    >>> counts = Counts(*np.array([[1, 0, 0], [0, 2, 0], [1, 0, 0], [3, 3, 5]]))
    >>> counted_queries(F1, counts, "paper").tolist()
    [True, False, False]
    >>> counted_queries(F1, counts, "strict").tolist()
    [True, True, False]
    >>> counted_queries(FPR, counts).tolist()
    [True, True, True]
    """
    check_choice(get_args(Reading), reading=reading)
    if metric.over_all_queries:
        return counts.n > 0
    positives = counts.tp + counts.fn
    return (positives if reading == "paper" else positives + counts.fp) > 0


def macro_mean(metric: ClassificationMetric, counts: Counts, reading: Reading = "paper") -> float:
    """Return the mean of a metric over queries, NaN if none counts.

    Examples
    --------
    >>> counts = Counts(*np.array([[1, 0, 0], [0, 2, 0], [1, 0, 0], [3, 3, 5]]))
    >>> round(macro_mean(F1, counts, "paper"), 4), round(macro_mean(F1, counts, "strict"), 4)
    (0.6667, 0.3333)
    """
    values = metric.values(counts)[counted_queries(metric, counts, reading)]
    return float(values.mean()) if len(values) else float("nan")
