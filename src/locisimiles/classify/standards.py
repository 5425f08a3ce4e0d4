"""How the probabilities of a classifier are read: learnt from documents it had not seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Judged = tuple[NDArray[np.float64], NDArray[np.uint8]]

__all__ = ["Standards", "as_noted", "mean_spread", "share_noted"]

_CERTAIN = 0.9
_NINETY_PERCENT = 1.645
# Student's: how far nine of ten values reach if the spread itself is known from so few.
_NINETY_PERCENT_OF_FEW = (
    6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Standards:
    """What turns probabilities into decisions and expectations.

    Attributes
    ----------
    thresholds
        From which probability on a pair is taken for a reference of a type.
    detection
        From which probability on it is taken for a reference of any type, so that three of four
        references are found.
    noted
        How many of the pairs that look certain are known as references: even a plain quotation may
        not have been noted by anybody. Probabilities are multiplied by it.
    spread
        How far the log-odds of a whole document may be off, as a standard deviation; for intervals.
    """

    thresholds: Thresholds
    detection: ReferenceThreshold
    noted: float = 1.0
    spread: float = 0.0

    @classmethod
    def learnt(cls, judged: Sequence[Judged]) -> Standards:
        """Learn them from documents that the classifier had not seen.

        Parameters
        ----------
        judged
            For each document, probabilities and labels of all its pairs: shapes (queries, sources,
            3) and (queries, sources).

        Raises
        ------
        ParameterError
            If there is no reference in them.
        """
        noted = share_noted(judged)
        read = [(as_noted(chances, noted), label) for chances, label in judged]
        return cls(
            Thresholds.tuned_by_queries(read),
            ReferenceThreshold.for_recall(read),
            noted,
            mean_spread(read),
        )

    def applied(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return probabilities, classes last, as the standards see them."""
        return as_noted(probabilities, self.noted)


def as_noted(probabilities: NDArray[np.float64], noted: float) -> NDArray[np.float64]:
    """Return probabilities of which only a part is noted; the rest is *no match*."""
    read = np.asarray(probabilities, np.float64) * noted
    read[..., 0] += 1 - noted
    return read


def share_noted(judged: Sequence[Judged]) -> float:
    """Return how many of the pairs that look certain are references, against what is expected.

    Examples
    --------
    Forty pairs look certain, one of which is no reference.

    >>> chances = np.tile([0.0, 1.0, 0.0], (1, 40, 1))
    >>> label = np.ones((1, 40), np.uint8)
    >>> label[0, 7] = 0
    >>> round(share_noted([(chances, label)]), 3)
    0.976
    """
    expected = found = 0.0
    for chances, label in judged:
        chance = chances[..., 1:].sum(axis=-1)
        certain = chance > _CERTAIN
        expected += float(chance[certain].sum())
        found += float(np.count_nonzero(label[certain]))
    # With nothing to learn from it is 1, and a few pairs prove nothing.
    return min((found + 1) / (expected + 1), 1.0)


def mean_spread(judged: Sequence[Judged]) -> float:
    r"""Return how far the log-odds of documents are off, widened since documents are few.

    If a document has :math:`y` references where :math:`\mu` are expected with variance :math:`V`,
    and its log-odds are off by something with the standard deviation :math:`\sigma`, the mean of
    :math:`(y - \mu)^2` is :math:`V + (\sigma V)^2`.

    Examples
    --------
    >>> chances = np.tile([0.5, 0.5, 0.0], (10, 10, 1))
    >>> label = np.zeros((10, 10), np.uint8)
    >>> label[:5] = 1
    >>> mean_spread([(chances, label)] * 4)  # as many as expected
    0.0
    >>> label[:7] = 1
    >>> round(mean_spread([(chances, label)] * 4), 3)  # 70 for 50, and 5 would be usual
    1.004
    """
    beyond = weight = 0.0
    for chances, label in judged:
        chance = chances[..., 1:].sum(axis=-1)
        variance = float((chance * (1 - chance)).sum())
        missed = float(np.count_nonzero(label)) - float(chance.sum())
        beyond += missed**2 - variance
        weight += variance**2
    if beyond <= 0 or weight <= 0:
        return 0.0
    few = _NINETY_PERCENT_OF_FEW[min(len(judged), len(_NINETY_PERCENT_OF_FEW)) - 1]
    return math.sqrt(beyond / weight) * few / _NINETY_PERCENT
