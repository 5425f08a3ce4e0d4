"""Scores of a query with texts, from the similarities of all their pieces.

The similarities of a query with some texts of similar length form one array, places in the text ×
texts × pieces of the query; every view of a pair is computed from it. So maxima over the pieces of
a text are maxima of whole rows. A new view is a function with a name in `VIEWS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.late.pieces import STEPS
from locisimiles.late.windows import sliding, window_sums
from locisimiles.models.batches import ranges
from locisimiles.models.byte_products import ByteProducts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.late.pieces import Pieces

__all__ = ["VIEWS", "Compared", "Scoring", "score_texts"]

_CELLS_PER_BLOCK = 1 << 18  # a matrix of this size stays in the processor's cache
_ROWS_PER_BLOCK = 1 << 13
_MOST_CELLS = 1 << 24
_MOST_TOGETHER = 1 << 21  # cells of the best pieces of texts
_SIMILAR_LENGTH = 0.7  # of the longest text that others are compared with
_CUBE = 3


@dataclass(frozen=True, slots=True)
class Scoring:
    """How the contributions of pieces are computed and summed; see `locisimiles.late.Late`."""

    window: int = 5
    narrow: int = 3
    wide: int = 8
    answer: int = 10
    power: float = 3.0

    def worth(self, products: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the contributions of pairs of pieces, given the products of their vectors."""
        cosines = np.clip(products, 0, STEPS**2)
        cosines *= np.float32(1 / STEPS**2)
        if self.power == _CUBE:
            cubes = cosines * cosines
            cubes *= cosines
            return cubes
        return cosines if self.power == 1 else np.power(cosines, np.float32(self.power))


@dataclass(eq=False)
class Compared:
    """A query compared with some texts, none of them empty, by the best piece for each of its own.

    Attributes
    ----------
    weight
        The weights of the query's pieces.
    highest
        The highest product of each of them (row) with the pieces of each text (column).
    of_pieces
        What `_VIEWS_OF_PIECES` found in each text, by the name of the view.
    is_short
        Which texts are no longer than the window of a text.
    """

    scoring: Scoring
    weight: NDArray[np.float32]
    highest: NDArray[np.float32]
    of_pieces: Mapping[str, NDArray[np.float32]]
    is_short: NDArray[np.bool_]

    @cached_property
    def best(self) -> NDArray[np.float32]:
        """The contribution of the best piece of each text (column) to each query piece (row)."""
        return self.scoring.worth(self.highest) * self.weight[:, None]

    @cached_property
    def windows(self) -> NDArray[np.float32]:
        """The contribution of each text (column) to each window of the query (row)."""
        return window_sums(self.best, self.scoring.window)

    @cached_property
    def in_best_window(self) -> NDArray[np.float32]:
        """The contributions in the best window for each text (column), the highest last."""
        width = self.scoring.window
        begin = self.windows.argmax(axis=0)
        # A window can be wider than the query.
        beyond = np.zeros((max(width - len(self.best), 0), len(begin)), np.float32)
        contributions = np.concatenate([self.best, beyond])
        inside: NDArray[np.float32] = contributions[
            begin + np.arange(width)[:, None], np.arange(len(begin))
        ]
        inside.sort(axis=0)
        return inside


@dataclass(eq=False)
class _Block:
    """A query compared with texts of similar length, piece by piece.

    Attributes
    ----------
    weight
        The weights of the query's pieces.
    products
        Those of the vectors of pieces: place in the text × text × piece of the query. Beyond the
        end of a text its last piece is repeated, which changes no maximum.
    lengths, source_weight
        The number of pieces of each text, and their weights, one text after the other.
    """

    scoring: Scoring
    weight: NDArray[np.float32]
    products: NDArray[np.float32]
    lengths: NDArray[np.int64]
    source_weight: NDArray[np.float32]

    @cached_property
    def worth(self) -> NDArray[np.float32]:
        """The contribution of each text piece to each query piece, unweighted."""
        return self.scoring.worth(self.products)


def _window(compared: Compared) -> NDArray[np.float32]:
    """Return the mean contribution in the best window of the query."""
    return _highest(compared.windows) / np.float32(compared.scoring.window)


def _best_of_width(compared: Compared, width: int) -> NDArray[np.float32]:
    """Return the same with a window of another width."""
    return _highest(window_sums(compared.best, width)) / np.float32(width)


def _whole(compared: Compared) -> NDArray[np.float32]:
    """Return the share of the query's weight that has a match."""
    answered: NDArray[np.float32] = window_sums(compared.best, len(compared.best))[0]
    return answered / _or_one(compared.weight.sum(keepdims=True))


def _local(compared: Compared) -> NDArray[np.float32]:
    """Return the best window whose matches are close together in the text too."""
    near = compared.of_pieces["local"] / np.float32(compared.scoring.window)
    return np.where(compared.is_short, _window(compared), near)


