"""Pairs of words close together, and the source pairs that match them.

The words of all source segments form one row, with gaps between segments that are wider than the
distance within a pair; so a place beside a word is never in another segment.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.models.batches import ranges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.index.lemmas import LemmaShard

__all__ = ["PairScorer", "SimilarWords", "SourceWords", "StoredWords", "query_pairs"]

SimilarWords = tuple["NDArray[np.int64]", "NDArray[np.float32]"]
"""Source words, as positions in the vocabulary, and the similarity of each to a query word."""


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
class SourceWords:
    """The words of source segments as columns.

    Attributes
    ----------
    vocabulary
        The distinct words, in alphabetical order.
    places
        The places of words in the row, ordered by word.
    bounds
        Word ``i`` has the places from ``bounds[i]`` to ``bounds[i + 1]``.
    segment
        The segment of each place in the row.
    segments
        The number of segments.
    interval
        Maximum number of words between the two of a pair.
    """

    vocabulary: list[str]
    places: NDArray[np.int64]
    bounds: NDArray[np.int64]
    segment: NDArray[np.int32]
    segments: int
    interval: int

    @classmethod
    def from_segments(cls, words: Sequence[Sequence[str]], interval: int) -> SourceWords:
        """Prepare the words of segments.

        Examples
        --------
        >>> source = SourceWords.from_segments([["uox", "faux"], [], ["uox"]], interval=0)
        >>> source.vocabulary, source.places.tolist(), source.bounds.tolist()
        (['faux', 'uox'], [2, 1, 5], [0, 1, 3])
        """
        vocabulary = sorted(set(chain.from_iterable(words)))
        numbers = dict(zip(vocabulary, range(len(vocabulary)), strict=True))
        counts = np.fromiter(map(len, words), np.int64, len(words))
        total = int(counts.sum())
        word = np.fromiter(map(numbers.__getitem__, chain.from_iterable(words)), np.int64, total)
        own = np.repeat(np.arange(len(words)), counts)
        gap = interval + 1
        place = np.arange(total) + gap * (own + 1)
        segment = np.zeros(total + gap * (len(words) + 1), np.int32)
        segment[place] = own
        bounds = np.concatenate([[0], np.cumsum(np.bincount(word, minlength=len(vocabulary)))])
        order = np.argsort(word, kind="stable")
        return cls(vocabulary, place[order], bounds, segment, len(words), interval)

    def occurrences(self, similar: SimilarWords) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the places of some words, with the similarity of the word at each."""
        words, values = similar
        counts = self.bounds[words + 1] - self.bounds[words]
        return self.places[ranges(self.bounds[words], counts)], np.repeat(values, counts)


class StoredWords:
    """The words of a shard of an index on disk, as `SourceWords`."""

    def __init__(self, shard: LemmaShard, interval: int) -> None:
        self._shard = shard
        self.interval = interval
        self.vocabulary = shard.lemmas
        self.segments = len(shard.lengths)
        self._gap = interval + 1
        own = shard.segment_of_place
        self.segment = np.zeros(len(own) + self._gap * (self.segments + 1), np.int32)
        self.segment[np.arange(len(own)) + self._gap * (own.astype(np.int64) + 1)] = own

    def occurrences(self, similar: SimilarWords) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the places of some words, with the similarity of the word at each."""
        words, values = similar
        segment, place = self._shard.columns(words, "segment", "place")
        counts = np.diff(self._shard.bounds)[words]
        return place + self._gap * (segment.astype(np.int64) + 1), np.repeat(values, counts)


class PairScorer:
    r"""Scores the source segments for the word pairs of a query.

    A pair :math:`(a, b)` is matched by two words of a segment, :math:`c` and :math:`d`, that stand
    close together in either order:

    .. math:: s(a, b) = \max_{(c, d)} \tfrac12 \bigl(w_a \cos(a, c) + w_b \cos(b, d)\bigr)

    and the score of the segment is the mean of its `best_pairs` best pairs.
    """

    def __init__(self, source: SourceWords | StoredWords, best_pairs: int) -> None:
        self._source = source
        self._beside = np.zeros(len(source.segment), np.float32)
        self._best = np.zeros((best_pairs, source.segments), np.float32)
        reach = source.interval + 1
        self._steps = [step for step in range(-reach, reach + 1) if step]

    def scores(
        self,
        pairs: Sequence[tuple[str, str]],
        similar: Mapping[str, SimilarWords],
        weights: Mapping[str, float],
    ) -> NDArray[np.float32]:
        """Return the score of each source segment, given the distinct pairs of a query.

        Each of its words has a weight and source words that are similar to it.
        """
        self._best[:] = 0
        places = {
            word: self._source.occurrences(similar[word]) for word in dict.fromkeys(chain(*pairs))
        }
        for word, (own, cosines) in places.items():
            partners = [pair[1] for pair in pairs if pair[0] == word]
            if not partners or not len(own):
                continue
            self._spread(own, cosines)
            for partner in partners:
                self._score_pair(*places[partner], weights[partner], weights[word])
            for step in self._steps:
                self._beside[own + step] = 0
        mean: NDArray[np.float32] = self._best.mean(axis=0)
        return mean

    def _spread(self, places: NDArray[np.int64], cosines: NDArray[np.float32]) -> None:
        """Write the cosine of each occurrence on the places beside it; the highest counts."""
        for step in self._steps:
            beside = places + step
            self._beside[beside] = np.maximum(self._beside[beside], cosines)

    def _score_pair(
        self,
        places: NDArray[np.int64],
        cosines: NDArray[np.float32],
        weight: float,
        weight_beside: float,
    ) -> None:
        beside = self._beside[places]
        both = np.flatnonzero(beside)
        if not len(both):
            return
        scores = (
            np.float32(weight / 2) * cosines[both] + np.float32(weight_beside / 2) * beside[both]
        )
        segment = self._source.segment[places[both]]
        order = np.argsort(segment, kind="stable")
        segment, scores = segment[order], scores[order]
        starts = np.flatnonzero(np.diff(segment, prepend=-1))
        self._keep(segment[starts], np.maximum.reduceat(scores, starts))

    def _keep(self, segment: NDArray[np.int32], scores: NDArray[np.float32]) -> None:
        """Insert the scores of a pair among the best of their segments."""
        for row in self._best:
            kept = row[segment]
            row[segment] = np.maximum(kept, scores)
            scores = np.minimum(kept, scores)
