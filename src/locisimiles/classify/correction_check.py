"""Measure whether a correction helps, by cross-validation over query segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from locisimiles.classify.correction import learn_correction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.classify.correction import RankedPairs

__all__ = ["CorrectionCheck", "Figures", "average_precision", "check_correction", "log_loss"]

_PARTS = 10
_FEWEST_OF_EACH = 5
_FEWEST_SEGMENTS = 5
_SUREST = 1e-4


class Figures(NamedTuple):
    """The average precision of a ranking, and the mean log-loss of its probabilities."""

    average_precision: float
    log_loss: float


class CorrectionCheck(NamedTuple):
    """The quality with and without a correction, on verdicts it has not learnt from.

    `segments` is the number of query segments with verdicts; figures are None if they are too few.
    """

    segments: int
    before: Figures | None
    after: Figures | None

    @property
    def helps(self) -> bool | None:
        """Whether the loss falls and the ranking is no worse; None if unknown."""
        if self.before is None or self.after is None:
            return None
        return (
            self.after.log_loss < self.before.log_loss
            and self.after.average_precision >= self.before.average_precision
        )


def check_correction(
    pairs: RankedPairs, rows: NDArray[np.integer[Any]], label: NDArray[np.bool_]
) -> CorrectionCheck:
    """Measure a correction by ten-fold cross-validation.

    All verdicts on a segment are in one fold, so that none of them is known beforehand. Parameters
    are those of `learn_correction`.
    """
    segments = np.unique(pairs.query[rows])
    yes = int(np.count_nonzero(label))
    if min(yes, len(label) - yes) < _FEWEST_OF_EACH or len(segments) < _FEWEST_SEGMENTS:
        return CorrectionCheck(len(segments), None, None)
    part = np.searchsorted(segments, pairs.query[rows]) % _PARTS
    after = np.empty(len(rows))
    for number in range(_PARTS):
        out = part == number
        learnt = learn_correction(pairs, rows[~out], label[~out])
        after[out] = learnt.probabilities(pairs.select(rows[out]))
    before = pairs.probability[rows]
    return CorrectionCheck(
        len(segments),
        *(Figures(average_precision(chance, label), log_loss(chance, label))
          for chance in (before, after)),
    )  # fmt: skip


def average_precision(score: NDArray[np.float64], label: NDArray[np.bool_]) -> float:
    """Return the mean precision at the ranks of the references; equal scores share a rank.

    Examples
    --------
    >>> average_precision(np.array([0.9, 0.5, 0.1]), np.array([True, False, True])).__round__(3)
    0.833
    """
    values, place = np.unique(-score, return_inverse=True)
    hits = np.bincount(place, label, len(values))
    reached, read = np.cumsum(hits), np.cumsum(np.bincount(place, minlength=len(values)))
    return float((hits * reached / read).sum() / max(hits.sum(), 1.0))


def log_loss(probability: NDArray[np.float64], label: NDArray[np.bool_]) -> float:
    """Return the mean negative log-likelihood of verdicts; probabilities are bounded.

    Examples
    --------
    >>> log_loss(np.array([0.5, 0.5]), np.array([True, False])).__round__(3)
    0.693
    """
    right = np.where(label, probability, 1 - probability)
    return float(-np.log(np.clip(right, _SUREST, 1.0)).mean())
