"""What two texts are worth to each other, from the similarities of all pieces of their words.

The similarities of a query with some texts are one matrix, pieces of the query × pieces of the
texts; every view of a pair is computed from it. A new one is a function with a name in `VIEWS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.retrieve.late_words import STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.retrieve.late_words import Words

__all__ = ["VIEWS", "Compared", "Scoring", "check_views", "score_texts", "sliding"]

_NUMBERS_AT_A_TIME = 1 << 18  # of a matrix of similarities, which then stays in the cache
_ROWS_AT_A_TIME = 1 << 13
_MOST_NUMBERS = 1 << 24
_CUBE = 3


@dataclass(frozen=True, slots=True)
class Scoring:
    """How contributions of pieces are made and added up.

    Attributes
    ----------
    window, narrow, wide
        How many neighbouring pieces of a query are looked at together.
    answer
        Among how many neighbouring pieces of a source those must lie that answer, for ``local``.
    power
        How much one near piece is preferred to several that are less so.
    """

    window: int = 5
    narrow: int = 3
    wide: int = 8
    answer: int = 10
    power: float = 3.0

    def worth(self, products: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return what pairs of pieces are worth, given the products of their vectors in steps."""
        cosines = np.clip(products, 0, STEPS**2)
        cosines *= np.float32(1 / STEPS**2)
        if self.power == _CUBE:
            cubes = cosines * cosines
            cubes *= cosines
            return cubes
        return cosines if self.power == 1 else np.power(cosines, np.float32(self.power))


@dataclass(eq=False)
class Compared:
    """A query, compared with some texts, all of which have words.

    Attributes
    ----------
    scoring
        How pieces count.
    weight, source_weight
        Of the pieces of the query, and of the texts.
    products
        Of the vectors of the query's pieces (rows) and those of the texts (columns), in steps.
    begins
        The first column of each text.
    """

    scoring: Scoring
    weight: NDArray[np.float32]
    source_weight: NDArray[np.float32]
    products: NDArray[np.float32]
    begins: NDArray[np.int64]

    @cached_property
    def worth(self) -> NDArray[np.float32]:
        """What each piece of the texts (column) is worth to each piece of the query (row)."""
        return self.scoring.worth(self.products)

    @cached_property
    def best(self) -> NDArray[np.float32]:
        """What the best piece of each text (column) contributes to each of the query (row)."""
        highest = np.maximum.reduceat(self.products, self.begins, axis=1)
        return self.scoring.worth(highest) * self.weight[:, None]

    @cached_property
    def windows(self) -> NDArray[np.float32]:
        """What each text (column) contributes to each window of the query (row)."""
        return window_sums(self.best, self.scoring.window)


def _window(compared: Compared) -> NDArray[np.float32]:
    """Return the best window of the query, a piece of it on average."""
    return _highest(compared.windows) / np.float32(compared.scoring.window)


def _narrow(compared: Compared) -> NDArray[np.float32]:
    """Return the same with a narrower window."""
    return _best_of_width(compared, compared.scoring.narrow)


def _wide(compared: Compared) -> NDArray[np.float32]:
    """Return the same with a wider window."""
    return _best_of_width(compared, compared.scoring.wide)


def _best_of_width(compared: Compared, width: int) -> NDArray[np.float32]:
    return _highest(window_sums(compared.best, width)) / np.float32(width)


def _whole(compared: Compared) -> NDArray[np.float32]:
    """Return the share of the weight of the query that is answered."""
    answered: NDArray[np.float32] = window_sums(compared.best, len(compared.best))[0]
    return answered / _or_one(compared.weight.sum(keepdims=True))


def _local(compared: Compared) -> NDArray[np.float32]:
    """Return the best window whose answers stand close together too."""
    width = compared.scoring.answer
    found = _window(compared)
    ends = np.append(compared.begins[1:], compared.products.shape[1])
    # A text that is no longer than that is one window. In others, windows that begin less than a
    # width before the end, and reach into the next text, see nothing that the one before does not.
    long = np.flatnonzero(ends - compared.begins > width)
    if len(long):
        near = sliding(np.maximum, compared.worth.T, width).T * compared.weight[:, None]
        sums = _highest(window_sums(near, compared.scoring.window))
        # Where the last text ends there is no next one to begin.
        sums = np.concatenate([sums, np.zeros(1, np.float32)])
        borders = np.stack([compared.begins[long], ends[long] - width + 1], axis=1).ravel()
        highest = np.maximum.reduceat(sums, borders)[::2]
        found[long] = highest / np.float32(compared.scoring.window)
    return found


