"""Pairs of texts as a cross-encoder reads them; each text is cut into pieces once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from locisimiles.models.pieces import PieceReader

__all__ = [
    "CLASSES",
    "MARKS",
    "OUR_TEMPLATE",
    "PairBatch",
    "PairTemplate",
    "PairTexts",
    "TextPieces",
    "batches_by_length",
    "read_text_pieces",
]

CLASSES = 3
"""No match, cit., cf."""
MARKS = 4
"""What a piece is marked as: 0 query, 1 source; and 2 and 3 if it stands on the other side too."""


@dataclass(frozen=True, slots=True, eq=False)
class TextPieces:
    """Texts as word pieces, in columns.

    Attributes
    ----------
    piece
        The pieces of all texts.
    bounds
        The pieces of text ``i`` are those from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    piece: NDArray[np.integer[Any]]
    bounds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def lengths(self, longest: int) -> NDArray[np.int64]:
        """Return how many pieces each text has, at most `longest`."""
        return np.minimum(np.diff(self.bounds), longest)

    def select(self, rows: NDArray[np.integer[Any]], longest: int) -> TextPieces:
        """Return some texts, cut off after `longest` pieces."""
        length = self.lengths(longest)[rows]
        bounds = np.concatenate([[0], np.cumsum(length)])
        within = np.arange(bounds[-1]) - np.repeat(bounds[:-1], length)
        return TextPieces(self.piece[np.repeat(self.bounds[rows], length) + within], bounds)

    def arrays(self, name: str) -> dict[str, NDArray[np.generic]]:
        """Return the columns under names that begin with `name`, for files."""
        return {f"{name}_piece": self.piece, f"{name}_bounds": self.bounds}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]], name: str) -> TextPieces:
        """Return what `arrays` gave."""
        bounds = arrays[f"{name}_bounds"].astype(np.int64)
        return cls(arrays[f"{name}_piece"].astype(np.uint16), bounds)


