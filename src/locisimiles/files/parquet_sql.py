"""SQL over Parquet files, which need not fit into memory; it reads these files and no others."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from locisimiles.errors import InputError, MalformedInputError, ParameterError
from locisimiles.files.parquet_columns import connected, copy_query, quoted
from locisimiles.files.writing import atomic_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import duckdb

__all__ = ["VIEW", "QueriedRows", "copy_parquet", "query_parquet"]

VIEW = "results"
"""What the files are called in SQL."""
_MEMORY = "700MB"  # then DuckDB writes to a temporary folder
_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class QueriedRows:
    """The columns that a query returns, and its rows, which are read as they are asked for."""

    names: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


@contextmanager
def query_parquet(paths: Sequence[Path], query: str) -> Iterator[QueriedRows]:
    """Run a query over the rows of files, which it calls ``results``.

    Parameters
    ----------
    paths
        The files; each has the same columns.
    query
        One SELECT statement in the SQL of DuckDB. It can read no other files, nor write any.

    Raises
    ------
    InputError
        If a file is missing or damaged.
    ParameterError
        If the query is no SELECT statement, or wrong.
    """
    with _opened(paths) as connection, _explained():
        found = connection.execute(_checked(connection, query))
        names = tuple(str(column[0]) for column in found.description)
        yield QueriedRows(names, _rows(found))


def copy_parquet(
    paths: Sequence[Path], query: str, path: Path, metadata: Mapping[str, str] | None = None
) -> None:
    """Write the rows that a query returns to a Parquet file; see `query_parquet`."""
    # Its folder is private and empty.
    with (
        atomic_path(path) as temporary,
        _opened(paths, temporary.parent) as connection,
        _explained(),
    ):
        copy_query(
            connection, _checked(connection, query).rstrip().rstrip(";"), temporary, metadata or {}
        )


def _rows(found: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := found.fetchmany(_ROWS):
        yield from rows


@contextmanager
def _opened(
    paths: Sequence[Path], written: Path | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    import duckdb

    for path in paths:
        if not path.is_file():
            raise InputError("files.not_found", file=str(path))
    cores = os.cpu_count() or 1
    listed = "[" + ", ".join(quoted(path.resolve()) for path in paths) + "]"
    with (
        TemporaryDirectory(prefix="locisimiles-") as spilled,
        connected(threads=cores) as connection,
    ):
        connection.execute(f"SET memory_limit = {quoted(_MEMORY)}")
        connection.execute(f"SET temp_directory = {quoted(spilled)}")
        try:
            files = f"SELECT * FROM read_parquet({listed})"  # noqa: S608 - quoted
            connection.execute(f"CREATE VIEW {VIEW} AS {files}")
        except duckdb.Error as error:
            raise MalformedInputError(
                "files.parquet_damaged", file=str(paths[0]), reason=_first_line(error)
            ) from error
        # The query may come from somebody else.
        connection.execute("SET autoinstall_known_extensions = false")
        connection.execute("SET autoload_known_extensions = false")
        connection.execute("SET python_enable_replacements = false")
        connection.execute(f"SET allowed_paths = {listed}")
        if written is not None:
            connection.execute(f"SET allowed_directories = [{quoted(written.resolve())}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield connection


def _checked(connection: duckdb.DuckDBPyConnection, query: str) -> str:
    import duckdb

    try:
        query.encode()
    except UnicodeEncodeError as error:
        raise ParameterError("files.half_character_in_query") from error
    statements = connection.extract_statements(query)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise ParameterError("files.no_select")
    return query


@contextmanager
def _explained() -> Iterator[None]:
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise ParameterError("files.wrong_sql", reason=_first_line(error)) from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
