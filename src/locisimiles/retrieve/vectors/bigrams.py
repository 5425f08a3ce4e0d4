"""Pairs of words close together in a query, and the segments with similar pairs.

Only what may be among the best is looked at: once so many segments are known to have some score,
pairs that cannot reach it are left out. The scores are those of comparing all pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.models.batches import ranges
from locisimiles.retrieve.vectors.best_pairs import BestPairs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.candidates import Found
    from locisimiles.retrieve.vectors.word_places import SourceWords

__all__ = ["PairScorer", "SimilarWords", "query_pairs"]

SimilarWords = tuple["NDArray[np.int64]", "NDArray[np.float32]"]
"""Source words, as positions in the vocabulary, and the similarity of each to a query word."""

_ROUNDING = 1e-5
"""Sums are rounded: what is left out must be so much lower than the least that counts."""
_LEVELS = (1.0, 0.2)
"""Similarities by which a first look tells how high scores must be."""


def query_pairs(words: Sequence[str], interval: int) -> list[tuple[str, str]]:
    """Return the pairs of different words with at most `interval` others between them.

    Examples
    --------
    >>> query_pairs(["uox", "faux", "haereo", "uox"], 0)
    [('faux', 'uox'), ('faux', 'haereo'), ('haereo', 'uox')]
    """
    pairs = (
        (min(one, other), max(one, other))
        for place, one in enumerate(words)
        for other in words[place + 1 : place + interval + 2]
        if one != other
    )
    return list(dict.fromkeys(pairs))


@dataclass(frozen=True, slots=True, eq=False)
class _Word:
    """A query word: half its weight, the words like it, how often they occur, and all in a table.

    The table has the similarity of every word of the vocabulary, and 0 for a gap.
    """

    half: np.float32
    words: NDArray[np.int64]
    similarity: NDArray[np.float32]
    often: NDArray[np.int64]
    table: NDArray[np.float32]

    def at_least(self, similarity: float) -> tuple[int, NDArray[np.int64]]:
        """Return the rows of the words that are similar enough, and how often they occur."""
        rows = np.flatnonzero(self.similarity >= similarity)
        return int(self.often[rows].sum()), rows


class PairScorer:
    r"""Finds the source segments with the best scores for the word pairs of a query.

    A pair :math:`(a, b)` is matched by two words of a segment, :math:`c` and :math:`d`, that stand
    close together in either order:

    .. math:: s(a, b) = \max_{(c, d)} \tfrac12 \bigl(w_a \cos(a, c) + w_b \cos(b, d)\bigr)

    and the score of the segment is the mean of its `best_pairs` best pairs.
    """

    def __init__(self, source: SourceWords, best_pairs: int) -> None:
        self._source = source
        # Written and cleared by each query: fresh memory costs more.
        self._best = BestPairs(source.segments, best_pairs)
        self._tables: list[NDArray[np.float32]] = []
        reach = source.interval + 1
        self._steps = [step for step in range(-reach, reach + 1) if step]

    def best(
        self,
        pairs: Sequence[tuple[str, str]],
        similar: Mapping[str, SimilarWords],
        weights: Mapping[str, float],
        k: int,
        excluded: NDArray[np.bool_] | None = None,
    ) -> Found:
        """Return the segments with the best `k` scores, ties included, in any order.

        Each word of the pairs, which are distinct, has a weight and source words that are similar
        to it.
        """
        words = self._words(pairs, similar, weights)
        # The best come first, so that little of the others need be looked at.
        ordered = sorted(
            ((words[one], words[other]) for one, other in pairs),
            key=lambda pair: -float(pair[0].half + pair[1].half),
        )
        floor = 0.0
        for level in _LEVELS:
            # The scores by the most similar words alone are lower bounds.
            _, scores = self._scored(ordered, k, excluded, floor, level)
            floor = _kth(scores, k)
            if floor:
                break
        segments, scores = self._scored(ordered, k, excluded, floor)
        for table, word in zip(self._tables, words.values(), strict=False):
            table[word.words] = 0
        enough = (scores >= np.float32(_kth(scores, k))) & (scores > 0)
        return segments[enough], scores[enough]

    def _words(
        self,
        pairs: Sequence[tuple[str, str]],
        similar: Mapping[str, SimilarWords],
        weights: Mapping[str, float],
    ) -> dict[str, _Word]:
        names = list(dict.fromkeys(word for pair in pairs for word in pair))
        size = len(self._source.vocabulary) + 1
        while len(self._tables) < len(names):
            self._tables.append(np.zeros(size, np.float32))
        words = {}
        for name, table in zip(names, self._tables, strict=False):
            own, similarity = similar[name]
            table[own] = similarity
            often = self._source.bounds[own + 1] - self._source.bounds[own]
            half = np.float32(weights[name] / 2)
            words[name] = _Word(half, own, similarity, often, table)
        return words

    def _scored(
        self,
        pairs: Sequence[tuple[_Word, _Word]],
        k: int,
        excluded: NDArray[np.bool_] | None,
        floor: float,
        level: float = 0.0,
    ) -> Found:
        """Return segments and scores; those of the best `k` are right if there is no `level`.

        They score at least `floor`. No word counts that is less similar than `level`.
        """
        highest = max((float(one.half + other.half) for one, other in pairs), default=0.0)
        for one, other in pairs:
            least = self._best.least_of_a_pair(floor, highest)
            often, rows = one.at_least(max(_similarity(least, one, other), level))
            other_often, other_rows = other.at_least(max(_similarity(least, other, one), level))
            if not often or not other_often:
                continue
            if often <= other_often:
                self._best.add(*self._matches(one, rows, other))
            else:
                self._best.add(*self._matches(other, other_rows, one))
            floor = max(floor, _kth(self._best.found(excluded)[1], k))
        found = self._best.found(excluded)
        self._best.clear()
        return found

    def _matches(
        self, word: _Word, rows: NDArray[np.int64], beside: _Word
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the segments where words like one stand beside words like another, with scores.

        A segment comes as often as the first occur there.
        """
        source, own = self._source, word.words[rows]
        counts = word.often[rows]
        places = source.places[ranges(source.bounds[own], counts)].astype(np.int64)
        highest = beside.table[source.word[places + self._steps[0]]]
        for step in self._steps[1:]:
            np.maximum(highest, beside.table[source.word[places + step]], out=highest)
        both = np.flatnonzero(highest)
        similarity = np.repeat(word.similarity[rows], counts)[both]
        scores = word.half * similarity + beside.half * highest[both]
        good = scores > 0  # words without weight, or numbers too small for single precision
        return source.segment[places[both[good]]].astype(np.int64), scores[good]


def _similarity(least: float, word: _Word, beside: _Word) -> float:
    """Return how similar a word must be at least to make a pair, if the other is the same."""
    if word.half <= 0:
        return -np.inf if beside.half >= least else np.inf
    return (least - float(beside.half)) / float(word.half) - _ROUNDING


def _kth(scores: NDArray[np.float32], k: int) -> float:
    """Return the k-th best score; 0 if there are fewer."""
    if len(scores) < k:
        return 0.0
    return float(np.partition(scores, len(scores) - k)[len(scores) - k])
