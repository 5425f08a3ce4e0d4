"""The input of our encoder: word pieces of texts, and windows over long texts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.latin.units import text_units

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = [
    "SPECIAL_PIECES",
    "PieceTable",
    "PieceTokenizer",
    "Window",
    "windows",
    "without_surrogates",
]

SPECIAL_PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
"""The first pieces of the vocabularies of our encoder and of LatinBERT."""
_UNKNOWN = SPECIAL_PIECES.index("[UNK]")
_OVERLAP = 4  # a window shares a quarter of its pieces with the next
_MOST_KEPT = 1_000_000


@dataclass(frozen=True, slots=True)
class Window:
    """A run of pieces, ``begin`` to ``end``, that is one input of the encoder.

    Pieces from ``first`` to ``last`` take their vectors from it; the others have more context in
    another window.
    """

    begin: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class PieceTable:
    """The word pieces of many texts, as columns.

    Attributes
    ----------
    number
        The id of each piece in the vocabulary.
    unit
        Its unit: a word or a punctuation mark, counted over all texts.
    bounds
        Text ``i`` has the pieces from ``bounds[i]`` to ``bounds[i + 1]``.
    start, end, is_word
        The span of each unit in its text, and whether it is a word.
    """

    number: NDArray[np.int64]
    unit: NDArray[np.int64]
    bounds: NDArray[np.int64]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    is_word: NDArray[np.bool_]

    def windows(self, longest: int) -> list[Window]:
        """Return the windows over all texts."""
        runs = pairwise(self.bounds.tolist())
        return [window for begin, end in runs for window in windows(begin, end, longest)]


class PieceTokenizer:
    """Cuts texts into word pieces with a tokenizer of the tokenizers library.

    Each distinct unit is cut once.
    """

    def __init__(self, tokenizer: Any) -> None:  # noqa: ANN401 - tokenizers has no types
        self._tokenizer = tokenizer
        self._known: dict[str, list[int]] = {}

    def read(self, texts: Sequence[str]) -> PieceTable:
        """Return the pieces of texts; a text without words has none."""
        texts_units = [
            units if any(not unit.is_stop for unit in units) else [] for units in text_units(texts)
        ]
        flat = [unit for units in texts_units for unit in units]
        self._learn({unit.text for unit in flat})
        numbers = [self._known[unit.text] for unit in flat]
        sizes = np.array([len(unit_numbers) for unit_numbers in numbers], np.int64)
        unit_bounds = np.cumsum([0, *map(len, texts_units)], dtype=np.int64)
        return PieceTable(
            number=np.array([n for unit_numbers in numbers for n in unit_numbers], np.int64),
            unit=np.repeat(np.arange(len(flat)), sizes),
            bounds=np.concatenate([[0], np.cumsum(sizes)])[unit_bounds],
            start=np.array([unit.start for unit in flat], np.int32),
            end=np.array([unit.end for unit in flat], np.int32),
            is_word=np.array([not unit.is_stop for unit in flat], np.bool_),
        )

    def _learn(self, units: set[str]) -> None:
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        new = sorted(units - self._known.keys())
        encoded = self._tokenizer.encode_batch(
            [without_surrogates(unit) for unit in new], add_special_tokens=False
        )
        for unit, pieces in zip(new, encoded, strict=True):
            self._known[unit] = pieces.ids or [_UNKNOWN]


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which tokenizers refuse; spans stay the same."""
    return text.encode("utf-8", "replace").decode("utf-8")


def windows(begin: int, end: int, longest: int) -> Iterator[Window]:
    """Yield overlapping windows over a run of pieces; each piece belongs to one, with context.

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
    # In an overlap, each piece belongs to the window whose edge is further away.
    seams = [(one + longest + other) // 2 for one, other in pairwise(begins)]
    for place, first, last in zip(begins, [begin, *seams], [*seams, end], strict=True):
        if last > first:
            yield Window(place, min(place + longest, end), first, last)
