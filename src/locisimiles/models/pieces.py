"""Texts as the encoder reads them: units, their word pieces, and windows over long texts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.latin.units import text_units

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["PieceReader", "Pieces", "Window", "windows"]

_UNKNOWN = 1
_OVERLAP = 4  # a window shares a quarter of its pieces with the next
_MOST_KEPT = 1_000_000


@dataclass(frozen=True, slots=True)
class Window:
    """A run of pieces that the encoder reads at once.

    Attributes
    ----------
    begin, end
        Which pieces are read.
    first, last
        Which of them get their vectors here; the others have more context in another window.
    """

    begin: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The word pieces of many texts, as columns.

    Attributes
    ----------
    number
        The number of each piece in the vocabulary.
    unit
        The unit it is a part of, counted over all texts.
    bounds
        The pieces of text ``i`` are those from ``bounds[i]`` to ``bounds[i + 1]``.
    start, end
        Where each unit stands in its text.
    is_word
        Whether a unit is a word, not a stop.
    unit_bounds
        The units of text ``i`` are those from ``unit_bounds[i]`` to ``unit_bounds[i + 1]``.
    """

    number: NDArray[np.int64]
    unit: NDArray[np.int64]
    bounds: NDArray[np.int64]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    is_word: NDArray[np.bool_]
    unit_bounds: NDArray[np.int64]

    def windows(self, longest: int) -> list[Window]:
        """Return what is read at once."""
        runs = pairwise(self.bounds.tolist())
        return [window for begin, end in runs for window in windows(begin, end, longest)]


class PieceReader:
    """Cuts texts into word pieces, each distinct unit once.

    Parameters
    ----------
    tokenizer
        A tokenizer of the library of that name.
    """

    def __init__(self, tokenizer: Any) -> None:  # noqa: ANN401 - tokenizers has no types
        self._tokenizer = tokenizer
        self._known: dict[str, list[int]] = {}

    def read(self, texts: Sequence[str]) -> Pieces:
        """Return the pieces of texts; a text without a word has none."""
        units = [own if any(not unit.is_stop for unit in own) else [] for own in text_units(texts)]
        flat = [unit for own in units for unit in own]
        self._learn({unit.text for unit in flat})
        pieces = [self._known[unit.text] for unit in flat]
        sizes = np.array([len(own) for own in pieces], np.int64)
        unit_bounds = np.cumsum([0, *map(len, units)], dtype=np.int64)
        return Pieces(
            number=np.array([number for own in pieces for number in own], np.int64),
            unit=np.repeat(np.arange(len(flat)), sizes),
            bounds=np.concatenate([[0], np.cumsum(sizes)])[unit_bounds],
            start=np.array([unit.start for unit in flat], np.int32),
            end=np.array([unit.end for unit in flat], np.int32),
            is_word=np.array([not unit.is_stop for unit in flat], np.bool_),
            unit_bounds=unit_bounds,
        )

    def _learn(self, units: set[str]) -> None:
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        new = sorted(units - self._known.keys())
        # Halves of characters are what tokenizers refuse.
        clean = [unit.encode("utf-8", "replace").decode("utf-8") for unit in new]
        encoded = self._tokenizer.encode_batch(clean, add_special_tokens=False)
        for unit, own in zip(new, encoded, strict=True):
            self._known[unit] = own.ids or [_UNKNOWN]


def windows(begin: int, end: int, longest: int) -> Iterator[Window]:
    """Yield windows over a run of pieces, so that each piece is one's own and has context.

    Examples
    --------
    >>> list(windows(0, 5, 8))
    [Window(begin=0, end=5, first=0, last=5)]
    >>> [(window.begin, window.end, window.first, window.last) for window in windows(0, 15, 8)]
    [(0, 8, 0, 7), (6, 14, 7, 10), (7, 15, 10, 15)]
    """
    begins = [
        *range(begin, end - longest, longest - longest // _OVERLAP),
        max(begin, end - longest),
    ]
    # Where two windows overlap, each has the half that is further from its edge.
    seams = [(one + longest + other) // 2 for one, other in pairwise(begins)]
    for place, first, last in zip(begins, [begin, *seams], [*seams, end], strict=True):
        if last > first:
            yield Window(place, min(place + longest, end), first, last)
