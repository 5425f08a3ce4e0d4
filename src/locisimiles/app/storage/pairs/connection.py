"""A connection that finds results in a file of pairs, and everything else in the project."""

from __future__ import annotations

import re
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.app.storage.dialect import NamedRow
from locisimiles.app.storage.pairs.opened import has_pairs, opened_pairs
from locisimiles.app.storage.pairs.words import read_words
from locisimiles.app.storage.wording import PAIRS, TABLES
from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import duckdb

    from locisimiles.app.storage.database import Connection, Database, Row, Rows
    from locisimiles.app.storage.pairs.opened import OpenedPairs
    from locisimiles.app.storage.wording import Wording
    from locisimiles.latin.word_search import WordColumns

__all__ = ["ROWS_OF_SEARCH", "PairsConnection", "imported_search", "with_pairs", "wording_of"]

ROWS_OF_SEARCH = 2**40
"""Rows of imported pairs begin at the number of their search times this."""
_NEAR = 5000  # up to this row of an order, keeping the best is faster than sorting
_BUCKET = 14  # bits
_MOST_COUNTS = 200
# Which search has results is asked of the project, under another name.
_ASKS_FOR_PAIRS = re.compile(r"\b(?:FROM|JOIN) result\b(?! stored\b)")


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
    with opened_pairs(database, connection, found) as opened:
        yield PairsConnection(connection, opened)


def wording_of(connection: Connection) -> Wording:
    """Return how results are asked for through a connection."""
    return PAIRS if isinstance(connection, PairsConnection) else TABLES


class PairsConnection:
    """Finds results in a file of pairs, and all else in the project.

    What is said in its own way to the file is in `locisimiles.app.storage.wording`.
    """

    def __init__(self, project: Connection, opened: OpenedPairs) -> None:
        self._project, self._opened = project, opened
        self._is_narrow = False

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Run one statement."""
        if not _ASKS_FOR_PAIRS.search(sql):
            return self._project.execute(sql, values)
        return _FoundRows(self._run(sql, values))

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Run one statement for each row of values; only the project can be changed."""
        return self._project.executemany(sql, rows)

    def rows(
        self,
        table: str,
        where: str,
        values: Sequence[Any],
        place: tuple[str, bool],
        *,
        limit: int,
        offset: int,
    ) -> list[int]:
        """Return the rows of a page in an order.

        `table` is what stands between FROM and WHERE, and `place` the column with the place of each
        pair in the order, and whether places are counted backwards. Sorting millions takes seconds.
        So places, counted by their highest bits, tell where a page begins.
        """
        column, way = f"result.{place[0]}", "DESC" if place[1] else "ASC"
        if offset + limit > _NEAR:
            found = self._bucket(table, where, values, (column, way), limit, offset)
            if found is None:
                return []
            least, most, before = found
            where += f" AND {column} >= ? AND {column} < ?"
            values, offset = [*values, least << _BUCKET, (most + 1) << _BUCKET], offset - before
        rows = self.execute(
            f"SELECT result.row FROM {table} WHERE {where} ORDER BY {column} {way} "  # noqa: S608
            "LIMIT ? OFFSET ?",
            [*values, limit, offset],
        )
        return [row[0] for row in rows.fetchall()]

    def _bucket(  # noqa: PLR0917 - the parts of a statement
        self,
        table: str,
        where: str,
        values: Sequence[Any],
        order: tuple[str, str],
        limit: int,
        offset: int,
    ) -> tuple[int, int, int] | None:
        """Return the highest bits of the places of a page, and how many pairs stand before them."""
        column, way = order
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
            return None
        least, most = sorted((wanted[0][0], wanted[-1][0]))
        return least, most, wanted[0][1]

    def count(self, sql: str, values: Sequence[Any]) -> int:
        """Return the number that a statement counts; it is kept until the next judgement."""
        key = (sql, *values)
        if self._is_narrow or key not in self._opened.counts:
            found = int(self.execute(sql, values).fetchone()[0])
            if self._is_narrow or len(self._opened.counts) >= _MOST_COUNTS:
                return found
            self._opened.counts[key] = found
        return self._opened.counts[key]

    def keep(self, rows: Sequence[int]) -> None:
        """Read from now on only these rows of the results."""
        self._opened.cursor.register("given", {"row": np.array(rows, np.int64)})
        self.narrow("SELECT row FROM given", [])

    def narrow(self, rows: str, values: Sequence[Any]) -> None:
        """Read from now on only the rows that a statement selects.

        They are found by their numbers, and then their authors and works among the segments, where
        a condition would read whole blocks of each column.
        """
        base = f"SELECT found.row % {ROWS_OF_SEARCH} AS row FROM ({rows}) found"  # noqa: S608 - ours
        self._run(f"CREATE TEMP TABLE kept AS {base}", values)
        # A table of this cursor hides the view of the same name.
        self._run(f"CREATE TEMP TABLE result AS {self._opened.by_row}", [])
        self._is_narrow = True

    def execute_on_file(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Run a statement about the segments and books of the file."""
        return _FoundRows(self._run(sql, values))

    def words_of(self, side: str) -> WordColumns:
        """Return the texts of a side, cut into words when they were imported."""
        return read_words(self._opened.cursor, side)

    def _run(self, sql: str, values: Sequence[Any]) -> duckdb.DuckDBPyConnection:
        import duckdb

        try:
            return self._opened.cursor.execute(sql, list(values))
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