def _best_pieces(compared: Compared, count: int) -> NDArray[np.float32]:
    """Return the sum of the best contributions in the best window."""
    width = compared.scoring.window
    begin = compared.windows.argmax(axis=0)
    # The windows of a short query reach beyond its end.
    beyond = np.zeros((max(width - len(compared.best), 0), len(begin)), np.float32)
    contributions = np.concatenate([compared.best, beyond])
    inside = contributions[begin + np.arange(width)[:, None], np.arange(len(begin))]
    inside.sort(axis=0)
    found: NDArray[np.float32] = window_sums(inside[-count:], count)[0]
    return found


def _second(compared: Compared) -> NDArray[np.float32]:
    """Return the sum of the two best contributions in the best window."""
    return _best_pieces(compared, 2)


def _third(compared: Compared) -> NDArray[np.float32]:
    """Return the sum of the three best contributions in the best window."""
    return _best_pieces(compared, 3)


def _answered(compared: Compared) -> NDArray[np.float32]:
    """Return the share of the weight of the text that is answered by the query."""
    worth = compared.worth.max(axis=0) * compared.source_weight
    answered: NDArray[np.float32] = np.add.reduceat(worth, compared.begins)
    total: NDArray[np.float32] = np.add.reduceat(compared.source_weight, compared.begins)
    return answered / _or_one(total)


VIEWS: Mapping[str, Callable[[Compared], NDArray[np.float32]]] = {
    "window": _window,
    "narrow": _narrow,
    "wide": _wide,
    "whole": _whole,
    "local": _local,
    "second": _second,
    "third": _third,
    "answered": _answered,
}


def check_views(views: Sequence[str]) -> None:
    """Raise a ParameterError if there is no such view."""
    unknown = [view for view in views if view not in VIEWS]
    if unknown:
        raise ParameterError(
            f"there is no view {unknown[0]!r} of a pair", hint=f"choose among {', '.join(VIEWS)}"
        )


def score_texts(
    query: Words,
    source: Words,
    texts: NDArray[np.int64],
    scoring: Scoring,
    views: Sequence[str] = ("window",),
) -> NDArray[np.float32]:
    """Return the views (rows) of a query with some texts (columns).

    If a query and a text are both as long as books, only the beginning of the text counts: the
    matrix must fit into memory.

    Parameters
    ----------
    query
        The pieces of one text.
    source, texts
        The pieces of many, and which of them are wanted.
    scoring
        How pieces count.
    views
        Names of `VIEWS`.
    """
    found = np.zeros((len(views), len(texts)), np.float32)
    if not len(query.vectors):
        return found
    asking = np.ascontiguousarray(query.vectors, np.float32)
    lengths_of_all = source.lengths_of(texts)
    with_words = np.flatnonzero(lengths_of_all)
    room = max(min(_ROWS_AT_A_TIME, _NUMBERS_AT_A_TIME // len(asking)), 1)
    most = max(_MOST_NUMBERS // len(asking), room)
    for places in _runs(with_words, lengths_of_all[with_words], room):
        own = texts[places]
        lengths = lengths_of_all[places]
        rows = source.rows_of(own)
        if len(rows) > most:  # then it is one text
            rows = rows[:most]
            lengths = np.array([most])
        products = asking @ source.vectors[rows].astype(np.float32).T
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
    """Return what can be divided by: where there is no weight at all, there is no share either."""
    return np.where(totals > 0, totals, np.float32(1))


def window_sums(values: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """Return the sums of all windows of rows; of the one there is, if there are no more rows."""
    return sliding(np.add, values, min(width, len(values)))


def sliding(function: np.ufunc, values: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """Return what a function makes of each run of so many rows.

    Runs are put together from runs of 1, 2, 4, 8 … rows: nothing is subtracted again, which would
    leave traces of what is not in the window, and columns never meet, so that the same column gives
    the same bits whatever is beside it (which NumPy's own sums do not promise).

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
    """Join each run with the one that follows it, as far as there is one."""
    both = min(len(one), len(other))
    found: NDArray[np.float32] = function(one[:both], other[:both])
    return found


def _runs(
    places: NDArray[np.int64], lengths: NDArray[np.int64], room: int
) -> Iterator[NDArray[np.int64]]:
    """Yield runs of texts that have few enough pieces together, or are alone."""
    ends = np.cumsum(lengths)
    begin = 0
    while begin < len(places):
        before = ends[begin - 1] if begin else 0
        end = max(int(np.searchsorted(ends, before + room, side="right")), begin + 1)
        yield places[begin:end]
        begin = end
