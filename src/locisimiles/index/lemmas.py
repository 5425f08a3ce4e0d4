"""Where lemmas stand in the texts of an index: one store for all that count or compare words."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.index.columns import unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.files.array_files import ArrayFile

__all__ = ["LemmaShard", "StoredLemmas"]


class LemmaShard:
    """The lemmas of one shard; rows of a lemma are in the order of the texts."""

    def __init__(self, arrays: ArrayFile) -> None:
        self._arrays = arrays

    @cached_property
    def lemmas(self) -> list[str]:
        """The lemmas in alphabetical order."""
        return unpacked(self._arrays, "lemmas")

    @cached_property
    def tags(self) -> list[str]:
        """The parts of speech."""
        return unpacked(self._arrays, "tags")

    @cached_property
    def bounds(self) -> NDArray[np.int64]:
        """The first row of each lemma, and the end of the last."""
        bounds: NDArray[np.int64] = self._arrays.array("row bounds")
        return bounds

    @property
    def lengths(self) -> NDArray[np.int32]:
        """The number of words of each segment, without figures."""
        return self._arrays.array("lengths")

    @property
    def clauses(self) -> int:
        """The number of clauses."""
        return int(self._arrays.array("clauses")[0])

    @property
    def segment_of_place(self) -> NDArray[np.int32]:
        """The segment of each content word."""
        return self._arrays.array("segment of place")

    def number(self, lemma: str) -> int | None:
        """Return the number of a lemma; None if no text has it."""
        place = bisect_left(self.lemmas, lemma)
        return place if self.lemmas[place : place + 1] == [lemma] else None

    def segments_with(self, lemma: int) -> NDArray[np.int32]:
        """Return the segment of each row of a lemma."""
        begin, end = self.bounds[lemma : lemma + 2].tolist()
        return self._arrays.rows("segment", begin, end)

    def columns(self, lemmas: NDArray[np.int64], *names: str) -> list[NDArray[np.int32]]:
        """Return columns of the rows of lemmas: ``segment``, ``place``, ``clause`` or ``tag``."""
        begin, end = self.bounds[lemmas], self.bounds[lemmas + 1]
        counts = end - begin
        before = np.cumsum(counts) - counts
        rows = np.repeat(begin - before, counts) + np.arange(counts.sum())
        for name in names:
            self._arrays.check_ranges(name, begin, end)
        return [self._arrays.unchecked(name)[rows] for name in names]


class StoredLemmas:
    """The lemmas of all shards."""

    def __init__(self, shards: Sequence[ArrayFile]) -> None:
        self.shards = [LemmaShard(arrays) for arrays in shards]
        sizes = [len(shard.lengths) for shard in self.shards]
        self.begins: list[int] = [0, *np.cumsum(sizes, dtype=np.int64).tolist()]

    @cached_property
    def lengths(self) -> NDArray[np.float64]:
        """The number of words of each segment."""
        return np.concatenate([np.empty(0), *(shard.lengths for shard in self.shards)])

    def places(self, lemma: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return segment and place among content words of each occurrence of a content word."""
        segments, places = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        before = 0
        for begin, shard in zip(self.begins, self.shards, strict=False):
            number = shard.number(lemma)
            if number is not None:
                segment, place = shard.columns(np.array([number]), "segment", "place")
                segments.append(segment.astype(np.int64) + begin)
                places.append(place.astype(np.int64) + before)
            before += len(shard.segment_of_place)
        return np.concatenate(segments), np.concatenate(places)

    def counts(self, lemma: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the segments that have a lemma, ascending, and how often."""
        segments, counts = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for begin, shard in zip(self.begins, self.shards, strict=False):
            number = shard.number(lemma)
            if number is not None:
                own = shard.segments_with(number)
                first = np.flatnonzero(np.diff(own, prepend=-1))
                segments.append(own[first].astype(np.int64) + begin)
                counts.append(np.diff(np.append(first, len(own))))
        return np.concatenate(segments), np.concatenate(counts)
