"""The first stage: inverted lists of pieces, clustered by their vectors.

A query piece is compared with every piece of the lists whose centres are nearest to it. For a text
without a piece in these lists it expects the best match of a typical text of that length: long
texts have something similar to anything. The best texts are scored exactly afterwards.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.late.pieces import STEPS
from locisimiles.late.windows import window_sums
from locisimiles.models.batches import bounded_runs
from locisimiles.models.byte_products import ByteProducts
from locisimiles.models.clustering import nearest_centres, probes_by_list, spherical_centres
from locisimiles.models.embedding_cache import EmbeddingCache

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.late.pieces import Pieces
    from locisimiles.late.scoring import Scoring
    from locisimiles.models.embedding_cache import Arrays

__all__ = ["Expectation", "InvertedLists", "PieceLists", "build_lists"]

_PIECES_PER_LIST = 1024  # on average
_ROUNDS = 6
_SEED = 0  # draws the first centres
_STEPS_PER_LEVEL = 64  # products are kept as levels of one byte
_SAMPLE = 512  # texts of all lengths
_MOST_BYTES = 1 << 27
_TEXTS_PER_BLOCK = 1 << 12  # their contributions to a query stay in the processor's cache


def build_lists(
    pieces: Pieces,
    *,
    lists: int | None = None,
    probes: int = 16,
    cache: EmbeddingCache | None = None,
    settings: Mapping[str, object] | None = None,
    texts: Sequence[str] = (),
) -> PieceLists:
    """Cluster the pieces of texts into inverted lists, by default one per 1,024 pieces.

    A query piece probes `probes` of them; with all lists nothing is missed. Lists are cached by
    the encoder's settings and the texts.
    """
    key = {"what": "lists", "lists": lists, "seed": _SEED, **(settings or {})}
    cache = cache or EmbeddingCache(None)
    arrays = cache.get(key, texts, partial(_cluster, pieces, lists))
    return PieceLists(
        pieces,
        centres=arrays["centres"].astype(np.float32, copy=False),
        list_of_piece=arrays["list"].astype(np.int32, copy=False),
        probes=probes,
    )


def _cluster(pieces: Pieces, lists: int | None) -> Arrays:
    count = lists or max(len(pieces.vectors) // _PIECES_PER_LIST, 1)
    count = min(count, max(len(pieces.vectors), 1))
    random = np.random.default_rng(_SEED)
    centres = spherical_centres(pieces.vectors, count, random, rounds=_ROUNDS)
    # Whole numbers, as pieces are: rounding never decides which lists a piece probes.
    centres = np.rint(centres * STEPS)
    nearest = nearest_centres(pieces.vectors, centres)
    return {"centres": centres, "list": nearest.astype(np.int32)}


class InvertedLists(ABC):
    """Lists of pieces, wherever these are kept.

    Parameters
    ----------
    lengths
        The number of pieces of each text.
    centres
        The centre of each list.
    probes
        How many lists a query piece probes.
    expected
        What it can expect in a text without a piece in these.
    """

    def __init__(
        self,
        lengths: NDArray[np.int64],
        centres: NDArray[np.float32],
        probes: int,
        expected: Expectation,
    ) -> None:
        # Texts are kept by length: where nothing is seen, all of one length are alike.
        by_length = np.argsort(lengths, kind="stable")
        self._place = np.empty(len(lengths), np.int64)
        self._place[by_length] = np.arange(len(lengths))
        self._centres = centres
        self._probes = min(probes, len(centres))
        self._texts = len(lengths)
        self._expected = expected

    @property
    def nbytes(self) -> int:
        """The memory they take, in bytes."""
        return self._place.nbytes + self._centres.nbytes

    @abstractmethod
    def members(self, number: int) -> tuple[NDArray[np.int8], NDArray[np.integer[Any]]]:
        """Return the vectors of a list, and the place of each one's text in the order of length."""

    def scores(self, queries: Pieces, scoring: Scoring) -> Iterator[NDArray[np.float32]]:
        """Yield for each query estimates of the scores of all texts."""
        most = max(_MOST_BYTES // max(self._texts, 1), 1)
        lengths = queries.lengths
        # One matrix for all: fresh memory takes longer to get than to fill.
        most_rows = min(most + scoring.window - 1, len(queries.vectors))
        room = np.empty((most_rows, self._texts), np.uint8)
        for run in bounded_runs(lengths, most):
            if lengths[run.start] > most:
                estimates = iter([self._scores_of_long(queries.of(run.start), most, scoring, room)])
            else:
                estimates = self._scores_of(queries, run, scoring, room)
            for by_place in estimates:
                yield by_place[self._place]

    def _scores_of(
        self, queries: Pieces, run: slice, scoring: Scoring, room: NDArray[np.uint8]
    ) -> Iterator[NDArray[np.float32]]:
        bounds = queries.bounds[run.start : run.stop + 1]
        own = slice(int(bounds[0]), int(bounds[-1]))
        near = self._near(queries.vectors[own], room)
        weight = queries.weight[own]
        for first, last in pairwise((bounds - bounds[0]).tolist()):
            if first == last:
                yield np.zeros(self._texts, np.float32)
                continue
            yield _best_windows(near[first:last], weight[first:last], scoring)

    def _scores_of_long(
        self, query: Pieces, most: int, scoring: Scoring, room: NDArray[np.uint8]
    ) -> NDArray[np.float32]:
        """Return the estimates for a query whose pieces do not fit into memory together."""
        found = np.zeros(self._texts, np.float32)
        # Each part has all windows that begin in it, whole.
        for begin in range(0, max(len(query.vectors) - scoring.window, 0) + 1, most):
            own = slice(begin, begin + most + scoring.window - 1)
            near = self._near(query.vectors[own], room)
            np.maximum(found, _best_windows(near, query.weight[own], scoring), out=found)
        return found

    def _near(self, pieces: NDArray[np.int8], room: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the highest product of each query piece (row) with probed pieces of each text.

        It is written into the first rows of `room`.
        """
        vectors = pieces.astype(np.float32)
        near = room[: len(pieces)]
        if self._probes < len(self._centres):
            self._expected.write(vectors, near)
        else:
            near[:] = 0
        flat = near.reshape(-1)  # a view: rows follow each other
        products_with = ByteProducts(pieces)
        for number, rows in probes_by_list(vectors @ self._centres.T, self._probes):
            members, place = self.members(number)
            if not len(place):
                continue
            seen = _levels(products_with.of(members, rows)).T
            places = rows[:, None] * self._texts + place
            # A text can have several pieces in a list.
            np.maximum.at(flat, places.ravel(), seen.ravel())
        return near


class PieceLists(InvertedLists):
    """The pieces of texts in inverted lists in memory, returned by `build_lists`."""

    def __init__(
        self,
        pieces: Pieces,
        centres: NDArray[np.float32],
        list_of_piece: NDArray[np.int32],
        probes: int,
    ) -> None:
        super().__init__(pieces.lengths, centres, probes, Expectation.of(pieces))
        place = np.repeat(self._place.astype(np.int32), pieces.lengths)
        # Pieces stand in the order of these places within a list.
        order = np.lexsort((place, list_of_piece))
        self._vectors = pieces.vectors[order]
        self._place_of_piece = place[order]
        self._bounds = np.searchsorted(list_of_piece[order], np.arange(len(centres) + 1)).tolist()

    @property
    def nbytes(self) -> int:
        """The memory they take, in bytes."""
        return super().nbytes + self._vectors.nbytes + self._place_of_piece.nbytes

    def members(self, number: int) -> tuple[NDArray[np.int8], NDArray[np.integer[Any]]]:
        """Return the vectors of a list, and the place of each one's text in the order of length."""
        own = slice(self._bounds[number], self._bounds[number + 1])
        return self._vectors[own], self._place_of_piece[own]


def _best_windows(
    near: NDArray[np.uint8], weight: NDArray[np.float32], scoring: Scoring
) -> NDArray[np.float32]:
    """Return the estimate for each text (column), given levels of products."""
    found = np.empty(near.shape[1], np.float32)
    for begin in range(0, len(found), _TEXTS_PER_BLOCK):
        some = slice(begin, begin + _TEXTS_PER_BLOCK)
        contributions = scoring.worth(near[:, some] * np.float32(_STEPS_PER_LEVEL))
        contributions *= weight[:, None]
        found[some] = window_sums(contributions, scoring.window).max(axis=0)
    found /= np.float32(scoring.window)
    return found


class Expectation:
    """The best product a piece can expect in a text, by length: a curve fitted to a sample.

    `sample` holds the texts `chosen`; `lengths` are those of all texts.
    """

    def __init__(
        self, sample: Pieces, chosen: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> None:
        own = sample.lengths_of(chosen)
        self._vectors = sample.vectors[sample.rows_of(chosen)].astype(np.float32)
        self._begins = np.cumsum(own) - own
        distinct, self._texts_of_length = np.unique(lengths, return_counts=True)
        # Least squares for all pieces at once: products × sample, sample × lengths.
        to_curve = np.linalg.pinv(_powers(own)) if len(own) else np.empty((3, 0))
        curves = _powers(distinct) @ to_curve
        curves[distinct == 0] = 0  # an empty text has no match
        self._fit = curves.T

    @classmethod
    def of(cls, pieces: Pieces) -> Expectation:
        """Learn it from texts of all lengths."""
        lengths = pieces.lengths
        filled = np.flatnonzero(lengths)
        by_length = filled[np.argsort(lengths[filled], kind="stable")]
        places = np.linspace(0, len(by_length) - 1, _SAMPLE).round().astype(int)
        sample = np.unique(by_length[places]) if len(by_length) else by_length
        return cls(pieces, sample, lengths)

    def write(self, pieces: NDArray[np.float32], levels: NDArray[np.uint8]) -> None:
        """Write the product that each query piece (row) can expect in each text (column).

        Texts are ordered by length.
        """
        if not len(self._begins):
            levels[:] = 0
            return
        highest = np.maximum.reduceat(pieces @ self._vectors.T, self._begins, axis=1)
        expected = _levels((np.maximum(highest, 0) @ self._fit).astype(np.float32))
        for row, of_length in zip(levels, expected, strict=True):
            row[:] = np.repeat(of_length, self._texts_of_length)


def _powers(lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the terms of the curve, a parabola in the logarithm of the length."""
    logarithm = np.log(np.maximum(lengths, 1))
    return np.stack([np.ones(len(lengths)), logarithm, logarithm**2], axis=1)


def _levels(products: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return products as levels, from 0 for orthogonal to 252 for equal vectors."""
    return (np.clip(products, 0, STEPS**2) / np.float32(_STEPS_PER_LEVEL)).astype(np.uint8)
