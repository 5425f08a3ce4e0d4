"""An inverted index: the segments of each term, with its weight in each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from locisimiles.index.lemmas import StoredLemmas

__all__ = ["Postings", "StoredPostings", "TermCounts"]

_COMMON = 16
_BYTES_A_POSTING = 12
_MOST_KEPT = 1 << 23  # postings

_Weights = tuple["NDArray[np.int64] | None", "NDArray[np.float32]"]
"""The weights of a term, and their segments; None if every segment has one, be it 0."""


@dataclass(frozen=True, slots=True)
class TermCounts:
    """How often each text has each of its terms, as columns ordered by text and term.

    A count is a fraction if a word has several analyses. `texts` is the number of texts.
    """

    text: NDArray[np.int64]
    term: NDArray[np.int64]
    count: NDArray[np.float64]
    texts: int

    @classmethod
    def of(
        cls,
        terms: Sequence[Sequence[str]],
        numbers: dict[str, int],
        weights: Sequence[Sequence[float]] | None = None,
        *,
        grow: bool,
    ) -> TermCounts:
        """Count the terms of texts, each with a weight, by default 1.

        New terms get a number if the numbers may `grow`, and are left out otherwise.

        Examples
        --------
        >>> counts = TermCounts.of([["a", "b", "a"], [], ["c"]], {}, grow=True)
        >>> counts.text.tolist(), counts.term.tolist(), counts.count.tolist()
        ([0, 0, 2], [0, 1, 2], [2.0, 1.0, 1.0])
        """
        if grow:
            for term in chain.from_iterable(terms):
                numbers.setdefault(term, len(numbers))
        flat = np.array([numbers.get(term, -1) for term in chain.from_iterable(terms)], np.int64)
        text = np.repeat(np.arange(len(terms)), [len(own) for own in terms])
        weight = np.ones(len(flat))
        if weights is not None:
            weight = np.fromiter(chain.from_iterable(weights), np.float64, len(flat))
        known = flat >= 0
        key = text[known] * max(len(numbers), 1) + flat[known]
        distinct, place = np.unique(key, return_inverse=True)
        return cls(
            text=distinct // max(len(numbers), 1),
            term=distinct % max(len(numbers), 1),
            count=np.bincount(place, weight[known], minlength=len(distinct)).astype(np.float64),
            texts=len(terms),
        )

    @classmethod
    def join(cls, parts: Sequence[TermCounts]) -> TermCounts:
        """Join the counts of successive batches of texts."""
        before = np.cumsum([0, *(part.texts for part in parts)])
        shifted = (part.text + begin for part, begin in zip(parts, before[:-1], strict=True))
        return cls(
            np.concatenate([np.empty(0, np.int64), *shifted]),
            np.concatenate([np.empty(0, np.int64), *(part.term for part in parts)]),
            np.concatenate([np.empty(0), *(part.count for part in parts)]),
            int(before[-1]),
        )

    def in_order(self, numbers: dict[str, int]) -> tuple[TermCounts, dict[str, int]]:
        """Renumber the terms in alphabetical order.

        Examples
        --------
        >>> counts = TermCounts.of([["b", "a"]], numbers := {}, grow=True)
        >>> counts.in_order(numbers)[1]
        {'a': 0, 'b': 1}
        """
        ordered = sorted(numbers)
        new = np.empty(len(ordered), np.int64)
        new[[numbers[term] for term in ordered]] = np.arange(len(ordered))
        term = new[self.term]
        order = np.argsort(self.text * max(len(ordered), 1) + term)
        renumbered = {term: number for number, term in enumerate(ordered)}
        return TermCounts(self.text[order], term[order], self.count[order], self.texts), renumbered

    @property
    def lengths(self) -> NDArray[np.float64]:
        """The length of each text in terms."""
        return np.bincount(self.text, self.count, minlength=self.texts).astype(np.float64)

    def bounds(self) -> NDArray[np.int64]:
        """Return the first row of each text, and the end of the last."""
        return np.searchsorted(self.text, np.arange(self.texts + 1))


class Postings:
    """Weights of terms in source segments, by term; `weight` has one per row of `counts`."""

    def __init__(self, counts: TermCounts, weight: NDArray[np.float64], terms: int) -> None:
        order = np.argsort(counts.term * max(counts.texts, 1) + counts.text)
        # NumPy would convert positions of any other type in every query.
        self._segment = counts.text[order].astype(np.intp)
        self._weight = weight[order].astype(np.float32)
        containing = np.bincount(counts.term, minlength=terms)
        self._bounds: list[int] = [0, *np.cumsum(containing).tolist()]
        self.segments = counts.texts
        self._columns = {term: self._column(term) for term in self._common(containing)}

    def score(
        self,
        term: NDArray[np.int64],
        weight: NDArray[np.float64],
        room: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """Return for each segment the sum of the weights of its terms, times those of the query.

        A search passes the same `room` for each query: fresh memory costs more than the sums.

        Examples
        --------
        >>> import numpy as np
        >>> counts = TermCounts.of([["a", "b"], ["b"]], {}, grow=True)
        >>> Postings(counts, counts.count, 2).score(np.array([1]), np.array([3.0])).tolist()
        [3.0, 3.0]
        """
        scores = np.empty(self.segments, np.float32) if room is None else room
        scores.fill(0)
        for number, times in zip(term.tolist(), weight.tolist(), strict=True):
            column = self._columns.get(number)
            if column is not None:
                scores += column if times == 1 else column * np.float32(times)
                continue
            own = slice(self._bounds[number], self._bounds[number + 1])
            weights = self._weight[own]
            weights = weights if times == 1 else weights * np.float32(times)
            np.add.at(scores, self._segment[own], weights)  # faster than `scores[…] += weights`
        return scores

    def read(self, term: NDArray[np.int64]) -> None:
        """Do nothing: all postings are in memory."""

    def _common(self, containing: NDArray[np.int64]) -> list[int]:
        """Return the terms so common that adding a whole column is faster than picking segments.

        Together the columns take no more memory than the postings.
        """
        common = np.flatnonzero(containing * _COMMON > self.segments)
        most = int(containing.sum()) * _BYTES_A_POSTING // max(self.segments * 4, 1)
        return sorted(common[np.argsort(-containing[common], kind="stable")][:most].tolist())

    def _column(self, term: int) -> NDArray[np.float32]:
        own = slice(self._bounds[term], self._bounds[term + 1])
        column = np.zeros(self.segments, np.float32)
        column[self._segment[own]] = self._weight[own]
        return column


class StoredPostings:
    """The postings of an index on disk: counts, from which `weigh` makes weights when needed.

    `numbers` are those of the terms of queries, which only grow. Scores are those of `Postings`.
    """

    def __init__(
        self,
        lemmas: StoredLemmas,
        numbers: dict[str, int],
        weigh: Callable[[NDArray[np.int64], NDArray[np.int32]], NDArray[np.floating[Any]]],
    ) -> None:
        self._lemmas = lemmas
        self._numbers = numbers
        self._weigh = weigh
        self._names: list[str] = []
        self.segments = lemmas.begins[-1]
        self._known: dict[int, _Weights] = {}
        self._kept = 0

    def read(self, term: NDArray[np.int64]) -> None:
        """Read the postings of many terms together, which is faster than one by one."""
        if len(self._names) < len(self._numbers):
            self._names = list(self._numbers)
        new = [number for number in np.unique(term).tolist() if number not in self._known]
        rows = self._lemmas.rows([self._names[number] for number in new])
        order = np.argsort(rows, kind="stable")
        fits = np.cumsum(rows[order]) <= _MOST_KEPT
        self._add([new[place] for place in order[fits].tolist()])

    def score(
        self,
        term: NDArray[np.int64],
        weight: NDArray[np.float64],
        room: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """Return for each segment the sum of the weights of its terms, times those of the query.

        A search passes the same `room` for each query: fresh memory costs more than the sums.
        """
        if len(self._names) < len(self._numbers):
            self._names = list(self._numbers)
        scores = np.empty(self.segments, np.float32) if room is None else room
        scores.fill(0)
        # Sums of floats depend on their order: that of the alphabet, as in memory.
        terms = sorted(
            zip(term.tolist(), weight.tolist(), strict=True),
            key=lambda one: self._names[one[0]],
        )
        for number, times in terms:
            if number not in self._known:
                self._add([number])
            segments, weights = self._known[number]
            if times != 1:
                weights = weights * np.float32(times)
            if segments is None:
                scores += weights
            else:
                np.add.at(scores, segments, weights)
        return scores

    def _add(self, numbers: Sequence[int]) -> None:
        """Keep the postings of some terms; first drop what is kept if that is too much."""
        if self._kept > _MOST_KEPT:
            self._known.clear()
            self._kept = 0
        found = self._lemmas.counts([self._names[number] for number in numbers])
        for number, (segments, counts) in zip(numbers, found, strict=True):
            weights = self._weigh(segments, counts).astype(np.float32, copy=False)
            if len(segments) * _COMMON > self.segments:
                column = np.zeros(self.segments, np.float32)
                column[segments] = weights
                self._known[number] = None, column
            else:
                self._known[number] = segments, weights
            self._kept += len(segments)
