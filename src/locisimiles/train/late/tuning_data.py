"""Synthetic pairs as columns, ready for training and for files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from locisimiles.errors import MalformedInputError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.train.late.pieces import PieceTable, rarity

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["TuningData"]

_COLUMNS = ("answer", "negatives", "duplicates")
_EFFORT = 3


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
