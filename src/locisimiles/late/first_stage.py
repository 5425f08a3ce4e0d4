"""The first stage: inverted lists of pieces, clustered by their vectors.

A query piece is compared with every piece of the lists whose centres are nearest to it. For a text
without a piece in these lists it expects the best match of a typical text of that length: long
texts have something similar to anything. The best texts are scored exactly afterwards.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.late.pieces import STEPS
from locisimiles.late.windows import window_sums
from locisimiles.models.batches import bounded_runs
from locisimiles.models.byte_products import ByteProducts
from locisimiles.models.clustering import nearest_centres, probes_by_list, spherical_centres
from locisimiles.models.embedding_cache import EmbeddingCache

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.late.pieces import Pieces
    from locisimiles.late.scoring import Scoring
    from locisimiles.models.embedding_cache import Arrays

    # Places of texts, and levels of products with their pieces.
    _Levels = tuple[NDArray[np.integer[Any]], NDArray[np.uint8]]
    # What is expected in texts of each length, and what is found in lists.
    _Seen = tuple[NDArray[np.uint8], NDArray[np.integer[Any]], NDArray[np.uint8]]

__all__ = ["Expectation", "InvertedLists", "PieceLists", "build_lists"]

_PIECES_PER_LIST = 1024  # on average
_ROUNDS = 6
_SEED = 0  # draws the first centres
_STEPS_PER_LEVEL = 64  # products are kept as levels of one byte
_SAMPLE = 512  # texts of all lengths
_TOGETHER = 512  # query pieces that are compared with these
_MOST_BYTES = 1 << 27  # levels of a query with all texts
_MOST_SEEN = 1 << 25  # levels of queries with the pieces of probed lists
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
        self._centres = centres.astype(np.int8)  # whole numbers, as pieces are
        self._probes = min(probes, len(centres))
        self._texts = len(lengths)
        self._seen_by_a_piece = self._probes * int(lengths.sum()) // max(len(centres), 1)
        self._expected = expected

    @property
    def nbytes(self) -> int:
        """The memory they take, in bytes."""
        return self._place.nbytes + self._centres.nbytes

    @property
    def _most_pieces(self) -> int:
        """How many query pieces are compared with lists together."""
        return max(_MOST_SEEN // max(self._seen_by_a_piece, 1), 1)

    @abstractmethod
    def members(self, number: int) -> tuple[NDArray[np.int8], NDArray[np.integer[Any]]]:
        """Return the vectors of a list, and the place of each one's text in the order of length."""

    def scores(self, queries: Pieces, scoring: Scoring) -> Iterator[NDArray[np.float32]]:
        """Yield for each query estimates of the scores of all texts."""
        spans = list(self._spans(queries, scoring.window))
        sizes = [len(rows) for _, rows in spans]
        # One matrix for all: fresh memory takes longer to get than to fill.
        room = np.empty((max(sizes, default=0), self._texts), np.uint8)
        found: NDArray[np.float32] | None = None
        for run in bounded_runs(sizes, self._most_pieces):
            seen = self._seen(queries.vectors[np.concatenate([rows for _, rows in spans[run]])])
            for begins, rows in spans[run]:
                if begins and found is not None:
                    yield found[self._place]
                    found = None
                near = self._near(islice(seen, len(rows)), room[: len(rows)])
                estimate = _best_windows(near, queries.weight[rows], scoring)
                found = estimate if found is None else np.maximum(found, estimate)
        if found is not None:
            yield found[self._place]

    def _spans(self, queries: Pieces, window: int) -> Iterator[tuple[bool, NDArray[np.int64]]]:
        """Yield the rows of queries, and whether a query begins with them.

        If the pieces of a query do not fit into memory together, it has several spans. Each has all
        windows that begin in it, whole.
        """
        most = min(self._most_pieces, max(_MOST_BYTES // max(self._texts, 1), 1))
        for first, last in pairwise(queries.bounds.tolist()):
            for begin in range(first, max(last - window, first) + 1, most):
                yield begin == first, np.arange(begin, min(begin + most + window - 1, last))

    def _seen(self, pieces: NDArray[np.int8]) -> Iterator[_Seen]:
        """Yield what each query piece sees."""
        products_with = ByteProducts(pieces)
        seen: list[list[_Levels]] = [[] for _ in pieces]
        with_centres = np.ascontiguousarray(products_with.of(self._centres).T)
        # A list is read once for all pieces that probe it.
        for number, rows in probes_by_list(with_centres, self._probes):
            members, place = self.members(number)
            levels = np.ascontiguousarray(_levels(products_with.of(members, rows)).T)
            for row, own in zip(rows.tolist(), levels, strict=True):
                seen[row].append((place, own))
        if self._probes < len(self._centres):
            expected = self._expected.levels(products_with)
        else:
            expected = np.zeros((len(pieces), self._expected.lengths), np.uint8)
        for of_length, lists in zip(expected, seen, strict=True):
            places, levels_of_lists = zip(*lists, strict=True)
            yield of_length, np.concatenate(places), np.concatenate(levels_of_lists)

    def _near(self, seen: Iterable[_Seen], near: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the highest product of each query piece (row) with probed pieces of each text.

        It is written piece by piece: the products of one with all texts stay in the processor's
        cache.
        """
        for row, (of_length, place, level) in zip(near, seen, strict=True):
            row[:] = self._expected.spread(of_length)
            # A text can have several pieces in a list.
            np.maximum.at(row, place, level)
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
    found = np.zeros(near.shape[1], np.float32)
    if not len(near):
        return found
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
        self._vectors = sample.vectors[sample.rows_of(chosen)]
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

    @property
    def lengths(self) -> int:
        """The number of lengths that texts have."""
        return len(self._texts_of_length)

    def levels(self, pieces: ByteProducts) -> NDArray[np.uint8]:
        """Return the product that each query piece (row) can expect in texts of each length."""
        if not len(self._begins):
            return np.zeros((len(pieces), self.lengths), np.uint8)
        highest = np.zeros((len(self._begins), len(pieces)), np.float32)
        edges = [*self._begins.tolist(), len(self._vectors)]
        for begin in range(0, len(pieces), _TOGETHER):
            some = np.arange(begin, min(begin + _TOGETHER, len(pieces)))
            products = pieces.of(self._vectors, some)
            for text, (first, last) in enumerate(pairwise(edges)):
                highest[text, some] = products[first:last].max(axis=0)
        return _levels((np.maximum(highest, 0).T @ self._fit).astype(np.float32))

    def spread(self, of_length: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the values of lengths for all texts, which are ordered by length."""
        return np.repeat(of_length, self._texts_of_length)


def _powers(lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the terms of the curve, a parabola in the logarithm of the length."""
    logarithm = np.log(np.maximum(lengths, 1))
    return np.stack([np.ones(len(lengths)), logarithm, logarithm**2], axis=1)


def _levels(products: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return products as levels, from 0 for orthogonal to 252 for equal vectors."""
    return (np.clip(products, 0, STEPS**2) / np.float32(_STEPS_PER_LEVEL)).astype(np.uint8)
