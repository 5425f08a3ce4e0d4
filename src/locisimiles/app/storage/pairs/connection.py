"""A connection that finds results in a file of pairs, and everything else in the project."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from locisimiles.app.storage.dialect import NamedRow
from locisimiles.app.storage.pairs.dialect import adapt_to_pairs, asks_for_pairs, place_of
from locisimiles.app.storage.pairs.opened import has_pairs, opened_pairs
from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import duckdb

    from locisimiles.app.storage.database import Connection, Database, Row, Rows

__all__ = ["ROWS_OF_SEARCH", "PairsConnection", "imported_search", "with_pairs"]

ROWS_OF_SEARCH = 2**40
"""Rows of imported pairs begin at the number of their search times this."""
_NEAR = 5000  # up to this row of an order, keeping the best is faster than sorting
_BUCKET = 14  # bits


def imported_search(row: int) -> int:
    """Return the search to which the row of an imported pair belongs; 0 for other rows.

    Examples
    --------
    >>> imported_search(3 * ROWS_OF_SEARCH + 7), imported_search(7)
    (3, 0)
    """
    return row // ROWS_OF_SEARCH


@contextmanager
def with_pairs(database: Database, connection: Connection, search: int) -> Iterator[Connection]:
    """Return the connection through which the results of a search are read.

    An imported search without its file has no results.
    """
    found = connection.execute(
        "SELECT number, imported, pairs_file, query_edition, source_edition FROM search "
        "WHERE number = ? AND imported > 0",
        [search],
    ).fetchone()
    if found is None or not has_pairs(database, found):
        yield connection
        return
    with opened_pairs(database, connection, found) as cursor:
        yield PairsConnection(connection, cursor)


class PairsConnection:
    """Runs the same SQL as `Connection`, and adapts what asks for results to DuckDB."""

    def __init__(self, project: Connection, cursor: duckdb.DuckDBPyConnection) -> None:
        self._project, self._cursor = project, cursor

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Run one statement."""
        if not asks_for_pairs(sql):
            return self._project.execute(sql, values)
        return _FoundRows(self._run(adapt_to_pairs(sql), values))

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Run one statement for each row of values; only the project can be changed."""
        return self._project.executemany(sql, rows)

    def rows(
        self,
        table: str,
        where: str,
        values: Sequence[Any],
        sorting: str,
        *,
        limit: int,
        offset: int,
    ) -> list[int] | None:
        """Return the rows of a place in an order; None if they are best found by sorting.

        `table` is what stands between FROM and WHERE. Sorting millions takes seconds. So places in
        each order are columns; counted by their highest bits, they tell where a page begins.
        """
        place = place_of(sorting)
        if place is None or offset + limit <= _NEAR:
            return None
        column, backwards = f"result.{place[0]}", place[1]
        way = "DESC" if backwards else "ASC"
        column = "result.row" if place[0] == "row" else column
        counted = self.execute(
            f"SELECT {column} >> {_BUCKET} AS bucket, COUNT(*) FROM {table} WHERE {where} "  # noqa: S608
            f"GROUP BY 1 ORDER BY 1 {way}",
            values,
        ).fetchall()
        ends = list(accumulate(row[1] for row in counted))
        wanted = [
            (bucket[0], end - bucket[1])
            for bucket, end in zip(counted, ends, strict=True)
            if end > offset and end - bucket[1] < offset + limit
        ]
        if not wanted:
            return []
        least, most = sorted((wanted[0][0], wanted[-1][0]))
        found = self.execute(
            f"SELECT result.row FROM {table} WHERE {where} AND {column} >= ? AND {column} < ? "  # noqa: S608
            f"ORDER BY {column} {way} LIMIT ? OFFSET ?",
            [*values, least << _BUCKET, (most + 1) << _BUCKET, limit, offset - wanted[0][1]],
        )
        return [row[0] for row in found.fetchall()]

    def _run(self, sql: str, values: Sequence[Any]) -> duckdb.DuckDBPyConnection:
        import duckdb

        try:
            return self._cursor.execute(sql, list(values))
        except (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.FatalException) as error:
            reason = str(error).splitlines()[0]
            raise InputError("app.pairs_unreadable", reason=reason) from error


class _FoundRows:
    """The rows that DuckDB found, with values by position and by name."""

    rowcount = -1

    def __init__(self, found: duckdb.DuckDBPyConnection) -> None:
        self._rows = found.fetchall()
        self._names = {str(column[0]): at for at, column in enumerate(found.description)}
        self._at = 0

    def fetchone(self) -> Row | None:
        """Return the next row, or None."""
        return next(iter(self), None)

    def fetchall(self) -> list[Row]:
        """Return all remaining rows."""
        return list(self)

    def __iter__(self) -> Iterator[Row]:
        while self._at < len(self._rows):
            self._at += 1
            yield NamedRow(self._names, self._rows[self._at - 1])
