"""Pairs of texts as batches of word pieces; each text is cut into pieces once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from numpy.typing import NDArray

__all__ = ["PairBatch", "PairTexts", "TextPieces", "batches_by_length", "training_batches"]

_START, _SEPARATOR = 2, 3
_SPECIAL = 3  # one before, one between, one after
_TOGETHER = 50  # batches among whose pairs those of like length are looked for


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

    piece: NDArray[np.uint16]
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

    @property
    def half(self) -> int:
        """How many pieces of each side are read."""
        return (self.budget - _SPECIAL) // 2

    def lengths(
        self, query: NDArray[np.integer[Any]], source: NDArray[np.integer[Any]]
    ) -> NDArray[np.int64]:
        """Return how many pieces each pair has, the special ones included."""
        return (
            self.query.lengths(self.half)[query] + self.source.lengths(self.half)[source] + _SPECIAL
        )

    def batch(self, query: NDArray[np.integer[Any]], source: NDArray[np.integer[Any]]) -> PairBatch:
        """Return some pairs, filled up to the same length."""
        own, other = (
            np.minimum(side.bounds[rows + 1] - side.bounds[rows], self.half)[:, None]
            for side, rows in ((self.query, query), (self.source, source))
        )
        column = np.arange(int((own + other).max(initial=0)) + _SPECIAL)[None, :]
        numbers = np.zeros((len(query), column.shape[1]), np.int64)
        numbers[:, 0] = _START
        of_query = (column >= 1) & (column <= own)
        of_source = (column >= own + 2) & (column < own + 2 + other)
        flat = self.query.bounds[query][:, None] + column - 1
        numbers[of_query] = self.query.piece[flat[of_query]]
        flat = self.source.bounds[source][:, None] + column - own - 2
        numbers[of_source] = self.source.piece[flat[of_source]]
        numbers[(column == own + 1) | (column == own + other + 2)] = _SEPARATOR
        marks = ((column >= own + 2) & (column <= own + other + 2)).astype(np.int64)
        if self.matches:
            marks += 2 * _on_both_sides(numbers, of_query, of_source)
        return PairBatch(numbers, marks, np.concatenate([own, other], axis=1))


def _on_both_sides(
    numbers: NDArray[np.int64], of_query: NDArray[np.bool_], of_source: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which pieces stand on the other side of their pair too."""
    small = numbers.astype(np.uint16)
    # Each piece of the query with each of the source; special ones stand for none.
    last = int(of_query.any(axis=0).nonzero()[0].max(initial=0)) + 1
    query = np.where(of_query, small, _START)[:, :last]
    source = np.where(of_source, small, _SEPARATOR)
    same = query[:, :, None] == source[:, None, :]
    both: NDArray[np.bool_] = same.any(axis=1)
    both[:, :last] |= same.any(axis=2)
    return both


def training_batches(
    order: NDArray[np.int64], lengths: NDArray[np.int64], size: int, random: np.random.Generator
) -> list[NDArray[np.int64]]:
    """Cut drawn pairs into batches of like lengths, which come in random order.

    Only neighbours are sorted, so that batches are not the same in each epoch.

    Parameters
    ----------
    order
        The pairs that are shown, in random order.
    lengths
        Of all pairs.
    size
        How many pairs a batch has; one of them may have fewer.
    random
        Says in which order they come.
    """
    block = np.arange(len(order)) // (size * _TOGETHER)
    by_length = order[np.lexsort((lengths[order], block))]
    cut = [by_length[begin : begin + size] for begin in range(0, len(order), size)]
    return [cut[place] for place in random.permutation(len(cut))]


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
