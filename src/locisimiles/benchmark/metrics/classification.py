"""Classification metrics: four counts a query, and formulas over them.

A class is judged one against the rest: a pair of segments is predicted to be of the class or not,
and is of the class or not. Let N = TP + FP + FN + TN be the pairs of a query.

Where nothing was predicted, precision is 0; where there is nothing to find, recall is 0; F1 is the
mean of the queries' F1, not the F1 of mean precision and recall. Which queries count in the mean of
precision, recall and F1 is a matter of the reading:

``paper``
    The queries that have a reference of the class. False positives of other queries do not show.
    This reading fits the figures the paper prints.
``strict``
    Also the queries for which something was predicted wrongly though they have no reference of the
    class; precision, recall and F1 are 0 there.

Accuracy and the error rates (which the paper normalises by N, so that SMR = FPR + FNR) are averaged
over all queries, in either reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

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
    """True and false positives and negatives, one number a query (or one in all).

    Examples
    --------
    >>> actual = np.array([[True, True, False], [False, False, False]])
    >>> predicted = np.array([[True, False, True], [False, False, True]])
    >>> counts = Counts.of(predicted, actual)
    >>> counts.tp.tolist(), counts.fp.tolist(), counts.fn.tolist(), counts.tn.tolist()
    ([1, 0], [1, 1], [1, 0], [0, 2])
    >>> int(counts.pooled().fp)
    2
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
                f"predictions of shape {predicted.shape} do not fit labels of shape {actual.shape}"
            )
        tp = np.asarray(np.count_nonzero(predicted & actual, axis=-1), np.int64)
        positive = np.asarray(np.count_nonzero(predicted, axis=-1), np.int64)
        relevant = np.asarray(np.count_nonzero(actual, axis=-1), np.int64)
        fp, fn = positive - tp, relevant - tp
        return cls(tp, fp, fn, predicted.shape[-1] - tp - fp - fn)

    @property
    def n(self) -> NDArray[np.int64]:
        """How many pairs were counted."""
        return self.tp + self.fp + self.fn + self.tn

    def map(self, change: Callable[[NDArray[np.int64]], NDArray[np.int64]]) -> Counts:
        """Return the counts with each of the four columns changed in the same way."""
        return Counts(change(self.tp), change(self.fp), change(self.fn), change(self.tn))

    def pooled(self) -> Counts:
        """Return the sums over all queries."""
        return self.map(lambda column: np.asarray(column.sum()))


@dataclass(frozen=True, slots=True)
class ClassificationMetric:
    """A figure that four counts determine.

    Attributes
    ----------
    name
        As tables and rows write it.
    description
        The formula.
    formula
        Counts to values, one a query.
    over_all_queries
        Whether the mean is over all queries, in every reading; otherwise the reading decides.
    """

    name: str
    description: str
    formula: Callable[[Counts], NDArray[np.float64]]
    over_all_queries: bool = False

    def values(self, counts: Counts) -> NDArray[np.float64]:
        """Return one value a query, also for the queries that a mean leaves out."""
        return self.formula(counts)


def _ratio(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=whole > 0)


PRECISION = ClassificationMetric("P", "TP / (TP + FP)", lambda c: _ratio(c.tp, c.tp + c.fp))
RECALL = ClassificationMetric("R", "TP / (TP + FN)", lambda c: _ratio(c.tp, c.tp + c.fn))
F1 = ClassificationMetric(
    "F1", "2 TP / (2 TP + FP + FN)", lambda c: _ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn)
)
ACCURACY = ClassificationMetric(
    "Acc", "(TP + TN) / N", lambda c: _ratio(c.tp + c.tn, c.n), over_all_queries=True
)
FPR = ClassificationMetric("FPR", "FP / N", lambda c: _ratio(c.fp, c.n), over_all_queries=True)
FNR = ClassificationMetric("FNR", "FN / N", lambda c: _ratio(c.fn, c.n), over_all_queries=True)
SMR = ClassificationMetric(
    "SMR", "(FP + FN) / N", lambda c: _ratio(c.fp + c.fn, c.n), over_all_queries=True
)

CLASSIFICATION_METRICS = (PRECISION, RECALL, F1, ACCURACY, FPR, FNR, SMR)
"""All of them, in the order of the paper's tables."""


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
    if reading not in get_args(Reading):
        raise ParameterError(
            f"reading={reading!r} is unknown", hint=f"choose one of {', '.join(get_args(Reading))}"
        )
    if metric.over_all_queries:
        return counts.n > 0
    positives = counts.tp + counts.fn
    return (positives if reading == "paper" else positives + counts.fp) > 0


def macro_mean(metric: ClassificationMetric, counts: Counts, reading: Reading = "paper") -> float:
    """Return the mean of a metric over queries, NaN where none counts.

    Examples
    --------
    >>> counts = Counts(*np.array([[1, 0, 0], [0, 2, 0], [1, 0, 0], [3, 3, 5]]))
    >>> round(macro_mean(F1, counts, "paper"), 4), round(macro_mean(F1, counts, "strict"), 4)
    (0.6667, 0.3333)
    """
    values = metric.values(counts)[counted_queries(metric, counts, reading)]
    return float(values.mean()) if len(values) else float("nan")
