"""Scores of a query with texts, from the similarities of all their pieces.

The similarities of a query with some texts form one matrix, pieces of the query × pieces of the
texts; every view of a pair is computed from it. A new view is a function with a name in `VIEWS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.late.pieces import STEPS
from locisimiles.models.batches import bounded_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.late.pieces import Pieces

__all__ = ["VIEWS", "Compared", "Scoring", "score_texts", "sliding", "window_sums"]

_CELLS_PER_BLOCK = 1 << 18  # a matrix of this size stays in the processor's cache
_ROWS_PER_BLOCK = 1 << 13
_MOST_CELLS = 1 << 24
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
    """A query compared with some texts, none of them empty.

    `weight` and `source_weight` are those of the query's and of the texts' pieces, `products` those
    of the vectors of query pieces (rows) and text pieces (columns). `begins` has the first column
    of each text.
    """

    scoring: Scoring
    weight: NDArray[np.float32]
    source_weight: NDArray[np.float32]
    products: NDArray[np.float32]
    begins: NDArray[np.int64]

    @cached_property
    def worth(self) -> NDArray[np.float32]:
        """The contribution of each text piece (column) to each query piece (row), unweighted."""
        return self.scoring.worth(self.products)

    @cached_property
    def best(self) -> NDArray[np.float32]:
        """The contribution of the best piece of each text (column) to each query piece (row)."""
        highest = np.maximum.reduceat(self.products, self.begins, axis=1)
        return self.scoring.worth(highest) * self.weight[:, None]

    @cached_property
    def windows(self) -> NDArray[np.float32]:
        """The contribution of each text (column) to each window of the query (row)."""
        return window_sums(self.best, self.scoring.window)


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
    width = compared.scoring.answer
    found = _window(compared)
    ends = np.append(compared.begins[1:], compared.products.shape[1])
    # A text no longer than that is one window. In others, windows that begin less than a width
    # before the end would reach into the next text; the last whole window covers what they do.
    long = np.flatnonzero(ends - compared.begins > width)
    if len(long):
        near = sliding(np.maximum, compared.worth.T, width).T * compared.weight[:, None]
        sums = _highest(window_sums(near, compared.scoring.window))
        # The last text has no successor, whose begin would be its end.
        sums = np.concatenate([sums, np.zeros(1, np.float32)])
        borders = np.stack([compared.begins[long], ends[long] - width + 1], axis=1).ravel()
        highest = np.maximum.reduceat(sums, borders)[::2]
        found[long] = highest / np.float32(compared.scoring.window)
    return found


def _best_pieces(compared: Compared, count: int) -> NDArray[np.float32]:
    """Return the sum of the best contributions in the best window."""
    width = compared.scoring.window
    begin = compared.windows.argmax(axis=0)
    # A window can be wider than the query.
    beyond = np.zeros((max(width - len(compared.best), 0), len(begin)), np.float32)
    contributions = np.concatenate([compared.best, beyond])
    inside = contributions[begin + np.arange(width)[:, None], np.arange(len(begin))]
    inside.sort(axis=0)
    found: NDArray[np.float32] = window_sums(inside[-count:], count)[0]
    return found


def _answered(compared: Compared) -> NDArray[np.float32]:
    """Return the share of the text's weight that the query matches."""
    worth = compared.worth.max(axis=0) * compared.source_weight
    answered: NDArray[np.float32] = np.add.reduceat(worth, compared.begins)
    total: NDArray[np.float32] = np.add.reduceat(compared.source_weight, compared.begins)
    return answered / _or_one(total)


VIEWS: Mapping[str, Callable[[Compared], NDArray[np.float32]]] = {
    "window": _window,
    "narrow": lambda compared: _best_of_width(compared, compared.scoring.narrow),
    "wide": lambda compared: _best_of_width(compared, compared.scoring.wide),
    "whole": _whole,
    "local": _local,
    "second": partial(_best_pieces, count=2),
    "third": partial(_best_pieces, count=3),
    "answered": _answered,
}


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
    query_vectors = np.ascontiguousarray(query.vectors, np.float32)
    all_lengths = source.lengths_of(texts)
    filled = np.flatnonzero(all_lengths)
    room = max(min(_ROWS_PER_BLOCK, _CELLS_PER_BLOCK // len(query_vectors)), 1)
    most = max(_MOST_CELLS // len(query_vectors), room)
    for run in bounded_runs(all_lengths[filled], room):
        places = filled[run]
        own = texts[places]
        lengths = all_lengths[places]
        rows = source.rows_of(own)
        if len(rows) > most:  # a single text
            rows = rows[:most]
            lengths = np.array([most])
        products = query_vectors @ source.vectors[rows].astype(np.float32).T
        begins = np.cumsum(lengths) - lengths
        compared = Compared(scoring, query.weight, source.weight[rows], products, begins)
        for row, view in enumerate(views):
            found[row, places] = VIEWS[view](compared)
    return found


def _highest(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the highest value of each column."""
    found: NDArray[np.float32] = values.max(axis=0)
    return found


def _or_one(totals: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return totals to divide by: without any weight, the share is 0."""
    return np.where(totals > 0, totals, np.float32(1))


def window_sums(values: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """Return the sums of all windows of rows; with fewer rows, of the one window there is."""
    return sliding(np.add, values, min(width, len(values)))


def sliding(function: np.ufunc, values: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """Reduce each window of `width` rows by a function.

    Windows are composed of runs of 1, 2, 4, 8 … rows. Nothing is subtracted, which would leave
    rounding errors of rows outside the window; and a column gives the same bits whatever the others
    are, which NumPy's own sums do not promise.

    Examples
    --------
    >>> sliding(np.add, np.array([1, 2, 3, 4, 5]), 3).tolist()
    [6, 9, 12]
    """
    runs, length = values, 1
    found: NDArray[np.float32] | None = None
    covered = 0
    while True:
        if width & length:
            found = runs if found is None else _joined(function, found, runs[covered:])
            covered += length
        if covered == width:
            return runs if found is None else found
        runs = _joined(function, runs, runs[length:])
        length *= 2


def _joined(
    function: np.ufunc, one: NDArray[np.float32], other: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Join each run with the one that follows it."""
    both = min(len(one), len(other))
    found: NDArray[np.float32] = function(one[:both], other[:both])
    return found
