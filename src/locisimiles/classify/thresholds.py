"""Decision rules: thresholds that turn probabilities into decisions.

Probabilities have the three classes (*no match*, *cit.*, *cf.*) as their last axis. A decision says
for each type and pair whether the pair counts as a reference of that type: an array of booleans of
shape (2, queries, sources), *cit.* first.

The paper tunes one threshold per type on the training folds. We take this to mean: over all pairs
of the training folds, compute the F1 of the type against the rest for every threshold; of those
whose F1 is within 0.01 of the best, take the highest. (The appendix describes a walk down the
precision–recall curve from the highest threshold to the top of the F1 plateau; its F1 could also be
the mean over queries.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from locisimiles.checks import check_at_least, check_equal_lengths
from locisimiles.classify.labels import TYPES
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Probabilities = NDArray[np.float32] | NDArray[np.float64]

__all__ = [
    "NINE_THRESHOLDS",
    "Argmax",
    "DecisionRule",
    "ReferenceThreshold",
    "Thresholds",
    "plateau_high",
]

NINE_THRESHOLDS = tuple(round(step / 10, 1) for step in range(1, 10))
"""0.1, 0.2 … 0.9."""

_CLASSES = 3
_STEPS = np.round(np.geomspace(0.001, 0.95, 150), 4)  # geometric: most probabilities are small


class DecisionRule(Protocol):
    """Turns probabilities into decisions."""

    def decide(self, probabilities: Probabilities) -> NDArray[np.bool_]:
        """Return for each type and pair whether the pair counts as a reference of that type."""


@dataclass(frozen=True, slots=True)
class Argmax:
    """Decide for the most probable class; of equally probable classes, the first.

    Examples
    --------
    >>> probabilities = np.array([[[0.2, 0.7, 0.1], [0.4, 0.3, 0.3]]])
    >>> Argmax().decide(probabilities).tolist()
    [[[True, False]], [[False, False]]]
    """

    def decide(self, probabilities: Probabilities) -> NDArray[np.bool_]:
        """Return for each type and pair whether the pair counts as a reference of that type."""
        none, cit, cf = _classes(probabilities)
        return np.stack([(cit > none) & (cit >= cf), (cf > none) & (cf > cit)])


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Count a pair as a reference of a type if the probability of that type is high enough.

    Attributes
    ----------
    cit, cf
        The least probability of each type; infinity never decides for a type.
    exclusive
        What happens if both types pass: by default (the paper's one-against-rest evaluation) a
        pair may be both. If exclusive, the more probable type wins, or *cit.* if they are equal:
        every pair has one label.

    Examples
    --------
    >>> probabilities = np.array([[[0.1, 0.5, 0.4], [0.6, 0.1, 0.3]]])
    >>> Thresholds(cit=0.5, cf=0.3).decide(probabilities).tolist()
    [[[True, False]], [[True, True]]]
    >>> Thresholds(cit=0.5, cf=0.3, exclusive=True).decide(probabilities).tolist()
    [[[True, False]], [[False, True]]]
    """

    cit: float = 0.5
    cf: float = 0.5
    exclusive: bool = False

    def __post_init__(self) -> None:
        if math.isnan(self.cit) or math.isnan(self.cf):
            raise ParameterError("classify.nan_threshold")

    @classmethod
    def tuned(
        cls,
        probabilities: Probabilities,
        label: NDArray[np.uint8],
        *,
        tolerance: float = 0.01,
        exclusive: bool = False,
    ) -> Thresholds:
        """Choose both thresholds by the plateau-high rule.

        Parameters
        ----------
        probabilities
            Of the pairs of the training folds, classes last.
        label
            Their labels. A type that does not occur gets an infinite threshold.
        tolerance
            How far below the best F1 a threshold may fall.
        exclusive
            As in `Thresholds`; both thresholds are chosen independently in any case.

        Examples
        --------
        >>> probabilities = np.array([[0.1, 0.9, 0.0], [0.3, 0.6, 0.1], [0.5, 0.4, 0.1]])
        >>> Thresholds.tuned(probabilities, np.array([1, 1, 0], np.uint8))
        Thresholds(cit=0.6, cf=inf, exclusive=False)
        """
        columns = _classes(probabilities)
        cit, cf = (
            plateau_high(columns[kind].ravel(), (label == kind).ravel(), tolerance)
            if (label == kind).any()
            else math.inf
            for kind in TYPES
        )
        return cls(cit, cf, exclusive=exclusive)

    @classmethod
    def tuned_by_queries(
        cls,
        grids: Sequence[tuple[Probabilities, NDArray[np.uint8]]],
        *,
        tolerance: float = 0.01,
    ) -> Thresholds:
        """Choose both thresholds by the same rule, with F1 averaged over queries.

        This is the F1 that is reported. It demands less certainty: if a query has a reference, its
        best pair deserves a look.

        Parameters
        ----------
        grids
            For each document of the training folds, probabilities and labels of all its pairs:
            shapes (queries, sources, 3) and (queries, sources).
        tolerance
            How far below the best F1 a threshold may fall.

        Examples
        --------
        >>> probabilities = np.array([[[0.1, 0.9, 0.0], [0.7, 0.3, 0.0]], [[0.6, 0.4, 0.0]] * 2])
        >>> label = np.array([[1, 0], [0, 0]], np.uint8)
        >>> Thresholds.tuned_by_queries([(probabilities, label)]).cit > 0.3
        True
        """

        def highest(kind: int) -> float:
            queries = []
            for chances, label in grids:
                # Queries without a reference of the type do not count in the mean.
                rows = (label == kind).any(axis=1)
                queries.append((_classes(chances)[kind][rows], label[rows] == kind))
            if not any(len(relevant) for _, relevant in queries):
                return math.inf
            f1 = np.array([_mean_f1(queries, step) for step in _STEPS])
            return float(_STEPS[_plateau(f1, tolerance)[-1]])

        cit, cf = map(highest, TYPES)
        return cls(cit, cf)

    def decide(self, probabilities: Probabilities) -> NDArray[np.bool_]:
        """Return for each type and pair whether the pair counts as a reference of that type."""
        _, cit, cf = _classes(probabilities)
        is_cit, is_cf = cit >= self.cit, cf >= self.cf
        if self.exclusive:
            cit_is_likelier = cit >= cf
            is_cit, is_cf = is_cit & (cit_is_likelier | ~is_cf), is_cf & ~(is_cit & cit_is_likelier)
        return np.stack([is_cit, is_cf])


