"""Columns of numbers and texts in Parquet files, written and read by DuckDB."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from locisimiles.errors import InputError, MalformedInputError, OutputError
from locisimiles.files.limits import check_cells
from locisimiles.files.writing import atomic_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import duckdb
    from numpy.typing import NDArray

__all__ = ["ParquetColumns", "connected", "copy_query", "quoted", "quoted_name",
           "read_columns", "read_metadata", "write_columns", "write_query"]  # fmt: skip

_NO_SPACE = os.strerror(errno.ENOSPC)


@dataclass(frozen=True, slots=True)
class ParquetColumns:
    """The columns of a file by name, and what its metadata say."""

    columns: Mapping[str, NDArray[Any]]
    metadata: Mapping[str, str]


@contextmanager
def connected(
    *, threads: int = 1, memory: int | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database in memory, which takes at most `memory` bytes if given."""
    import duckdb  # a tenth of a second

    config: dict[str, str | bool | int | float | list[str]] = {"threads": threads}
    if memory is not None:
        config |= {"memory_limit": f"{memory}B", "temp_directory": ""}
        config |= {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    with duckdb.connect(":memory:", config=config) as connection:
        # It is on where Python reads no file, as in processes that Python starts.
        connection.execute("SET enable_progress_bar = false")
        yield connection


def quoted(text: str | Path) -> str:
    """Return a text as SQL writes it.

    Examples
    --------
    >>> quoted("it's")
    "'it''s'"
    """
    return "'" + str(text).replace("'", "''") + "'"


def quoted_name(name: str) -> str:
    """Return the name of a column as SQL writes it.

    Examples
    --------
    >>> quoted_name("source text")
    '"source text"'
    """
    return '"' + name.replace('"', '""') + '"'


def write_columns(
    path: Path, columns: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]
) -> None:
    """Write a Parquet file, durably and whole or not at all; equal columns give equal bytes."""
    with connected() as connection:
        connection.register("written", dict(columns))
        write_query(connection, "SELECT * FROM written", path, metadata)


def write_query(
    connection: duckdb.DuckDBPyConnection, query: str, path: Path, metadata: Mapping[str, str]
) -> None:
    """Write the rows of a query to a Parquet file, durably and whole or not at all."""
    import duckdb

    with atomic_path(path) as temporary:
        try:
            copy_query(connection, query, temporary, metadata)
        except (duckdb.IOException, duckdb.PermissionException) as error:
            reason = _reason(error)
            raise OutputError("files.unwritable", path=str(path), reason=reason) from error


def copy_query(
    connection: duckdb.DuckDBPyConnection, query: str, path: Path, metadata: Mapping[str, str]
) -> None:
    """Write the rows of a query to a Parquet file, and raise the errors of DuckDB."""
    pairs = ", ".join(f"{quoted(name)}: {quoted(value)}" for name, value in metadata.items())
    known = f", KV_METADATA {{{pairs}}}" if pairs else ""
    connection.execute(
        f"COPY ({query}\n) TO {quoted(path)} (FORMAT parquet, COMPRESSION zstd{known})"
    )


def _reason(error: Exception) -> str:
    """Return why the system refused, which DuckDB says after the name of the file."""
    text = str(error).splitlines()[0]
    return _NO_SPACE if _NO_SPACE in text else text.rpartition(": ")[2]


def read_columns(path: Path) -> ParquetColumns:
    """Read a Parquet file.

    Raises
    ------
    InputError
        If there is no file, or it is damaged, or has too many cells.
    """
    with _reading(path) as connection:
        count = connection.execute("SELECT count(*) FROM read_parquet(?)", [str(path)]).fetchall()
        described = "DESCRIBE SELECT * FROM read_parquet(?)"
        width = len(connection.execute(described, [str(path)]).fetchall())
        check_cells(str(path), count[0][0] * width)  # before memory is reserved
        rows = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
        columns = rows.fetchnumpy()
        return ParquetColumns(columns, _metadata(connection, path))


def read_metadata(path: Path) -> Mapping[str, str]:
    """Read the metadata of a Parquet file, which are at its end; see `read_columns`."""
    with _reading(path) as connection:
        return _metadata(connection, path)


@contextmanager
def _reading(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    import duckdb

    if not path.is_file():
        raise InputError("files.not_found", file=str(path))
    try:
        with connected() as connection:
            yield connection
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise MalformedInputError("files.parquet_damaged", file=str(path), reason=reason) from error


def _metadata(connection: duckdb.DuckDBPyConnection, path: Path) -> dict[str, str]:
    rows = connection.execute("SELECT key, value FROM parquet_kv_metadata(?)", [str(path)])
    return {
        bytes(key).decode("utf-8", "replace"): bytes(value).decode("utf-8", "replace")
        for key, value in rows.fetchall()
    }
