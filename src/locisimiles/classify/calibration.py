"""Calibration: decisions and expectations from probabilities, learnt on unseen documents."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.classify.selection import NINETY_PERCENT
from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.classify.base_rates import BaseRates

    Judged = tuple[NDArray[np.float64], NDArray[np.uint8]]

__all__ = ["Calibration", "annotation_coverage", "document_spread"]

_CERTAIN = 0.9
# Student's t: half the 90 % interval if the spread is estimated from 1, 2, 3 … documents.
_NINETY_PERCENT_OF_FEW = (
    6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Calibration:
    """How probabilities become decisions and expectations.

    Attributes
    ----------
    thresholds
        From which probability a pair counts as a reference of a type; None if not learnt.
    detection
        From which probability a pair counts as a reference of any type, so that three in four
        references are found; None if not learnt.
    coverage
        The share of apparently certain pairs that scholars have noted: even a plain quotation may
        be missing from the ground truth. Probabilities are multiplied by it.
    spread
        The standard deviation of the error in the log-odds of a document, for intervals.
    base_rates
        How to adapt probabilities to a text; None if they are taken as they are.
    """

    thresholds: Thresholds | None = None
    detection: ReferenceThreshold | None = None
    coverage: float = 1.0
    spread: float = 0.0
    base_rates: BaseRates | None = None

    @classmethod
    def learn(cls, judged: Sequence[Judged]) -> Calibration:
        """Learn from documents that the classifier has not seen.

        Parameters
        ----------
        judged
            For each document, probabilities and labels of all its pairs: shapes (queries, sources,
            3) and (queries, sources).

        Raises
        ------
        ParameterError
            If no pair is a reference.
        """
        coverage = annotation_coverage(judged)
        scaled = [(cls(coverage=coverage).applied(chances), label) for chances, label in judged]
        return cls(
            Thresholds.tuned_by_queries(scaled),
            ReferenceThreshold.for_recall(scaled),
            coverage,
            document_spread(scaled),
        )

    def applied(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities that a reference is noted, classes last."""
        noted = np.asarray(probabilities, np.float64) * self.coverage
        noted[..., 0] += 1 - self.coverage
        return noted


def annotation_coverage(judged: Sequence[Judged]) -> float:
    """Return the share of apparently certain pairs that are noted references.

    Examples
    --------
    Forty pairs look certain, but one is not a reference.

    >>> chances = np.tile([0.0, 1.0, 0.0], (1, 40, 1))
    >>> label = np.ones((1, 40), np.uint8)
    >>> label[0, 7] = 0
    >>> round(annotation_coverage([(chances, label)]), 3)
    0.976
    """
    expected = found = 0.0
    for chances, label in judged:
        chance = chances[..., 1:].sum(axis=-1)
        certain = chance > _CERTAIN
        expected += float(chance[certain].sum())
        found += float(np.count_nonzero(label[certain]))
    # One pseudo-observation: 1 without data, and a few pairs prove little.
    return min((found + 1) / (expected + 1), 1.0)


def document_spread(judged: Sequence[Judged]) -> float:
    r"""Return the spread of the error in the log-odds of documents, widened for few documents.

    A document has :math:`y` references where :math:`\mu` are expected with variance :math:`V`. If
    the error in its log-odds has the standard deviation :math:`\sigma`, the mean of
    :math:`(y - \mu)^2` is :math:`V + (\sigma V)^2`.

    Examples
    --------
    >>> chances = np.tile([0.5, 0.5, 0.0], (10, 10, 1))
    >>> label = np.zeros((10, 10), np.uint8)
    >>> label[:5] = 1
    >>> document_spread([(chances, label)] * 4)  # as many as expected
    0.0
    >>> label[:7] = 1
    >>> round(document_spread([(chances, label)] * 4), 3)  # 70 for 50, where 5 would be usual
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
    return math.sqrt(beyond / weight) * few / NINETY_PERCENT
