"""Candidates: pairs of query and source segments with scores, as columns, and their order.

Candidates are ordered by query, then descending score, then source id (the *tie order*), so results
never depend on the order of the sources. Only `ranking` implements this order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.checks import check_equal_lengths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Candidates", "Features", "Found", "best", "ranking", "tie_order"]

Found = tuple["NDArray[np.intp]", "NDArray[np.float32]"]
"""The candidates of one query: source positions and scores, best first."""

_GROUPS, _GROUPS_PER_CANDIDATE, _FEWEST_ROWS = 1024, 8, 4


def tie_order(ids: Sequence[str]) -> NDArray[np.int64]:
    """Return the position of each source in the order of ids, which breaks ties.

    Examples
    --------
    >>> tie_order(["b", "c", "a"]).tolist()
    [1, 2, 0]
    """
    order = sorted(range(len(ids)), key=ids.__getitem__)
    positions = np.empty(len(ids), np.int64)
    positions[order] = np.arange(len(ids))
    return positions


def ranking(
    score: NDArray[np.floating[Any]],
    ties: NDArray[np.integer[Any]],
    query: NDArray[np.integer[Any]] | None = None,
) -> NDArray[np.intp]:
    """Return the order of candidates: by query (if given), descending score, then tie order.

    Examples
    --------
    >>> ranking(np.array([1.0, 2.0, 2.0]), np.array([0, 2, 1])).tolist()
    [2, 1, 0]
    """
    return np.lexsort((ties, -score) if query is None else (ties, -score, query))


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Ordered pairs of query and source segments with scores: 12 bytes per pair.

    Attributes
    ----------
    query, source
        Positions in the two documents.
    score
        Higher is better; comparable within a query only.
    """

    query: NDArray[np.int32]
    source: NDArray[np.int32]
    score: NDArray[np.float32]

    @classmethod
    def join(
        cls, found: Sequence[tuple[NDArray[np.integer[Any]], NDArray[np.floating[Any]]]]
    ) -> Candidates:
        """Join the ordered candidates of query 0, 1, 2 …, each as source positions and scores.

        Examples
        --------
        >>> none = np.array([], int), np.array([], np.float32)
        >>> candidates = Candidates.join([none, (np.array([4, 2]), np.array([2.5, 1.0]))])
        >>> candidates.query.tolist(), candidates.source.tolist(), candidates.rank.tolist()
        ([1, 1], [4, 2], [1, 2])
        """
        if not found:
            return cls(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
        return cls(
            query=np.repeat(np.arange(len(found), dtype=np.int32), [len(s) for s, _ in found]),
            source=np.concatenate([source for source, _ in found]).astype(np.int32),
            score=np.concatenate([score for _, score in found]).astype(np.float32),
        )

    @classmethod
    def ranked(
        cls,
        query: NDArray[np.integer[Any]],
        source: NDArray[np.integer[Any]],
        score: NDArray[np.floating[Any]],
        ties: NDArray[np.int64],
    ) -> Candidates:
        """Order pairs; `ties` is the tie order of all sources of the document."""
        order = ranking(score, ties[source], query)
        return cls(
            query[order].astype(np.int32),
            source[order].astype(np.int32),
            score[order].astype(np.float32),
        )

    def select(self, rows: NDArray[np.bool_] | NDArray[np.integer[Any]]) -> Candidates:
        """Return some of the candidates."""
        return Candidates(self.query[rows], self.source[rows], self.score[rows])

    def __len__(self) -> int:
        return len(self.query)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Candidates):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, column), getattr(other, column))
            for column in self.__slots__
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def rank(self) -> NDArray[np.int32]:
        """The rank of each candidate within its query, from 1."""
        if not len(self):
            return np.empty(0, np.int32)
        starts = np.flatnonzero(np.diff(self.query, prepend=-1))
        lengths = np.diff([*starts, len(self)])
        return (np.arange(len(self)) - np.repeat(starts, lengths) + 1).astype(np.int32)

    def of_query(self, query: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the source positions and scores of one query, best first."""
        # Of the same kind as the column, which would else be copied, all of it.
        rows = np.array([query, query + 1], self.query.dtype)
        begin, end = np.searchsorted(self.query, rows)
        return self.source[begin:end].astype(np.int64), self.score[begin:end].astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Named columns, with a row for each candidate or pair.

    Examples
    --------
    >>> features = Features(("lemmas", "late"), np.array([[1.0, 2.0], [3.0, 4.0]], np.float32))
    >>> features.select(["late"]).tolist(), features["lemmas"].tolist()
    ([[2.0], [4.0]], [1.0, 3.0])
    """

    names: tuple[str, ...]
    values: NDArray[np.float32]

    def __post_init__(self) -> None:
        check_equal_lengths(names=self.names, columns=self.values.T)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: str) -> NDArray[np.float32]:
        return self.values[:, self.names.index(name)]

    def select(self, names: Sequence[str]) -> NDArray[np.float32]:
        """Return some of the columns, in this order."""
        if tuple(names) == self.names[: len(names)]:
            return self.values[:, : len(names)]
        return self.values[:, [self.names.index(name) for name in names]]

    def rows(self, rows: NDArray[np.integer[Any]]) -> Features:
        """Return some of the rows."""
        return Features(self.names, self.values[rows])

    def beside(self, other: Features) -> Features:
        """Return these columns and those of another table of the same rows."""
        values = np.concatenate([self.values, other.values], axis=1)
        return Features((*self.names, *other.names), values)


def best(scores: NDArray[np.float32], k: int, ties: NDArray[np.int64]) -> Found:
    """Return the positions and values of the `k` highest positive scores, best first.

    Examples
    --------
    >>> scores = np.array([0.0, 2.0, 1.0, 2.0], np.float32)
    >>> best(scores, 2, tie_order(["a", "d", "b", "c"]))[0].tolist()
    [3, 1]
    """
    bound = _lower_bound(scores, k)
    found = np.flatnonzero(scores >= bound if bound > 0 else scores > 0)
    values = scores[found]
    if len(found) > k:
        kept = values >= np.partition(values, len(found) - k)[len(found) - k]
        found, values = found[kept], values[kept]
    order = ranking(values, ties[found])[:k]
    return found[order], values[order]


def _lower_bound(scores: NDArray[np.float32], k: int) -> float:
    """Return a lower bound of the k-th best score; 0 if there are too few scores for one.

    The k-th best of the maxima of many groups is such a bound, and much faster than sorting.
    """
    groups = max(_GROUPS, _GROUPS_PER_CANDIDATE * k)
    rows = len(scores) // groups
    if rows < _FEWEST_ROWS:
        return 0.0
    top = scores[: rows * groups].reshape(rows, groups).max(axis=0)
    bound = np.partition(top, groups - k)[groups - k :]
    # NaN sorts above all numbers, and would count as a high score.
    return 0.0 if np.isnan(bound).any() else float(bound[0])
