"""Where lemmas stand in the texts of an index: one store for all that count or compare words."""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.index.columns import ranges, unpacked
from locisimiles.index.sorted_texts import SortedTexts, Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.files.array_files import ArrayFile

__all__ = ["LemmaShard", "StoredLemmas"]

_MOST_NUMBERS = 1 << 14
_LONG = 128  # segments that have a lemma


class LemmaShard:
    """The lemmas of one shard; rows of a lemma are in the order of the texts."""

    def __init__(self, arrays: ArrayFile) -> None:
        self._arrays = arrays
        self._number = lru_cache(_MOST_NUMBERS)(self._found)

    @cached_property
    def _sorted(self) -> SortedTexts:
        bounds = self._arrays.array("lemmas.bounds")
        return SortedTexts(self._arrays.array("lemmas"), bounds)

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
        found = self._number(lemma)
        return None if found < 0 else found

    def _found(self, lemma: str) -> int:
        return int(self._sorted.find(Wanted([lemma]))[0])

    def rows(self, lemmas: Sequence[str] | Wanted) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of lemmas, -1 for one that no text has, and of their rows."""
        wanted = lemmas if isinstance(lemmas, Wanted) else Wanted(lemmas)
        number = self._sorted.find(wanted)
        return number, np.where(number < 0, 0, self.bounds[number + 1] - self.bounds[number])

    def counts(
        self, lemmas: Wanted
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
        """Count the segments that have some lemmas.

        Returns the places of the lemmas it has and the number of segments with each; then these
        segments, and how often each has the lemma.
        """
        number, rows = self.rows(lemmas)
        place = np.flatnonzero(rows)  # figures have none
        (segment,) = self.columns(number[place], "segment")
        ends = np.cumsum(rows[place])
        is_first = np.ones(len(segment), np.bool_)
        is_first[1:] = segment[1:] != segment[:-1]
        is_first[ends[:-1]] = True
        first = np.flatnonzero(is_first)
        count = np.diff(first, append=len(segment)).astype(np.int32)
        texts = np.diff(np.searchsorted(first, ends), prepend=0)
        return place, texts, segment[first], count

    def columns(self, lemmas: NDArray[np.int64], *names: str) -> list[NDArray[np.int32]]:
        """Return columns of the rows of lemmas: ``segment``, ``place``, ``clause`` or ``tag``."""
        begin, end = self.bounds[lemmas], self.bounds[lemmas + 1]
        rows = ranges(begin, end - begin)
        for name in names:
            self._arrays.check_ranges(name, begin, end)
        return [self._arrays.unchecked(name)[rows] for name in names]

    def at(self, rows: NDArray[np.int64], *names: str) -> list[NDArray[np.int32]]:
        """Return columns of single rows; see `columns`."""
        for name in names:
            self._arrays.check_ranges(name, rows, rows + 1)
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

    def rows(self, lemmas: Sequence[str]) -> NDArray[np.int64]:
        """Return how often each lemma occurs."""
        wanted = Wanted(lemmas)
        found = (shard.rows(wanted)[1] for shard in self.shards)
        return sum(found, np.zeros(len(lemmas), np.int64))

    def counts(self, lemmas: Sequence[str]) -> list[tuple[NDArray[np.int64], NDArray[np.int32]]]:
        """Return for each lemma the segments that have it, ascending, and how often.

        Many are read together, since each shard takes its time however few are asked for.
        """
        wanted = Wanted(lemmas)
        found = [shard.counts(wanted) for shard in self.shards]
        texts = np.zeros(len(lemmas), np.int64)
        for place, own, _, _ in found:
            texts[place] += own
        bounds = np.concatenate([[0], np.cumsum(texts)])
        segments, counts = np.empty(bounds[-1], np.int64), np.empty(bounds[-1], np.int32)
        free = bounds[:-1].copy()
        for first, (places, own, segment, count) in zip(self.begins, found, strict=False):
            begins = np.cumsum(own) - own
            # Long runs are copied one by one, short ones together: each is faster so.
            long = np.flatnonzero(own >= _LONG)
            runs = zip(
                free[places[long]].tolist(), begins[long].tolist(), own[long].tolist(), strict=True
            )
            for at, begin, size in runs:
                np.add(segment[begin : begin + size], first, out=segments[at : at + size])
                counts[at : at + size] = count[begin : begin + size]
            short = np.flatnonzero(own < _LONG)
            to, rows = (ranges(at[short], own[short]) for at in (free[places], begins))
            segments[to] = segment[rows] + np.int64(first)
            counts[to] = count[rows]
            free[places] += own
        return [(segments[begin:end], counts[begin:end]) for begin, end in pairwise(bounds)]
