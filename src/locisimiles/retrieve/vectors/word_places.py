"""The words of all source segments as one row, with the places of each word.

There are gaps between segments that are wider than the distance within a pair; so a place beside a
word is never in another segment.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin import STOPWORDS
from locisimiles.models.batches import ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.index.lemmas import LemmaShard

__all__ = ["SourceWords"]


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
    word, segment
        The word and the segment of each place in the row; in gaps, the number of words, and 0.
    segments
        The number of segments.
    interval
        Maximum number of words between the two of a pair.
    """

    vocabulary: list[str]
    places: NDArray[np.int32]
    bounds: NDArray[np.int64]
    word: NDArray[np.int32]
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
        >>> source.word.tolist(), source.segment.tolist()
        ([2, 1, 0, 2, 2, 1, 2], [0, 0, 0, 0, 0, 2, 0])
        """
        vocabulary = sorted(set(chain.from_iterable(words)))
        numbers = {word: number for number, word in enumerate(vocabulary)}
        counts = np.fromiter(map(len, words), np.int64, len(words))
        total = int(counts.sum())
        word = np.fromiter(map(numbers.__getitem__, chain.from_iterable(words)), np.int64, total)
        building = _Row(vocabulary, np.bincount(word, minlength=len(vocabulary)), interval)
        building.begin(total, len(words))
        order = np.argsort(word, kind="stable")
        segment = np.repeat(np.arange(len(words)), counts)
        building.add(word[order], segment[order], order)
        return building.finished()

    @classmethod
    def from_shards(cls, shards: Sequence[LemmaShard], interval: int) -> SourceWords:
        """Prepare the content words of an index on disk."""
        content = [
            np.array([lemma not in STOPWORDS for lemma in shard.lemmas], np.bool_)
            for shard in shards
        ]
        vocabulary = sorted(set().union(*(shard.lemmas for shard in shards)) - STOPWORDS)
        numbers = {word: number for number, word in enumerate(vocabulary)}
        own = [
            np.array([numbers[lemma] for lemma in shard.lemmas if lemma in numbers], np.int64)
            for shard in shards
        ]
        times = [np.diff(shard.bounds)[kept] for shard, kept in zip(shards, content, strict=True)]
        counts = np.zeros(len(vocabulary), np.int64)
        for word, often in zip(own, times, strict=True):
            counts[word] += often
        building = _Row(vocabulary, counts, interval)
        building.begin(
            sum(len(shard.segment_of_place) for shard in shards),
            sum(len(shard.lengths) for shard in shards),
        )
        for shard, kept, word, often in zip(shards, content, own, times, strict=True):
            segment, place = shard.columns(np.flatnonzero(kept), "segment", "place")
            building.add(np.repeat(word, often), segment, place)
            building.next_shard(len(shard.lengths), len(shard.segment_of_place))
        return building.finished()

    def occurrences(self, words: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places of some words, one word after the other."""
        counts = self.bounds[words + 1] - self.bounds[words]
        return self.places[ranges(self.bounds[words], counts)].astype(np.int64)


class _Row:
    """Fills the columns of `SourceWords`, whose words occur as often as `counts` says."""

    def __init__(self, vocabulary: list[str], counts: NDArray[np.int64], interval: int) -> None:
        self._vocabulary, self._interval = vocabulary, interval
        self._bounds = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self._free = self._bounds[:-1].copy()
        self._gap = interval + 1
        self._segment_before = self._place_before = 0

    def begin(self, words: int, segments: int) -> None:
        """Make room for so many words in so many segments."""
        size = words + self._gap * (segments + 1)
        self._segments = segments
        self._places = np.empty(words, np.int32)
        self._word = np.full(size, len(self._vocabulary), np.int32)
        self._segment = np.zeros(size, np.int32)

    def add(
        self,
        word: NDArray[np.int64],
        segment: NDArray[np.integer],
        place: NDArray[np.integer],
    ) -> None:
        """Add words with their segments and places, ordered by word."""
        own = segment.astype(np.int64) + self._segment_before
        row = place + self._place_before + self._gap * (own + 1)
        self._word[row], self._segment[row] = word, own
        begins = np.flatnonzero(np.diff(word, prepend=-1))
        counts = np.diff(begins, append=len(word))
        self._places[ranges(self._free[word[begins]], counts)] = row
        self._free[word[begins]] += counts

    def next_shard(self, segments: int, places: int) -> None:
        """Count further segments and places from the end of a shard."""
        self._segment_before += segments
        self._place_before += places

    def finished(self) -> SourceWords:
        """Return the columns."""
        return SourceWords(
            self._vocabulary,
            self._places,
            self._bounds,
            self._word,
            self._segment,
            self._segments,
            self._interval,
        )
