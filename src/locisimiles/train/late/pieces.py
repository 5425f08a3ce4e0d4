"""Sentences and synthetic pairs as columns of word pieces, for training and for files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import MalformedInputError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.late.pieces import PieceWeights
from locisimiles.train.encoder.folder import SEPARATOR, START

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["STOPS", "Batch", "PieceTable", "TuningData", "rarity"]

STOPS = frozenset(".,;:!?")
_TOGETHER = 20_000
_COLUMNS = ("answer", "negatives", "duplicates")
_EFFORT = 3


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """A few sentences, a row each, padded with 0.

    Attributes
    ----------
    numbers
        Word pieces.
    place, present, weights
        Columns of the pieces to compare (of words), where there is one, and their weights.
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
        Whether a piece belongs to a word; punctuation is read, but not compared.
    bounds
        The pieces of sentence ``i`` are those from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    piece: NDArray[np.uint16]
    compared: NDArray[np.bool_]
    bounds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @classmethod
    def from_sentences(
        cls,
        tokenizer: Any,  # noqa: ANN401 - tokenizers has no types
        sentences: Sequence[Sequence[str]],
        longest: int = 80,
    ) -> PieceTable:
        """Cut sentences into pieces, at most `longest` of each."""
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
        """Return some sentences as a batch; `weights` are those of the whole vocabulary."""
        chosen = np.asarray(rows, np.int64)
        lengths = self.bounds[chosen + 1] - self.bounds[chosen]
        row, column = _grid(lengths)
        flat = self.bounds[chosen][row] + column
        numbers = np.zeros((len(chosen), int(lengths.max(initial=0)) + 2), np.int64)
        numbers[:, 0] = START
        numbers[row, column + 1] = self.piece[flat]
        numbers[np.arange(len(chosen)), lengths + 1] = SEPARATOR
        kept = self.compared[flat]
        flat, row, column = flat[kept], row[kept], column[kept]
        counts = np.bincount(row, minlength=len(chosen))
        _, slot = _grid(counts)
        shape = len(chosen), max(int(counts.max(initial=0)), 1)
        place, present = np.zeros(shape, np.int64), np.zeros(shape, np.bool_)
        piece_weights = np.zeros(shape, np.float32)
        place[row, slot] = column + 1
        present[row, slot] = True
        piece_weights[row, slot] = weights[self.piece[flat]]
        return Batch(numbers, place, present, piece_weights)

    def part(self, begin: int, end: int) -> PieceTable:
        """Return the sentences from `begin` to `end`."""
        rows = slice(int(self.bounds[begin]), int(self.bounds[end]))
        bounds = self.bounds[begin : end + 1] - self.bounds[begin]
        return PieceTable(self.piece[rows], self.compared[rows], bounds)

    def arrays(self, name: str) -> dict[str, NDArray[np.generic]]:
        """Return the columns under names that begin with `name`, for files."""
        return {f"{name}_{column}": getattr(self, column) for column in self.__slots__}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], name: str) -> PieceTable:
        """Return the table that `arrays` described."""
        return cls(**{column: arrays[f"{name}_{column}"] for column in cls.__slots__})


def _grid(lengths: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return row and column of each cell in rows of these lengths."""
    row = np.repeat(np.arange(len(lengths)), lengths)
    return row, np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths)


def rarity(table: PieceTable, vocabulary: int) -> NDArray[np.float32]:
    """Return the weight of each piece of the vocabulary, as in a search of these sources.

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


@dataclass(frozen=True, slots=True, eq=False)
class TuningData:
    """Synthetic pairs.

    Attributes
    ----------
    sources, queries
        The two sides as pieces.
    weights
        The weight of each piece of the vocabulary.
    answer
        The source of each query.
    negatives
        Hard negatives, a row per query, padded with -1.
    duplicates
        A number for each source; sources with the same words have the same number.
    """

    sources: PieceTable
    queries: PieceTable
    weights: NDArray[np.float32]
    answer: NDArray[np.int32]
    negatives: NDArray[np.int32]
    duplicates: NDArray[np.int32]

    def split(self, held_out: int) -> tuple[TuningData, TuningData]:
        """Return all pairs but the last `held_out`, and those."""
        border = len(self.queries) - held_out
        return self._part(0, border), self._part(border, len(self.queries))

    def _part(self, begin: int, end: int) -> TuningData:
        rows = slice(begin, end)
        queries = self.queries.part(begin, end)
        columns = self.answer[rows], self.negatives[rows], self.duplicates
        return TuningData(self.sources, queries, self.weights, *columns)

    def save(self, path: Path) -> None:
        """Write all but the weights, which follow from the sources."""
        tables = {**self.sources.arrays("source"), **self.queries.arrays("query")}
        columns = {name: getattr(self, name) for name in _COLUMNS}
        save_arrays(path, {**tables, **columns}, effort=_EFFORT)

    @classmethod
    def load(cls, path: Path, vocabulary: int) -> TuningData:
        """Read the file that `save` wrote; `vocabulary` is the number of word pieces."""
        arrays: dict[str, NDArray[Any]] = dict(load_arrays(path))
        try:
            sources = PieceTable.from_arrays(arrays, "source")
            queries = PieceTable.from_arrays(arrays, "query")
            columns = [arrays[name] for name in _COLUMNS]
        except KeyError as error:
            name = str(error.args[0])
            raise MalformedInputError("train.no_pairs", file=str(path), name=name) from error
        return cls(sources, queries, rarity(sources, vocabulary), *columns)