@dataclass(frozen=True, slots=True)
class ReferenceThreshold:
    """Count a pair as a reference if any type is probable enough; the more probable type wins.

    Attributes
    ----------
    least
        The least probability of a reference of any type.

    Examples
    --------
    >>> probabilities = np.array([[[0.4, 0.3, 0.3], [0.6, 0.1, 0.3]]])
    >>> ReferenceThreshold(0.5).decide(probabilities).tolist()
    [[[True, False]], [[False, False]]]
    """

    least: float = 0.5

    @classmethod
    def for_recall(
        cls, judged: Sequence[tuple[Probabilities, NDArray[np.uint8]]], recall: float = 0.75
    ) -> ReferenceThreshold:
        """Choose the highest threshold that finds a share of the references.

        Parameters
        ----------
        judged
            Probabilities and labels of pairs of the training folds.
        recall
            The share of all references, of both types.

        Raises
        ------
        ParameterError
            If there are no references.

        Examples
        --------
        >>> chances = np.array([[0.1, 0.9, 0.0], [0.5, 0.2, 0.3], [0.8, 0.0, 0.2]])
        >>> ReferenceThreshold.for_recall([(chances, np.array([1, 2, 2], np.uint8))], 0.6).least
        0.5
        """
        found = np.concatenate(
            [1 - _classes(chances)[0][label > 0].ravel() for chances, label in judged]
        )
        if not len(found):
            raise ParameterError("classify.nothing_to_tune_on")
        wanted = max(math.ceil(recall * len(found)), 1)
        return cls(float(np.sort(found)[::-1][wanted - 1]))

    def decide(self, probabilities: Probabilities) -> NDArray[np.bool_]:
        """Return for each type and pair whether the pair counts as a reference of that type."""
        none, cit, cf = _classes(probabilities)
        taken = 1 - none >= self.least
        return np.stack([taken & (cit >= cf), taken & (cit < cf)])


def plateau_high(
    score: Probabilities, relevant: NDArray[np.bool_], tolerance: float = 0.01
) -> float:
    """Return the highest threshold whose F1 is within `tolerance` of the best: one of the scores.

    Parameters
    ----------
    score
        The score of each pair, which is predicted if its score is at least the threshold.
    relevant
        Whether each pair should be predicted.
    tolerance
        How far below the best F1 a threshold may fall, absolutely.

    Raises
    ------
    ParameterError
        If no pair is relevant.

    Examples
    --------
    0.2 is best (F1 6/7); with a generous tolerance, 0.8 will do (F1 4/5).

    >>> score = np.array([0.9, 0.8, 0.5, 0.2, 0.1])
    >>> relevant = np.array([True, True, False, True, False])
    >>> plateau_high(score, relevant, 0.0), plateau_high(score, relevant, 0.1)
    (0.2, 0.8)
    """
    check_equal_lengths(score=score, relevant=relevant)
    if np.isnan(score).any():
        raise ParameterError("classify.nan_score")
    if not relevant.any():
        raise ParameterError("classify.nothing_to_tune_on")
    check_at_least(0, tolerance=tolerance)
    order = np.argsort(-score, kind="stable")
    ordered = score[order]
    # A threshold predicts all pairs of one score, so only the last of these can be the end.
    cut = np.flatnonzero(np.append(np.diff(ordered) != 0, True))
    found = np.cumsum(relevant[order])[cut]
    f1 = 2 * found / (cut + 1 + np.count_nonzero(relevant))
    return float(ordered[cut[_plateau(f1, tolerance)[0]]])


def _plateau(f1: NDArray[np.float64], tolerance: float) -> NDArray[np.int64]:
    """Return which values are within `tolerance` of the best; rounding must not decide."""
    return np.flatnonzero(f1 >= f1.max() - tolerance - 1e-12)


def _mean_f1(
    queries: Sequence[tuple[NDArray[np.float64], NDArray[np.bool_]]], threshold: float
) -> float:
    values = []
    for score, relevant in queries:
        predicted = score >= threshold
        found = np.count_nonzero(predicted & relevant, axis=1)
        both = np.count_nonzero(predicted, axis=1) + np.count_nonzero(relevant, axis=1)
        values.append(2 * found / both)
    return float(np.concatenate(values).mean())


def _classes(probabilities: Probabilities) -> tuple[NDArray[np.float64], ...]:
    if probabilities.ndim < 1 or probabilities.shape[-1] != _CLASSES:
        raise ParameterError("classify.no_classes", shape=str(probabilities.shape))
    return tuple(np.moveaxis(np.asarray(probabilities), -1, 0))
