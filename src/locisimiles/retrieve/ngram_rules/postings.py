"""The segments of each word, for words that count wherever they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.retrieve.ngram_rules.score import SharedTerms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from locisimiles.retrieve.ngram_rules.words import Words

__all__ = ["TermPostings", "ranges"]

_CELLS = 1 << 21


class TermPostings:
    """The segments of each word of a source that has `segments` segments."""

    def __init__(self, words: Words, segments: int) -> None:
        self._size = segments
        segment, term = _distinct(words.segment, words.term)
        order = np.argsort(term, kind="stable")
        self._segments = segment[order]
        self._bounds = np.concatenate([[0], np.cumsum(np.bincount(term))])

    def shared(self, words: Words, complura: int, worth: float) -> list[SharedTerms]:
        """Return the words that queries share with segments, at least `complura` with each.

        Each of them has the same `worth`.
        """
        known = words.term < len(self._bounds) - 1
        query, term = _distinct(words.segment[known], words.term[known])
        enough = np.bincount(query)[query] >= complura
        query, term = query[enough], term[enough]
        return [
            self._shared(query[rows], term[rows], complura, worth) for rows in self._chunks(query)
        ]

    def _shared(
        self, query: NDArray[np.int64], term: NDArray[np.int64], complura: int, worth: float
    ) -> SharedTerms:
        begin = self._bounds[term]
        count = self._bounds[term + 1] - begin
        source = self._segments[ranges(begin, count)]
        cell = np.repeat((query - query[0]) * self._size, count) + source
        fits = np.bincount(cell)[cell] >= complura
        return SharedTerms(
            query=np.repeat(query, count)[fits],
            source=source[fits],
            term=np.repeat(term, count)[fits],
            worth=np.full(np.count_nonzero(fits), worth),
        )

    def _chunks(self, query: NDArray[np.int64]) -> Iterator[slice]:
        """Yield rows of a few queries at a time, whose pairs with all segments fit into memory."""
        step = max(_CELLS // max(self._size, 1), 1)
        begin = 0
        while begin < len(query):
            end = int(np.searchsorted(query, query[begin] + step))
            yield slice(begin, end)
            begin = end


def ranges(begin: NDArray[np.int64], count: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rows of ranges, one range after another.

    Examples
    --------
    >>> ranges(np.array([7, 0]), np.array([2, 3])).tolist()
    [7, 8, 0, 1, 2]
    """
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    rows: NDArray[np.int64] = np.arange(total) + np.repeat(begin - (ends - count), count)
    return rows


def _distinct(
    segment: NDArray[np.int32], term: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct words of each segment, ordered by segment."""
    most = int(term.max(initial=0)) + 1
    pairs = np.unique(segment * np.int64(most) + term)
    return pairs // most, pairs % most
