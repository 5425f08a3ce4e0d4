"""The words that queries and source segments share, and the scores they give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.models.batches import ranges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.index.lemmas import StoredLemmas
    from locisimiles.retrieve.ngram_rules.words import Words

__all__ = [
    "SharedTerms",
    "StoredTermPostings",
    "TermPostings",
    "closeness",
    "distinct_words",
    "enough_words",
    "total_scores",
]

_CELLS = 1 << 21


@dataclass(frozen=True, slots=True, eq=False)
class SharedTerms:
    """Words that query and source segments share; `worth` is the share of rarity that counts."""

    query: NDArray[np.int64]
    source: NDArray[np.int64]
    term: NDArray[np.int64]
    worth: NDArray[np.float64]

    @classmethod
    def join(cls, parts: Sequence[SharedTerms]) -> SharedTerms:
        """Join several, at least one."""
        return cls(
            np.concatenate([part.query for part in parts]),
            np.concatenate([part.source for part in parts]),
            np.concatenate([part.term for part in parts]),
            np.concatenate([part.worth for part in parts]),
        )


class TermPostings:
    """The segments of each word of a source that has `segments` segments."""

    def __init__(self, words: Words, segments: int) -> None:
        self._size = segments
        segment, term = distinct_words(words.segment, words.term)
        order = np.argsort(term, kind="stable")
        self._segments = segment[order]
        self._bounds = np.concatenate([[0], np.cumsum(np.bincount(term))])

    def shared(self, words: Words, complura: int, worth: float) -> list[SharedTerms]:
        """Return the words that queries share with segments, at least `complura` with each.

        Each of them has the same `worth`.
        """
        known = words.term < len(self._bounds) - 1
        query, term = distinct_words(words.segment[known], words.term[known])
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


class StoredTermPostings:
    """The segments of each word of an index on disk, as `TermPostings`; `names` are its words."""

    def __init__(self, stored: StoredLemmas, names: Sequence[str]) -> None:
        self._stored = stored
        self._names = names

    def shared(self, words: Words, complura: int, worth: float) -> list[SharedTerms]:
        """Return the words that queries share with segments, at least `complura` with each.

        Each of them has the same `worth`.
        """
        query, term = distinct_words(words.segment, words.term)
        enough = np.bincount(query)[query] >= complura
        query, term = query[enough], term[enough]
        terms, row = np.unique(term, return_inverse=True)
        found = self._stored.counts([self._names[number] for number in terms.tolist()])
        segments = [own for own, _ in found]
        # How many words of a query each segment has: written anew for each query.
        times = np.zeros(self._stored.begins[-1], np.uint16)
        parts = []
        for number in np.unique(query).tolist():
            own = row[slice(*np.searchsorted(query, [number, number + 1]).tolist())]
            shared = _shared([segments[place] for place in own.tolist()], complura, times)
            count = list(map(len, shared))
            parts.append(
                SharedTerms(
                    query=np.full(sum(count), number),
                    source=np.concatenate(shared),
                    term=np.repeat(terms[own], count),
                    worth=np.full(sum(count), worth),
                )
            )
        return parts


def _shared(
    segments: Sequence[NDArray[np.int64]], complura: int, times: NDArray[np.uint16]
) -> list[NDArray[np.int64]]:
    """Return of the segments of each word those that have enough of the words."""
    times.fill(0)
    for own in segments:
        np.add.at(times, own, np.uint16(1))
    return [own[times[own] >= complura] for own in segments]


def distinct_words(
    segment: NDArray[np.int32], term: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct words of each segment, ordered by segment."""
    most = int(term.max(initial=0)) + 1
    pairs = np.unique(segment * np.int64(most) + term)
    return pairs // most, pairs % most


def closeness(
    in_query: NDArray[np.int16], in_source: NDArray[np.int16], decay: float, reordered: float
) -> NDArray[np.float64]:
    """Return the worth of shared pairs of words, by their distances on both sides.

    The sign of a distance is the order of the two words.

    Examples
    --------
    >>> neighbours, reversed_neighbours, apart = (1, 1), (1, -1), (2, 3)
    >>> sides = np.array([neighbours, reversed_neighbours, apart], np.int16).T
    >>> closeness(*sides, decay=0.5, reordered=0.75).tolist()
    [1.0, 0.75, 0.4]
    """
    gaps = np.abs(in_query).astype(np.float64) + np.abs(in_source) - 2
    same_order = (in_query > 0) == (in_source > 0)
    return np.where(same_order, 1.0, reordered) / (1 + decay * gaps)


def enough_words(
    group: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64], n: int
) -> NDArray[np.bool_]:
    """Tell for each shared pair whether the pairs of its group have `n` different words.

    Examples
    --------
    >>> group, one, other = np.array([0, 0, 1, 1]), np.array([5, 6, 5, 5]), np.array([6, 7, 6, 6])
    >>> enough_words(group, one, other, 3).tolist()
    [True, True, False, False]
    """
    groups, row = np.unique(group, return_inverse=True)
    members = np.unique(np.stack([np.tile(row, 2), np.concatenate([one, other])]), axis=1)
    fits: NDArray[np.bool_] = np.bincount(members[0], minlength=len(groups))[row] >= n
    return fits


def total_scores(
    shared: SharedTerms, rarity: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Return query segments, source segments and their scores, ordered by query and source.

    A score is the sum of the rarity of the shared words, each times its worth. A word that is
    shared in several ways counts once, by the best of them.

    Examples
    --------
    >>> shared = SharedTerms(*np.array([[0, 0, 0], [4, 4, 4], [1, 1, 2]]), np.array([0.5, 1, 1]))
    >>> query, source, score = total_scores(shared, np.array([0, 10.0, 3.0]))
    >>> query.tolist(), source.tolist(), score.tolist()
    ([0], [4], [13.0])
    """
    if not len(shared.query):
        return shared.query, shared.source, np.empty(0, np.float32)
    order = _order(shared)
    query, source, term = shared.query[order], shared.source[order], shared.term[order]
    new_pair = np.ones(len(order), np.bool_)
    new_pair[1:] = (query[1:] != query[:-1]) | (source[1:] != source[:-1])
    new_term = new_pair.copy()
    new_term[1:] |= term[1:] != term[:-1]
    first = np.flatnonzero(new_term)
    best = np.maximum.reduceat(shared.worth[order], first) * rarity[term[first]]
    begin = np.flatnonzero(new_pair[first])
    totals = np.add.reduceat(best, begin).astype(np.float32)
    rows = first[begin]
    return query[rows], source[rows], totals


def _order(shared: SharedTerms) -> NDArray[np.intp]:
    """Return the order by query, source and term; of equal rows, any."""
    sources, terms = int(shared.source.max()) + 1, int(shared.term.max()) + 1
    if (int(shared.query.max()) + 1) * sources * terms < 1 << 63:  # one number sorts faster
        return np.argsort((shared.query * sources + shared.source) * terms + shared.term)
    return np.lexsort((shared.term, shared.source, shared.query))
