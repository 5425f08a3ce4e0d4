"""Sentences as numbers of word pieces; columns, ready for batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.retrieve.late_words import PieceWeights
from locisimiles.train.encoder.vocabulary import SEPARATOR, START

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["STOPS", "Batch", "PieceTable", "rarity"]

STOPS = frozenset(".,;:!?")
_TOGETHER = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """A few sentences, filled up to the same length.

    Attributes
    ----------
    numbers
        Word pieces, a row a sentence, 0 where there is none.
    place
        The columns of the pieces of words, which are compared; 0 where there are no more.
    present
        Where there is such a piece.
    weights
        How much each of them counts.
    """

    numbers: NDArray[np.int64]
    place: NDArray[np.int64]
    present: NDArray[np.bool_]
    weights: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class PieceTable:
    """Sentences as columns.

    Attributes
    ----------
    piece
        The pieces of all sentences.
    compared
        Which of them are pieces of words; stops are read, but not compared.
    bounds
        The pieces of sentence ``i`` are those from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    piece: NDArray[np.uint16]
    compared: NDArray[np.bool_]
    bounds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @classmethod
    def of_sentences(
        cls,
        tokenizer: Any,  # noqa: ANN401 - tokenizers has no types
        sentences: Sequence[Sequence[str]],
        longest: int = 80,
    ) -> PieceTable:
        """Cut sentences into pieces; what is longer than `longest` pieces is cut off."""
        pieces: list[int] = []
        compared: list[bool] = []
        lengths = [0]
        for begin in range(0, len(sentences), _TOGETHER):
            some = [list(sentence) for sentence in sentences[begin : begin + _TOGETHER]]
            encoded = tokenizer.encode_batch(some, is_pretokenized=True, add_special_tokens=False)
            for sentence, row in zip(some, encoded, strict=True):
                units = row.word_ids[:longest]
                pieces += row.ids[:longest]
                compared += [sentence[unit] not in STOPS for unit in units]
                lengths.append(len(units))
        return cls(
            np.array(pieces, np.uint16),
            np.array(compared, bool),
            np.cumsum(lengths, dtype=np.int64),
        )

    def batch(self, rows: Sequence[int], weights: NDArray[np.float32]) -> Batch:
        """Return some sentences, filled up to the same length.

        Parameters
        ----------
        rows
            Which.
        weights
            How much each piece of the vocabulary counts.
        """
        chosen = np.asarray(rows, np.int64)
        lengths = self.bounds[chosen + 1] - self.bounds[chosen]
        row = np.repeat(np.arange(len(chosen)), lengths)
        column = np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        flat = self.bounds[chosen][row] + column
        numbers = np.zeros((len(chosen), int(lengths.max(initial=0)) + 2), np.int64)
        numbers[:, 0] = START
        numbers[row, column + 1] = self.piece[flat]
        numbers[np.arange(len(chosen)), lengths + 1] = SEPARATOR
        return Batch(numbers, *_compared(self, flat, row, column, weights, rows=len(chosen)))

    def part(self, begin: int, end: int) -> PieceTable:
        """Return a run of sentences."""
        own = slice(int(self.bounds[begin]), int(self.bounds[end]))
        bounds = self.bounds[begin : end + 1] - self.bounds[begin]
        return PieceTable(self.piece[own], self.compared[own], bounds)

    def arrays(self, name: str) -> dict[str, NDArray[np.generic]]:
        """Return the columns under names that begin with `name`, for files."""
        return {f"{name}_{column}": getattr(self, column) for column in self.__slots__}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]], name: str) -> PieceTable:
        """Return what `arrays` gave."""
        return cls(**{column: arrays[f"{name}_{column}"] for column in cls.__slots__})


def _compared(
    table: PieceTable,
    flat: NDArray[np.int64],
    row: NDArray[np.int64],
    column: NDArray[np.int64],
    weights: NDArray[np.float32],
    *,
    rows: int,
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.float32]]:
    """Return place, presence and weight of what is compared, close together in each row."""
    kept = table.compared[flat]
    flat, row, column = flat[kept], row[kept], column[kept]
    counts = np.bincount(row, minlength=rows)
    slot = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    shape = rows, max(int(counts.max(initial=0)), 1)
    place = np.zeros(shape, np.int64)
    present = np.zeros(shape, np.bool_)
    heavy = np.zeros(shape, np.float32)
    place[row, slot] = column + 1
    present[row, slot] = True
    heavy[row, slot] = weights[table.piece[flat]]
    return place, present, heavy


def rarity(table: PieceTable, vocabulary: int) -> NDArray[np.float32]:
    """Return how much each piece of the vocabulary counts, as searching in these sources weighs it.

    Examples
    --------
    >>> table = PieceTable(
    ...     np.array([5, 7, 5], np.uint16), np.ones(3, bool), np.array([0, 2, 3], np.int64)
    ... )
    >>> print(rarity(table, 9)[[5, 7, 8]].round(3))
    [0.01  0.405 1.099]
    """
    weights = PieceWeights.of_texts(table.piece.astype(np.int32), table.bounds, [1] * len(table))
    return weights.of(np.arange(vocabulary, dtype=np.int32))
