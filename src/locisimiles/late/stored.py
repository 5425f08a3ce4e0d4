"""Late interaction over an index on disk: pieces by text, and by list for the first stage."""

from __future__ import annotations

from copy import copy
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.late.first_stage import Expectation, InvertedLists
from locisimiles.late.pieces import Pieces, PieceWeights
from locisimiles.models.batches import ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.files.array_files import ArrayFile
    from locisimiles.index.vectors import StoredVectors

__all__ = ["StoredLists", "StoredPieces", "enough_probes", "stored_weights"]

_PIECES_PER_PROBE = 1024


def stored_weights(stored: StoredVectors) -> PieceWeights:
    """Return the weights of pieces, from the sums of the counts of all shards."""
    counts = [shard.array("piece counts") for shard in stored.shards]
    total = np.zeros(max(map(len, counts), default=0), np.int64)
    for own in counts:
        total[: len(own)] += own
    return PieceWeights(total, int(stored.shard_begins[-1]))


def enough_probes(probes: int, lists: int, pieces: int) -> int:
    """Return how many of the frozen lists to probe, so that a small index loses nothing.

    It is as many as hold what `probes` lists of 1,024 pieces hold, but not fewer than `probes`.

    Examples
    --------
    >>> [enough_probes(16, 2048, pieces) for pieces in (5_000, 1_000_000, 50_000_000)]
    [2048, 34, 16]
    """
    needed = -(-probes * _PIECES_PER_PROBE * lists // max(pieces, 1))
    return min(max(needed, probes), lists)


class StoredPieces:
    """The pieces of the texts of an index, read when they are needed; as `Pieces`."""

    def __init__(
        self, parts: Sequence[ArrayFile], begins: NDArray[np.int64], weights: PieceWeights
    ) -> None:
        self._parts, self._begins, self.weights = parts, begins, weights
        bounds = [part.array("piece bounds") for part in parts]
        nothing = np.empty(0, np.int64)
        # Rows in the part of each text.
        self._all_begins = np.concatenate([nothing, *(own[:-1] for own in bounds)])
        self._all_ends = np.concatenate([nothing, *(own[1:] for own in bounds)])
        self._dimensions = parts[0].unchecked("vectors").shape[1]
        # Texts whose pieces were compared with their checksums: a search asks for most of them
        # again and again, and from many parts at once.
        self._checked = np.zeros(len(self._all_begins), bool)

    def __len__(self) -> int:
        return int(self._begins[-1])

    @property
    def nbytes(self) -> int:
        """The memory they take, in bytes: next to none."""
        return self._all_begins.nbytes + self._all_ends.nbytes

    @property
    def total(self) -> int:
        """The number of pieces."""
        return int(self.lengths.sum())

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of pieces of each text."""
        lengths: NDArray[np.int64] = self._all_ends - self._all_begins
        return lengths

    def weighted(self, weights: PieceWeights) -> StoredPieces:
        """Return the same pieces with other weights."""
        same = copy(self)
        same.weights = weights
        return same

    def picked(
        self, texts: NDArray[np.int64], *, weigh: bool = True
    ) -> tuple[Pieces, NDArray[np.int64]]:
        """Return the pieces of some texts, and the numbers of these texts among them.

        Their weights are 0 if it need not `weigh` them, which most scores do not ask for.
        """
        wanted, numbers = np.unique(texts, return_inverse=True)
        part = np.searchsorted(self._begins, wanted, side="right") - 1
        begin, end = self._all_begins[wanted], self._all_ends[wanted]
        lengths = end - begin
        bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        vectors = np.empty((bounds[-1], self._dimensions), np.int8)
        piece = np.zeros(bounds[-1], np.int32)
        columns = (("vectors", vectors), ("piece", piece))
        self._check(wanted, part)
        rows = ranges(begin, lengths)
        present, firsts = np.unique(part, return_index=True)
        edges = bounds[np.append(firsts, len(wanted))].tolist()
        for number, (first, last) in zip(present.tolist(), pairwise(edges), strict=True):
            arrays, own = self._parts[number], slice(first, last)
            for name, out in columns if weigh else columns[:1]:
                # Rows are inside; another mode than "raise" writes without a copy.
                arrays.unchecked(name).take(rows[own], 0, out[own], "clip")
        spans = np.zeros(len(piece), np.int32)  # scores do not need them
        weight = self.weights.of(piece) if weigh else np.zeros(len(piece), np.float32)
        return Pieces(vectors, weight, spans, spans, bounds, piece), numbers.astype(np.int64)

    def _check(self, texts: NDArray[np.int64], part: NDArray[np.int64]) -> None:
        """Compare the pieces of texts in these parts with their checksums, each text once."""
        new = ~self._checked[texts]
        if not new.any():
            return
        texts, part = texts[new], part[new]
        present, firsts = np.unique(part, return_index=True)
        edges = np.append(firsts, len(texts)).tolist()
        for number, (first, last) in zip(present.tolist(), pairwise(edges), strict=True):
            own = texts[first:last]
            for name in ("vectors", "piece"):
                self._parts[number].check_ranges(name, self._all_begins[own], self._all_ends[own])
        self._checked[texts] = True


class StoredLists(InvertedLists):
    """The first stage over lists of frozen centres on disk."""

    def __init__(
        self,
        stored: StoredVectors,
        pieces: StoredPieces,
        centres: NDArray[np.int8],
        probes: int,
    ) -> None:
        lengths = pieces.lengths
        expected = Expectation(*pieces.picked(stored.sample), lengths)
        super().__init__(lengths, centres.astype(np.float32), probes, expected)
        # Of each shard: itself, its vectors and segments by list, the places of its segments, and
        # where lists begin.
        self._shards = [
            (
                shard,
                shard.unchecked("list vectors"),
                shard.unchecked("list segment"),
                self._place[begin:end],
                _padded(shard.array("list bounds"), len(centres)).tolist(),
            )
            for shard, (begin, end) in zip(
                stored.shards, pairwise(stored.shard_begins.tolist()), strict=True
            )
        ]
        # Lists that were compared with their checksums: each is read again and again.
        self._checked = np.zeros(len(centres), bool)

    def members(self, number: int) -> tuple[NDArray[np.int8], NDArray[np.integer[Any]]]:
        """Return the vectors of a list, and the place of each one's text in the order of length."""
        vectors, places = [], []
        for shard, of_pieces, segments, place, bounds in self._shards:
            begin, end = bounds[number], bounds[number + 1]
            if not self._checked[number]:
                shard.check("list vectors", begin, end)
                shard.check("list segment", begin, end)
            vectors.append(of_pieces[begin:end])
            places.append(place[segments[begin:end]])
        self._checked[number] = True
        return np.concatenate(vectors), np.concatenate(places)


def _padded(bounds: NDArray[np.int64], lists: int) -> NDArray[np.int64]:
    """Return the bounds of all lists; the last may have no pieces."""
    return np.concatenate([bounds, np.full(lists + 1 - len(bounds), bounds[-1])])