@dataclass(frozen=True, slots=True)
class PairTemplate:
    """The special pieces of a pair; by default those of our own encoder.

    Attributes
    ----------
    before, between, after
        What stands before the query, between query and source, and after the source.
    padding
        What rows are filled up with.

    Examples
    --------
    >>> PairTemplate().half(128), PairTemplate((0,), (2, 2), (2,), 1).half(128)
    (62, 62)
    """

    before: tuple[int, ...] = (2,)
    between: tuple[int, ...] = (3,)
    after: tuple[int, ...] = (3,)
    padding: int = 0

    @property
    def size(self) -> int:
        """How many special pieces a pair has."""
        return len(self.before) + len(self.between) + len(self.after)

    def half(self, budget: int) -> int:
        """Return how many pieces of each side are read if a pair may have so many in all."""
        return max((budget - self.size) // 2, 0)


OUR_TEMPLATE = PairTemplate()


@dataclass(frozen=True, slots=True, eq=False)
class PairBatch:
    """A few pairs, filled up to the same length.

    Attributes
    ----------
    numbers
        Word pieces, a row a pair, 0 where there is none.
    marks
        0 for pieces of the query, 1 for those of the source, 2 more if they stand on both sides.
    lengths
        How many pieces query and source have, a row a pair.
    """

    numbers: NDArray[np.int64]
    marks: NDArray[np.int64]
    lengths: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PairTexts:
    """The texts that pairs are made of.

    Attributes
    ----------
    query, source
        The texts of the two sides.
    budget
        How many pieces a pair may have in all; each side gets half.
    matches
        Whether pieces that stand on both sides are marked.
    template
        What stands around them.

    Examples
    --------
    >>> texts = PairTexts(
    ...     TextPieces(np.array([7, 8], np.uint16), np.array([0, 2])),
    ...     TextPieces(np.array([9, 7, 5], np.uint16), np.array([0, 2, 3])),
    ... )
    >>> batch = texts.batch(np.array([0, 0]), np.array([0, 1]))
    >>> batch.numbers
    array([[2, 7, 8, 3, 9, 7, 3],
           [2, 7, 8, 3, 5, 3, 0]])
    >>> batch.marks
    array([[0, 2, 0, 0, 1, 3, 1],
           [0, 0, 0, 0, 1, 1, 0]])
    """

    query: TextPieces
    source: TextPieces
    budget: int = 128
    matches: bool = True
    template: PairTemplate = OUR_TEMPLATE

    @property
    def half(self) -> int:
        """How many pieces of each side are read."""
        return self.template.half(self.budget)

    def lengths(
        self, query: NDArray[np.integer[Any]], source: NDArray[np.integer[Any]]
    ) -> NDArray[np.int64]:
        """Return how many pieces each pair has, the special ones included."""
        own, other = self.query.lengths(self.half), self.source.lengths(self.half)
        pieces: NDArray[np.int64] = own[query] + other[source] + self.template.size
        return pieces

    def batch(self, query: NDArray[np.integer[Any]], source: NDArray[np.integer[Any]]) -> PairBatch:
        """Return some pairs, filled up to the same length."""
        own, other = (
            np.minimum(side.bounds[rows + 1] - side.bounds[rows], self.half)[:, None]
            for side, rows in ((self.query, query), (self.source, source))
        )
        template = self.template
        first = len(template.before)
        begin = first + own + len(template.between)
        column = np.arange(int((own + other).max(initial=0)) + template.size)[None, :]
        numbers = np.full((len(query), column.shape[1]), template.padding, np.int64)
        of_query = (column >= first) & (column < first + own)
        of_source = (column >= begin) & (column < begin + other)
        flat = self.query.bounds[query][:, None] + column - first
        numbers[of_query] = self.query.piece[flat[of_query]]
        flat = self.source.bounds[source][:, None] + column - begin
        numbers[of_source] = self.source.piece[flat[of_source]]
        for place, special in (
            (np.zeros_like(own), template.before),
            (first + own, template.between),
            (begin + other, template.after),
        ):
            for offset, piece in enumerate(special):
                np.put_along_axis(numbers, place + offset, piece, axis=1)
        end = begin + other + len(template.after)
        marks = ((column >= begin) & (column < end)).astype(np.int64)
        if self.matches:
            marks += 2 * _on_both_sides(numbers, of_query, of_source)
        return PairBatch(numbers, marks, np.concatenate([own, other], axis=1))


def _on_both_sides(
    numbers: NDArray[np.int64], of_query: NDArray[np.bool_], of_source: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which pieces stand on the other side of their pair too."""
    small = numbers.astype(np.int32)
    # Each piece of the query with each of the source; what is neither is like nothing.
    last = int(np.flatnonzero(of_query.any(axis=0)).max(initial=0)) + 1
    query = np.where(of_query, small, -1)[:, :last]
    source = np.where(of_source, small, -2)
    same = query[:, :, None] == source[:, None, :]
    both: NDArray[np.bool_] = same.any(axis=1)
    both[:, :last] |= same.any(axis=2)
    return both


def read_text_pieces(reader: PieceReader, texts: Sequence[str], longest: int) -> TextPieces:
    """Cut texts into word pieces, and off after `longest` of them.

    Parameters
    ----------
    reader
        Knows the vocabulary.
    texts
        Any texts; one without a word has no pieces.
    longest
        How many pieces of a text are kept.
    """
    pieces = reader.read(texts)
    whole = TextPieces(pieces.number.astype(np.uint16), pieces.bounds)
    return whole.select(np.arange(len(texts)), longest)


def batches_by_length(lengths: NDArray[np.int64], most_pieces: int) -> Iterator[NDArray[np.int64]]:
    """Yield pairs of like lengths together, the longest first.

    Parameters
    ----------
    lengths
        Of all pairs.
    most_pieces
        How many pieces a batch has at most, with what it is filled up with.

    Raises
    ------
    ParameterError
        If not even one pair is allowed.

    Examples
    --------
    >>> [rows.tolist() for rows in batches_by_length(np.array([3, 9, 4, 8]), 18)]
    [[1, 3], [2, 0]]
    """
    if most_pieces < 1:
        raise ParameterError(f"most_pieces={most_pieces} has no room for a pair")
    order = np.argsort(-lengths, kind="stable")
    begin = 0
    while begin < len(order):
        size = max(1, most_pieces // int(lengths[order[begin]]))
        yield order[begin : begin + size]
        begin += size
