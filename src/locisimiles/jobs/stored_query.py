"""The query of a job on disk: mapped into memory by each process, read where it is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.corpus.report import ReadReport
from locisimiles.files.array_files import ArrayFile, write_array_file
from locisimiles.files.hashing import sha256_of
from locisimiles.index import PreparedDocument
from locisimiles.index.columns import Positions, StoredTexts, packed
from locisimiles.pipeline import prepare_query
from locisimiles.retrieve.combined.priors import verse_column

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.corpus import Document

__all__ = ["StoredQuery", "write_query_file"]

_COLUMNS = ("ids", "texts", "authors", "works", "loci", "marks")
_META = "meta "


def write_query_file(path: Path, document: Document) -> None:
    """Write a query with all that depends on the whole of it; see `prepare_query`."""
    query = prepare_query(document)
    columns: dict[str, Sequence[str]] = {name: getattr(query, name) for name in _COLUMNS}
    columns |= {_META + name: column for name, column in query.meta.items()}
    arrays: dict[str, NDArray[Any]] = {
        "verse": verse_column(query),
        "ties": query.ties,
        "sha256": np.frombuffer(query.fingerprint().encode(), np.uint8),
    }
    for name, column in columns.items():
        arrays |= packed(name, [text or "" for text in column])
    write_array_file(path, arrays)


class StoredQuery(PreparedDocument):
    """The query of a job, opened; a document like any other.

    Parameters
    ----------
    path
        A file that `write_query_file` wrote.
    """

    __slots__ = ("_arrays",)

    def __init__(self, path: Path) -> None:
        self._arrays = arrays = ArrayFile.open(path)
        size = [len(arrays.array("verse"))]
        ids, texts, authors, works, loci, marks = (
            StoredTexts([arrays], size, name) for name in _COLUMNS
        )
        self._ids, self._texts, self._authors, self._works = ids, texts, authors, works
        self._loci, self._marks = loci, marks
        self._meta = {
            name.removeprefix(_META): StoredTexts([arrays], size, name)
            for name in arrays.names
            if name.startswith(_META) and not name.endswith(".bounds")
        }
        self._report = ReadReport()
        self._positions = Positions(ids, arrays.array("ties"))
        self._begin(None, {"verse": arrays.array("verse")})

    def fingerprint(self) -> str:
        """Return the SHA-256 of ids and texts."""
        return self._arrays.array("sha256").tobytes().decode()

    @property
    def file_sha256(self) -> str:
        """The SHA-256 of the whole file."""
        return self._arrays.fingerprint()

    def rows_sha256(self, begin: int, end: int) -> str:
        """Return the SHA-256 of all that the file says of some segments."""
        parts: list[bytes] = []
        arrays = self._arrays
        for name in arrays.names:
            if f"{name}.bounds" in arrays:
                bounds = arrays.rows(f"{name}.bounds", begin, end + 1)
                content = arrays.rows(name, int(bounds[0]), int(bounds[-1]))
                parts += [name.encode(), (bounds - bounds[0]).tobytes(), content.tobytes()]
        parts.append(arrays.rows("verse", begin, end).tobytes())
        return sha256_of(parts)
