"""Made pairs as columns, ready for training and for files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from locisimiles.arrays import load_arrays, save_arrays
from locisimiles.errors import MalformedInputError
from locisimiles.train.late.pieces import PieceTable, rarity

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["TuningData"]

_COLUMNS = ("answer", "wrong", "doubles")
_EFFORT = 3


@dataclass(frozen=True, slots=True, eq=False)
class TuningData:
    """Made pairs, ready for training.

    Attributes
    ----------
    sources, queries
        The two sides as pieces.
    weights
        How much each piece counts.
    answer
        The source of each query.
    wrong
        Sources that look like answers and are not, a row a query, -1 where there are no more.
    doubles
        A number for each source; sources with the same words have the same.
    """

    sources: PieceTable
    queries: PieceTable
    weights: NDArray[np.float32]
    answer: NDArray[np.int32]
    wrong: NDArray[np.int32]
    doubles: NDArray[np.int32]

    def split(self, held_out: int) -> tuple[TuningData, TuningData]:
        """Return all pairs but the last ones, and those."""
        border = len(self.queries) - held_out
        return self._part(0, border), self._part(border, len(self.queries))

    def _part(self, begin: int, end: int) -> TuningData:
        own = slice(begin, end)
        queries = self.queries.part(begin, end)
        columns = self.answer[own], self.wrong[own], self.doubles
        return TuningData(self.sources, queries, self.weights, *columns)

    def save(self, path: Path) -> None:
        """Write all but the weights, which follow from the sources.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        tables = {**self.sources.arrays("source"), **self.queries.arrays("query")}
        columns = {name: getattr(self, name) for name in _COLUMNS}
        save_arrays(path, {**tables, **columns}, effort=_EFFORT)

    @classmethod
    def load(cls, path: Path, vocabulary: int) -> TuningData:
        """Read what `save` wrote.

        Parameters
        ----------
        path
            The file.
        vocabulary
            How many word pieces there are.

        Raises
        ------
        InputError
            If it cannot be read, or is none of this kind.
        """
        arrays: dict[str, NDArray[Any]] = dict(load_arrays(path))
        try:
            sources, queries = (PieceTable.of_arrays(arrays, name) for name in ("source", "query"))
            answer, wrong, doubles = (arrays[name] for name in _COLUMNS)
        except KeyError as error:
            raise MalformedInputError(
                f"these are no made pairs: {error.args[0]} is missing",
                file=str(path),
                hint="remove the file, so that it is made again",
            ) from error
        return cls(sources, queries, rarity(sources, vocabulary), answer, wrong, doubles)
