"""Candidates: which source segments were found for which query segments, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Candidates", "best", "tie_break"]

_GROUPS, _GROUPS_A_CANDIDATE, _FEWEST_ROWS = 1024, 8, 4


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Pairs of query and source segments with scores: 12 bytes a pair.

    Attributes
    ----------
    query, source
        Positions in the two documents.
    score
        The higher, the better; comparable inside a query only.
    """

    query: NDArray[np.int32]
    source: NDArray[np.int32]
    score: NDArray[np.float32]

    @classmethod
    def join(cls, found: Sequence[tuple[NDArray[np.intp], NDArray[np.float32]]]) -> Candidates:
        """Join what was found for query 0, 1, 2 …, each as source positions and scores.

        Examples
        --------
        >>> import numpy as np
        >>> nothing = np.array([], int), np.array([], np.float32)
        >>> candidates = Candidates.join([nothing, (np.array([4, 2]), np.array([2.5, 1.0]))])
        >>> candidates.query.tolist(), candidates.source.tolist(), candidates.rank.tolist()
        ([1, 1], [4, 2], [1, 2])
        """
        if not found:
            return cls(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
        counts = [len(source) for source, _ in found]
        return cls(
            query=np.repeat(np.arange(len(found), dtype=np.int32), counts),
            source=np.concatenate([source for source, _ in found]).astype(np.int32),
            score=np.concatenate([score for _, score in found]).astype(np.float32),
        )

    def __len__(self) -> int:
        return len(self.query)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Candidates):
            return NotImplemented
        return (
            np.array_equal(self.query, other.query)
            and np.array_equal(self.source, other.source)
            and np.array_equal(self.score, other.score)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def rank(self) -> NDArray[np.int32]:
        """The place of each candidate among those of its query, from 1."""
        if not len(self):
            return np.empty(0, np.int32)
        starts = np.flatnonzero(np.diff(self.query, prepend=-1))
        lengths = np.diff([*starts, len(self)])
        return (np.arange(len(self)) - np.repeat(starts, lengths) + 1).astype(np.int32)

    def of_query(self, query: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the source positions and scores of one query, the best first."""
        begin, end = np.searchsorted(self.query, [query, query + 1])
        return self.source[begin:end].astype(np.int64), self.score[begin:end].astype(np.float64)


def tie_break(ids: Sequence[str]) -> NDArray[np.int64]:
    """Return the place of each id in alphabetical order, which decides between equal scores.

    Examples
    --------
    >>> tie_break(["b", "c", "a"]).tolist()
    [1, 2, 0]
    """
    order = sorted(range(len(ids)), key=ids.__getitem__)
    places = np.empty(len(ids), np.int64)
    places[order] = np.arange(len(ids))
    return places


def best(
    scores: NDArray[np.float32], k: int, places: NDArray[np.int64]
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Return the positions and values of the `k` highest positive scores, best first.

    Parameters
    ----------
    scores
        One score a source segment.
    k
        How many to return at most.
    places
        What `tie_break` gives: equal scores come in this order, so that the same input always
        has the same result.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([0.0, 2.0, 1.0, 2.0], np.float32)
    >>> best(scores, 2, tie_break(["a", "d", "b", "c"]))[0].tolist()
    [3, 1]
    """
    bound = _lower_bound(scores, k)
    found = np.flatnonzero(scores >= bound if bound > 0 else scores > 0)
    values = scores[found]
    if len(found) > k:
        kept = values >= np.partition(values, len(found) - k)[len(found) - k]
        found, values = found[kept], values[kept]
    order = np.lexsort((places[found], -values))[:k]
    return found[order], values[order]


def _lower_bound(scores: NDArray[np.float32], k: int) -> float:
    """Return a score that at least `k` segments have, near the k-th best one; 0 if none is known.

    Of the best scores of many groups of segments, the k-th best is such a score. Groups are found
    in a fraction of the time that it takes to look at all scores in order.
    """
    groups = max(_GROUPS, _GROUPS_A_CANDIDATE * k)
    rows = len(scores) // groups
    if rows < _FEWEST_ROWS:
        return 0.0
    top = scores[: rows * groups].reshape(rows, groups).max(axis=0)
    bound = np.partition(top, groups - k)[groups - k :]
    # What is no number is greater than all numbers here, and would count as a good score.
    return 0.0 if np.isnan(bound).any() else float(bound[0])