def _near(block: _Block) -> NDArray[np.float32]:
    """Return the best window, summed, in each text that is longer than the window of a text."""
    places, texts, pieces = block.products.shape
    if places <= block.scoring.answer:
        return np.zeros(texts, np.float32)
    # Windows of the text are runs of rows, those of the query runs of columns. Pieces that are
    # repeated beyond the end of a text add windows, but no better ones.
    rows = block.worth.reshape(places, texts * pieces)
    near = sliding(np.maximum, rows, block.scoring.answer) * np.tile(block.weight, texts)
    width = min(block.scoring.window, pieces)
    sums = np.zeros(texts * pieces, np.float32)
    sums[: len(sums) - width + 1] = sliding(np.add, near.T, width).max(axis=1)
    # Windows that begin in the last columns of a text reach into the next.
    whole = sums.reshape(texts, pieces)[:, : pieces - width + 1]
    return _highest(whole.T)


def _best_pieces(compared: Compared, count: int) -> NDArray[np.float32]:
    """Return the sum of the best contributions in the best window."""
    found: NDArray[np.float32] = window_sums(compared.in_best_window[-count:], count)[0]
    return found


def _answered(block: _Block) -> NDArray[np.float32]:
    """Return the share of the text's weight that the query matches."""
    places, texts, pieces = block.worth.shape
    # NumPy finds maxima of whole columns faster than those of short rows, even after a copy.
    columns = np.ascontiguousarray(block.worth.reshape(-1, pieces).T)
    highest = columns.max(axis=0).reshape(places, texts).T
    own = np.arange(highest.shape[1]) < block.lengths[:, None]
    worth = highest[own] * block.source_weight
    begins = np.cumsum(block.lengths) - block.lengths
    answered: NDArray[np.float32] = np.add.reduceat(worth, begins)
    total: NDArray[np.float32] = np.add.reduceat(block.source_weight, begins)
    return answered / _or_one(total)


VIEWS: Mapping[str, Callable[[Compared], NDArray[np.float32]]] = {
    "window": _window,
    "narrow": lambda compared: _best_of_width(compared, compared.scoring.narrow),
    "wide": lambda compared: _best_of_width(compared, compared.scoring.wide),
    "whole": _whole,
    "local": _local,
    "second": partial(_best_pieces, count=2),
    "third": partial(_best_pieces, count=3),
    "answered": lambda compared: compared.of_pieces["answered"],
}

_VIEWS_OF_PIECES: Mapping[str, Callable[[_Block], NDArray[np.float32]]] = {
    "local": _near,
    "answered": _answered,
}
"""What views need besides the best pieces."""


def score_texts(
    query: Pieces,
    source: Pieces,
    texts: NDArray[np.int64],
    scoring: Scoring,
    views: Sequence[str] = ("window",),
) -> NDArray[np.float32]:
    """Return the views (rows) of a query with some texts (columns).

    If query and text are both as long as books, only the beginning of the text counts: the matrix
    must fit into memory.
    """
    found = np.zeros((len(views), len(texts)), np.float32)
    if not len(query.vectors):
        return found
    filled = np.flatnonzero(source.lengths_of(texts))
    most = max(_MOST_TOGETHER // len(query.vectors), 1)
    for begin in range(0, len(filled), most):
        places = filled[begin : begin + most]
        compared = _compare(query, source, texts[places], scoring, views)
        for row, view in enumerate(views):
            found[row, places] = VIEWS[view](compared)
    return found


def _compare(
    query: Pieces,
    source: Pieces,
    texts: NDArray[np.int64],
    scoring: Scoring,
    views: Sequence[str],
) -> Compared:
    pieces = len(query.vectors)
    products_with = ByteProducts(query.vectors)
    highest = np.empty((len(texts), pieces), np.float32)
    of_pieces = {
        view: np.empty(len(texts), np.float32) for view in views if view in _VIEWS_OF_PIECES
    }
    all_lengths = source.lengths_of(texts)
    for places, lengths in _blocks(all_lengths, pieces):
        begins = source.bounds[texts[places]]
        place = np.minimum(np.arange(lengths[0])[:, None], lengths - 1)
        products = products_with.of(source.vectors.take((begins + place).ravel(), axis=0))
        products = products.reshape(*place.shape, pieces)
        highest[places] = products.max(axis=0)
        if of_pieces:
            weight = source.weight[ranges(begins, lengths)]
            block = _Block(scoring, query.weight, products, lengths, weight)
            for view, column in of_pieces.items():
                column[places] = _VIEWS_OF_PIECES[view](block)
    is_short = all_lengths <= scoring.answer
    columns = np.ascontiguousarray(highest.T)
    return Compared(scoring, query.weight, columns, of_pieces, is_short)


def _blocks(
    lengths: NDArray[np.int64], pieces: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield texts of similar lengths to compare together, the longest first.

    Yield their places, and the numbers of their pieces that count.
    """
    room = max(min(_ROWS_PER_BLOCK, _CELLS_PER_BLOCK // pieces), 1)
    most = max(_MOST_CELLS // pieces, room)
    order = np.argsort(-lengths, kind="stable")
    ordered = np.minimum(lengths[order], most)
    begin = 0
    while begin < len(order):
        longest = int(ordered[begin])
        similar = int(np.searchsorted(-ordered, -longest * _SIMILAR_LENGTH, side="right"))
        own = slice(begin, max(min(begin + room // longest, similar), begin + 1))
        yield order[own], ordered[own]
        begin = own.stop


def _highest(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the highest value of each column."""
    found: NDArray[np.float32] = values.max(axis=0)
    return found


def _or_one(totals: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return totals to divide by: without any weight, the share is 0."""
    return np.where(totals > 0, totals, np.float32(1))
