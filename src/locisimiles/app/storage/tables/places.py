"""Places of pairs: books of both texts, and the pairs between them, for a dot plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from locisimiles.app.storage.tables.results import ALL_ROWS, ResultTable
from locisimiles.app.storage.tables.searches import search_to_read

if TYPE_CHECKING:
    from locisimiles.app.storage.database import Connection
    from locisimiles.app.storage.tables.filters import ResultFilter

__all__ = ["Likely", "PlaceTable", "StoredBook", "StoredCell", "StoredPlace"]

Likely = Literal["probable", "best"]
"""What counts besides judged pairs: probable ones, or the best candidate of each segment."""

_LIKELY = {"probable": "result.probability >= 0.5", "best": "result.rank <= 1"}
_DIGITS = "'0123456789'"
_LETTERS = "'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ. '"
# A missing locus is taken from an id like ours, whose last number counts sentences.
_LOCUS = (
    "CASE WHEN {table}.locus != '' THEN {table}.locus "
    f"ELSE RTRIM(RTRIM(LTRIM({{table}}.id, {_LETTERS}), {_DIGITS}), '.') END"
)
# The first number of a locus that has more than one; a work without books is one.
_BOOK = (
    f"CASE WHEN SUBSTR(LTRIM({_LOCUS}, {_DIGITS}), 1, 1) = '.' THEN "
    f"SUBSTR({_LOCUS}, 1, LENGTH({_LOCUS}) - LENGTH(LTRIM({_LOCUS}, {_DIGITS}))) ELSE '' END"
)
_SEGMENTS = (
    " JOIN search made ON made.number = result.search"
    " JOIN segment q ON q.side = 'query' AND q.edition = made.query_edition"
    " AND q.position = result.query"
    " JOIN segment s ON s.side = 'source' AND s.edition = made.source_edition"
    " AND s.position = result.source"
)
_QUERY_WORK = "result.query_author, result.query_work"
_SOURCE_WORK = "result.source_author, result.source_work"
_WORKS = f"{_QUERY_WORK}, {_SOURCE_WORK}"
_PLACES = ", ".join(
    f"{table}.{name} AS {side}_{name}"
    for side, table in (("query", "q"), ("source", "s"))
    for name in ("id", "author", "work", "locus", "position")
)


class StoredBook(NamedTuple):
    """A book of a work on one side; a work without books is one, whose name is empty."""

    author: str
    work: str
    book: str
    first: int  # the positions of its first and its last segment
    last: int
    segments: int


class StoredPlace(NamedTuple):
    """A pair, and where in both texts it is."""

    row: int
    value: float  # probability, or score
    verdict: str | None
    query_id: str
    query_author: str
    query_work: str
    query_locus: str
    query: int
    source_id: str
    source_author: str
    source_work: str
    source_locus: str
    source: int
    query_book: str
    source_book: str


class StoredCell(NamedTuple):
    """Pairs of two works whose segments are near each other on both sides."""

    query_cell: int  # where they are: which cell, counted from the beginning of the text
    source_cell: int
    row: int  # the first of them
    pairs: int
    accepted: int
    query_author: str
    query_work: str
    first_query: int  # the positions of the first and the last segment
    last_query: int
    source_author: str
    source_work: str
    first_source: int
    last_source: int


class PlaceTable(ResultTable):
    """The results of a search by their places in both texts.

    Pairs count that meet a filter; with `likely`, only those that are likely, or were judged.
    """

    def books(
        self, wanted: ResultFilter | None, likely: Likely | None
    ) -> dict[str, list[StoredBook]]:
        """Return all books of the works that have pairs, by side."""
        found = {}
        with self._reading() as connection:
            search = search_to_read(connection, self._search)
            where, values = self._chosen(connection, wanted, likely)
            # Both sides at once, since that reads all pairs. The limit cuts nothing: it keeps
            # SQLite from reading them by work, with an index that lacks what chooses them.
            chosen, given = self._sql(
                connection, _WORKS, f" WHERE {where} LIMIT {ALL_ROWS}", values
            )
            works = connection.execute(f"SELECT DISTINCT * FROM ({chosen}) AS chosen", given)  # noqa: S608
            pairs = [tuple(row) for row in works.fetchall()]
            for side, at in (("query", 0), ("source", 2)):
                cited = {row[at : at + 2] for row in pairs}
                books = connection.execute(
                    f"SELECT author, work, {_BOOK.format(table='segment')} AS book, "  # noqa: S608
                    "MIN(position), MAX(position), COUNT(*) FROM segment WHERE side = ? AND "
                    f"edition = (SELECT {side}_edition FROM search WHERE number = ?) "
                    "GROUP BY author, work, book",
                    [side, search],
                )
                found[side] = [
                    StoredBook(*row) for row in books if (row["author"], row["work"]) in cited
                ]
        return found

    def count_places(self, wanted: ResultFilter | None, likely: Likely | None) -> int:
        """Return the number of pairs that count."""
        with self._reading() as connection:
            where, values = self._chosen(connection, wanted, likely)
            return self._count(connection, where, values)

    def places(
        self, wanted: ResultFilter | None, likely: Likely | None, *, most: int
    ) -> list[StoredPlace]:
        """Return pairs, in the order of the text."""
        books = ", ".join(f"{_BOOK.format(table=table)} AS book_{table}" for table in "qs")
        with self._reading() as connection:
            where, values = self._chosen(connection, wanted, likely)
            rows = self._select(
                connection,
                "result.row, COALESCE(result.probability, result.score), mine.verdict, "
                f"{_PLACES}, {books}",
                f"{_SEGMENTS} WHERE {where} ORDER BY result.query, result.rank LIMIT ?",
                [*values, most],
            )
            return [StoredPlace(*row) for row in rows]

    def cells(
        self, wanted: ResultFilter | None, likely: Likely | None, *, widths: tuple[int, int]
    ) -> list[StoredCell]:
        """Return the pairs that count in cells of a number of query and source segments."""
        cells = ", ".join(
            f"result.{side} / {max(width, 1):d}"
            for side, width in zip(("query", "source"), widths, strict=True)
        )
        with self._reading() as connection:
            where, values = self._chosen(connection, wanted, likely)
            # Cells before works: no index of works then promises to be of use.
            found = self._select(
                connection,
                f"{cells}, MIN(result.row), COUNT(*), "
                "COUNT(CASE WHEN mine.verdict IN ('cit.', 'cf.') THEN 1 END), "
                f"{_QUERY_WORK}, MIN(result.query), MAX(result.query), "
                f"{_SOURCE_WORK}, MIN(result.source), MAX(result.source)",
                f" WHERE {where} GROUP BY {cells}, {_WORKS}",
                values,
            )
            return [StoredCell(*row) for row in found]

    def _chosen(
        self, connection: Connection, wanted: ResultFilter | None, likely: Likely | None
    ) -> tuple[str, list[object]]:
        where, values = self._condition(connection, wanted)
        if likely is None:
            return where, values
        return f"{where} AND ({_LIKELY[likely]} OR mine.verdict IS NOT NULL)", values
