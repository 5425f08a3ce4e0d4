"""The input of a cross-encoder: pairs of texts in word pieces; each text is cut once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.models.batches import ranges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from locisimiles.models.pieces import PieceTokenizer

__all__ = [
    "CLASSES",
    "MARKS",
    "OUR_TEMPLATE",
    "PairBatch",
    "PairTemplate",
    "PairTexts",
    "TextPieces",
    "needed_texts",
    "read_text_pieces",
]

CLASSES = 3
"""No match, cit., cf."""
MARKS = 4
"""The marks of pieces: 0 query, 1 source; 2 and 3 if the other side has the piece too."""


@dataclass(frozen=True, slots=True, eq=False)
class TextPieces:
    """The word pieces of texts: text ``i`` has ``piece[bounds[i]:bounds[i + 1]]``."""

    piece: NDArray[np.integer[Any]]
    bounds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def lengths(self, longest: int) -> NDArray[np.int64]:
        """Return the number of pieces of each text, at most `longest`."""
        return np.minimum(np.diff(self.bounds), longest)

    def select(self, rows: NDArray[np.integer[Any]], longest: int) -> TextPieces:
        """Return some texts, truncated to `longest` pieces."""
        length = self.lengths(longest)[rows]
        bounds = np.concatenate([[0], np.cumsum(length)])
        return TextPieces(self.piece[ranges(self.bounds[rows], length)], bounds)

    def arrays(self, name: str) -> dict[str, NDArray[np.generic]]:
        """Return the columns for files, by names that begin with `name`."""
        return {f"{name}_piece": self.piece, f"{name}_bounds": self.bounds}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]], name: str) -> TextPieces:
        """Return the texts that `arrays` wrote."""
        bounds = arrays[f"{name}_bounds"].astype(np.int64)
        return cls(arrays[f"{name}_piece"].astype(np.uint16), bounds)


@dataclass(frozen=True, slots=True)
class PairTemplate:
    """The special pieces around query and source; by default those of our encoder.

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
        """The number of special pieces in a pair."""
        return len(self.before) + len(self.between) + len(self.after)

    def half(self, budget: int) -> int:
        """Return the maximum number of pieces of each side in a pair of `budget` pieces."""
        return max((budget - self.size) // 2, 0)


OUR_TEMPLATE = PairTemplate()


@dataclass(frozen=True, slots=True, eq=False)
class PairBatch:
    """Some pairs, padded to one length: pieces, their `MARKS`, and the lengths of both sides."""

    numbers: NDArray[np.int64]
    marks: NDArray[np.int64]
    lengths: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PairTexts:
    """The texts of both sides of pairs.

    Attributes
    ----------
    budget
        Maximum number of pieces in a pair; each side gets half.
    matches
        Whether pieces on both sides are marked.

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
        """The maximum number of pieces of each side."""
        return self.template.half(self.budget)

    def lengths(
        self, query: NDArray[np.integer[Any]], source: NDArray[np.integer[Any]]
    ) -> NDArray[np.int64]:
        """Return the number of pieces of each pair, special ones included."""
        of_query, of_source = self.query.lengths(self.half), self.source.lengths(self.half)
        lengths: NDArray[np.int64] = of_query[query] + of_source[source] + self.template.size
        return lengths

    def batch(self, query: NDArray[np.integer[Any]], source: NDArray[np.integer[Any]]) -> PairBatch:
        """Return some pairs, padded to one length."""
        query_length, source_length = (
            np.minimum(side.bounds[rows + 1] - side.bounds[rows], self.half)[:, None]
            for side, rows in ((self.query, query), (self.source, source))
        )
        template = self.template
        first = len(template.before)
        begin = first + query_length + len(template.between)
        longest = int((query_length + source_length).max(initial=0))
        column = np.arange(longest + template.size)[None, :]
        numbers = np.full((len(query), column.shape[1]), template.padding, np.int64)
        in_query = (column >= first) & (column < first + query_length)
        in_source = (column >= begin) & (column < begin + source_length)
        flat = self.query.bounds[query][:, None] + column - first
        numbers[in_query] = self.query.piece[flat[in_query]]
        flat = self.source.bounds[source][:, None] + column - begin
        numbers[in_source] = self.source.piece[flat[in_source]]
        for place, special in (
            (np.zeros_like(query_length), template.before),
            (first + query_length, template.between),
            (begin + source_length, template.after),
        ):
            for offset, piece in enumerate(special):
                np.put_along_axis(numbers, place + offset, piece, axis=1)
        end = begin + source_length + len(template.after)
        marks = ((column >= begin) & (column < end)).astype(np.int64)
        if self.matches:
            marks += 2 * _on_both_sides(numbers, in_query, in_source)
        return PairBatch(numbers, marks, np.concatenate([query_length, source_length], axis=1))


def _on_both_sides(
    numbers: NDArray[np.int64], in_query: NDArray[np.bool_], in_source: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Tell which pieces the other side of their pair has too."""
    small = numbers.astype(np.int32)
    # Compare each piece of the query with each of the source; -1 and -2 equal nothing.
    last = int(np.flatnonzero(in_query.any(axis=0)).max(initial=0)) + 1
    query = np.where(in_query, small, -1)[:, :last]
    source = np.where(in_source, small, -2)
    same = query[:, :, None] == source[:, None, :]
    both: NDArray[np.bool_] = same.any(axis=1)
    both[:, :last] |= same.any(axis=2)
    return both


def needed_texts(
    texts: Sequence[str], positions: NDArray[np.integer[Any]]
) -> tuple[list[str], NDArray[np.int64]]:
    """Return the texts at some positions, each once, and the new positions among them.

    Examples
    --------
    >>> needed_texts(["arma", "uirum", "cano"], np.array([2, 0, 2]))
    (['arma', 'cano'], array([1, 0, 1]))
    """
    used, rows = np.unique(positions, return_inverse=True)
    return [texts[row] for row in used.tolist()], rows.reshape(-1)


def read_text_pieces(tokenizer: PieceTokenizer, texts: Sequence[str], longest: int) -> TextPieces:
    """Cut texts into word pieces, at most `longest` each; a text without words has none."""
    pieces = tokenizer.read(texts)
    whole = TextPieces(pieces.number.astype(np.uint16), pieces.bounds)
    return whole.select(np.arange(len(texts)), longest)
