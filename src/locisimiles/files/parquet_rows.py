"""Read a Parquet file that anyone may have made, by DuckDB within a budget of memory.

Some kilobytes of Parquet can hold a gigabyte of equal texts, and its footer need not say so. So
cells and letters are counted before any is read, and DuckDB gets no more memory than we allow.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.errors import MalformedInputError, UnsafeInputError
from locisimiles.files.json_files import json_text
from locisimiles.files.limits import (
    VARIABLE,
    check_cells,
    check_rows,
    check_width,
    current_limits,
)
from locisimiles.files.parquet_columns import connected, quoted_name, read_metadata
from locisimiles.files.text_columns import TextColumn, TextColumnWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import duckdb

    from locisimiles.files.raw import RawInput

__all__ = ["ParquetTexts", "read_parquet"]

_MB = 10**6
_AT_ONCE = 65_536  # cells that are objects at a time
_LETTERS_AT_ONCE = 16 * _MB
_VECTOR = 2048  # rows that DuckDB unpacks at a time
_NUMBERS = ("BIGINT", "INTEGER", "SMALLINT", "TINYINT", "DOUBLE", "FLOAT", "BOOLEAN")
_TEXT, _BYTES = "VARCHAR", "BLOB"
_NESTED = ("[", "(")


@dataclass(frozen=True, slots=True)
class ParquetTexts:
    """The columns of a file as text, their names, and what its metadata say."""

    names: tuple[str, ...]
    columns: tuple[TextColumn, ...]
    size: int
    metadata: Mapping[str, str]


def read_parquet(raw: RawInput, clean: Callable[[str], str] | None = None) -> ParquetTexts:
    """Read a Parquet file; dates, decimals and bytes become text, lists and structures JSON.

    A damaged file raises a MalformedInputError, one that takes too much an UnsafeInputError.
    """
    import duckdb

    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "read.parquet"  # names of users may be patterns of DuckDB
            path.write_bytes(raw.data)
            with connected(memory=2 * current_limits().unpacked) as connection:
                columns = _columns(connection, path)
                size, longest = _check(connection, path, columns, raw.name)
                listed = ", ".join(columns.values())
                query = f"SELECT {listed} FROM read_parquet(?)"  # noqa: S608 - quoted names
                found = connection.execute(query, [str(path)])
                texts = _texts(found, len(columns), longest, clean)
            return ParquetTexts(tuple(columns), texts, size, read_metadata(path))
    except duckdb.OutOfMemoryException as error:
        raise _too_large(raw.name) from error
    except (duckdb.Error, MalformedInputError, ValueError, OverflowError) as error:
        reason = str(error).splitlines()[0].replace(f"{folder}/read.parquet", "it")
        raise MalformedInputError("files.parquet_damaged", file=raw.name, reason=reason) from error


def _texts(
    found: duckdb.DuckDBPyConnection,
    width: int,
    longest: int,
    clean: Callable[[str], str] | None,
) -> tuple[TextColumn, ...]:
    """Return the columns of some rows, few of which are objects of Python at a time."""
    writers = [TextColumnWriter() for _ in range(width)]
    for rows in _fetched(found, max(1, _AT_ONCE // max(width, 1)), longest):
        for writer, cells in zip(writers, zip(*rows, strict=True), strict=True):
            texts = [cell if type(cell) is str else _as_text(cell) for cell in cells]
            writer.extend(texts if clean is None else list(map(clean, texts)))
    return tuple(writer.column() for writer in writers)


def _fetched(found: duckdb.DuckDBPyConnection, most: int, longest: int) -> Iterator[list[Any]]:
    """Yield batches of at most `most` rows with few letters; the longest row has `longest`."""
    step = max(1, min(most, _LETTERS_AT_ONCE // max(longest, 1)))
    rows: list[Any] = []
    letters = 0
    while some := found.fetchmany(step):
        rows += some
        if step < most:
            letters += sum(len(cell) for row in some for cell in row if type(cell) is str)
        if len(rows) + step > most or letters > _LETTERS_AT_ONCE:
            yield rows
            rows, letters = [], 0
    if rows:
        yield rows


def _columns(connection: duckdb.DuckDBPyConnection, path: Path) -> dict[str, str]:
    """Return the columns of a file, with what gives them as plain types of Python."""
    found = connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [str(path)]).fetchall()
    return {str(name): _plain(quoted_name(str(name)), str(kind)) for name, kind, *_ in found}


def _plain(name: str, kind: str) -> str:
    if kind in (*_NUMBERS, _TEXT, _BYTES):
        return name
    if any(mark in kind for mark in _NESTED) and not kind.startswith("DECIMAL"):
        return f"to_json({name})::VARCHAR"
    return f"{name}::VARCHAR"


def _check(
    connection: duckdb.DuckDBPyConnection, path: Path, columns: Mapping[str, str], file: str
) -> tuple[int, int]:
    """Count rows, cells and letters before any becomes an object of Python.

    Returns the rows, and the letters of the longest.
    """
    listed = "SELECT count(*) FROM read_parquet(?)"  # from the footer: nothing is unpacked
    check_rows(file, connection.execute(listed, [str(path)]).fetchall()[0][0])
    letters = " + ".join(f"coalesce(strlen({text}::VARCHAR), 0)" for text in columns.values())
    query = f"SELECT count(*), sum({letters}), max({letters}) FROM read_parquet(?)"  # noqa: S608 - quoted names
    rows, size, longest = connection.execute(query, [str(path)]).fetchall()[0]
    check_width(file, len(columns))
    check_cells(file, rows * len(columns))
    size, longest = int(size or 0), int(longest or 0)
    # A page and the columns hold all letters, and a vector of DuckDB those of some rows; and all
    # of them have room to spare.
    if 5 * size + 3 * min(size, _VECTOR * longest) > 2 * current_limits().unpacked:
        raise _too_large(file)
    return int(rows), longest


def _as_text(cell: object) -> str:
    if type(cell) is int or (type(cell) is float and isfinite(cell)):
        return repr(cell)  # as JSON writes it, but five times as fast
    return json_text(cell.decode("utf-8", "backslashreplace") if isinstance(cell, bytes) else cell)


def _too_large(file: str) -> UnsafeInputError:
    most = current_limits().unpacked // _MB
    return UnsafeInputError("files.parquet_too_large", file=file, most=most, variable=VARIABLE)
