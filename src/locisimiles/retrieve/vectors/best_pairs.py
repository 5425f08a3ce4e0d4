"""The best pairs of words of each segment, in room that is used again for each query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.candidates import Found

__all__ = ["BestPairs"]

_ROUNDING = 1e-5
"""Means are rounded: what is left out must be so much lower than the least that counts."""


class BestPairs:
    """Collects the scores of pairs in segments, and keeps the best `count` of each.

    Examples
    --------
    >>> best = BestPairs(segments=4, count=2)
    >>> best.add(np.array([3, 1, 3]), np.array([0.25, 0.5, 0.75], np.float32))
    >>> best.add(np.array([3]), np.array([0.25], np.float32))
    >>> segments, scores = best.found()
    >>> segments.tolist(), scores.tolist()
    ([1, 3], [0.25, 0.5])
    """

    def __init__(self, segments: int, count: int) -> None:
        self._best = np.zeros((count, segments), np.float32)
        self._of_pair = np.zeros(segments, np.float32)
        self._row = np.zeros(segments, np.int32)
        self._touched: list[NDArray[np.int64]] = []

    def least_of_a_pair(self, floor: float, highest: float) -> float:
        """Return how good a pair must be to matter for a score of at least `floor`.

        No pair is better than `highest`.
        """
        count = len(self._best)
        return count * (floor - _ROUNDING) - (count - 1) * highest

    def add(self, segments: NDArray[np.int64], scores: NDArray[np.float32]) -> None:
        """Add the scores of one pair, all above 0; of several in a segment the best counts."""
        self._row[segments] = np.arange(len(segments))
        distinct = segments[self._row[segments] == np.arange(len(segments))]
        self._touched.append(distinct[self._best[0, distinct] == 0])
        if len(self._best) == 1:
            np.maximum.at(self._best[0], segments, scores)
            return
        np.maximum.at(self._of_pair, segments, scores)
        scores = self._of_pair[distinct]
        self._of_pair[distinct] = 0
        for row in self._best:
            kept = row[distinct]
            row[distinct] = np.maximum(kept, scores)
            scores = np.minimum(kept, scores)

    def found(self, excluded: NDArray[np.bool_] | None = None) -> Found:
        """Return the segments that have a pair, but for those excluded, and their scores."""
        segments = np.concatenate([np.empty(0, np.int64), *self._touched])
        if excluded is not None:
            segments = segments[~excluded[segments]]
        scores = self._best[0, segments]
        for row in self._best[1:]:
            scores = scores + row[segments]
        return segments, scores / np.float32(len(self._best))

    def clear(self) -> None:
        """Forget all scores."""
        for segments in self._touched:
            self._best[:, segments] = 0
        self._touched.clear()
