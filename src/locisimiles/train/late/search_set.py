"""A set of queries and sources as word pieces, to measure a search; read without torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from locisimiles.errors import MalformedInputError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.train.late.pieces import PieceTable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SearchSet"]

_COLUMNS = ("query", "source", "allusion")


@dataclass(frozen=True, slots=True, eq=False)
class SearchSet:
    """Queries, sources and the references between them, to measure a search.

    Attributes
    ----------
    queries, sources
        The two sides as pieces.
    query, source
        The positions of each reference.
    allusion
        Whether a reference is an allusion (*cf.*), not verbatim.
    """

    queries: PieceTable
    sources: PieceTable
    query: NDArray[np.int32]
    source: NDArray[np.int32]
    allusion: NDArray[np.bool_]

    def save(self, path: Path) -> None:
        """Write the set."""
        tables = {**self.sources.arrays("source_text"), **self.queries.arrays("query_text")}
        columns = {name: getattr(self, name) for name in _COLUMNS}
        save_arrays(path, {**tables, **columns}, effort=6)

    @classmethod
    def load(cls, path: Path) -> SearchSet:
        """Read what `save` wrote."""
        arrays: Mapping[str, NDArray[Any]] = dict(load_arrays(path))
        try:
            queries = PieceTable.from_arrays(arrays, "query_text")
            sources = PieceTable.from_arrays(arrays, "source_text")
            return cls(queries, sources, *(arrays[name] for name in _COLUMNS))
        except KeyError as error:
            name = str(error.args[0])
            raise MalformedInputError("train.no_pairs", file=str(path), name=name) from error
