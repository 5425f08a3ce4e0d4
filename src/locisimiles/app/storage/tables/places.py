"""Places of pairs: books of both texts, and the pairs between them, for a dot plot."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from locisimiles.app.storage.books import BOOK_COLUMNS, BOOKS, book_of
from locisimiles.app.storage.pairs.connection import PairsConnection, wording_of
from locisimiles.app.storage.tables.results import ALL_ROWS, ResultTable
from locisimiles.app.storage.tables.searches import search_to_read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.app.storage.database import Connection
    from locisimiles.app.storage.tables.filters import ResultFilter

__all__ = [
    "ChosenPlaces", "Likely", "PlaceTable", "StoredBook", "StoredCell", "StoredPlace",
]  # fmt: skip

Likely = Literal["probable", "best"]
"""What counts besides judged pairs: probable ones, or the best candidate of each segment."""

_LIKELY = {"probable": "result.probability >= 0.5", "best": "result.rank <= 1"}
_OF_SEARCH = " AND edition = (SELECT {side}_edition FROM search WHERE number = ?)"
_OF_FILE = f"SELECT {BOOK_COLUMNS} FROM pairs.book WHERE side = ?"  # noqa: S608 - ours
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
_OF_CELL = (
    "MIN(result.row) AS row, COUNT(*) AS pairs, "
    "COUNT(CASE WHEN mine.verdict IN ('cit.', 'cf.') THEN 1 END) AS accepted, "
    "MIN(result.query) AS first_query, MAX(result.query) AS last_query, "
    "MIN(result.source) AS first_source, MAX(result.source) AS last_source"
)
# The numbers of works tell cells apart sooner than their names.
_TOGETHER = """
SELECT near.query_cell, near.source_cell, near.row, near.pairs, near.accepted,
    known.query_author, known.query_work, near.first_query, near.last_query,
    known.source_author, known.source_work, near.first_source, near.last_source
FROM (
    SELECT works, {query} AS query_cell, {source} AS source_cell, MIN(row) AS row,
        CAST(SUM(pairs) AS BIGINT) AS pairs, CAST(SUM(accepted) AS BIGINT) AS accepted,
        MIN(first_query) AS first_query, MAX(last_query) AS last_query,
        MIN(first_source) AS first_source, MAX(last_source) AS last_source
    FROM cell GROUP BY works, {query}, {source} ORDER BY pairs DESC, row LIMIT ?
) near JOIN works known ON known.number = near.works ORDER BY pairs DESC, row
"""
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


def _drawn_cells(cells: list[StoredCell], coarser: Sequence[int], most: int) -> list[StoredCell]:
    """Return cells, most pairs first, as fine as `most` allow; if too many are left, the first."""
    found = cells
    for number in coarser:
        found = _together(cells, number)
        if len(found) <= most:
            break
    return sorted(found, key=lambda one: (-one.pairs, one.row))[:most]


def _together(cells: list[StoredCell], coarser: int) -> list[StoredCell]:
    """Take cells of two works together, as many on each axis as is said."""
    parts: dict[tuple[object, ...], list[StoredCell]] = {}
    for one in cells:
        works = one.query_author, one.query_work, one.source_author, one.source_work
        place = one.query_cell // coarser, one.source_cell // coarser
        parts.setdefault((*works, *place), []).append(one)
    return [
        each[0]._replace(
            query_cell=each[0].query_cell // coarser,
            source_cell=each[0].source_cell // coarser,
            row=min(one.row for one in each),
            pairs=sum(one.pairs for one in each),
            accepted=sum(one.accepted for one in each),
            first_query=min(one.first_query for one in each),
            last_query=max(one.last_query for one in each),
            first_source=min(one.first_source for one in each),
            last_source=max(one.last_source for one in each),
        )
        for each in parts.values()
    ]


class PlaceTable(ResultTable):
    """The results of a search by their places in both texts."""

    @contextmanager
    def choose(self, wanted: ResultFilter | None, likely: Likely | None) -> Iterator[ChosenPlaces]:
        """Choose the pairs that meet a filter; with `likely`, those that are, or were judged."""
        with self._reading() as connection:
            where, values = self._condition(connection, wanted)
            if likely is not None:
                where = f"{where} AND ({_LIKELY[likely]} OR mine.verdict IS NOT NULL)"
                if isinstance(connection, PairsConnection):  # which reads all pairs only once then
                    table, readers = self._table(connection, where)
                    rows = f"SELECT result.row FROM {table} WHERE {where}"  # noqa: S608 - ours
                    connection.narrow(rows, [*readers, *values])
                    where, values = "1 = 1", []
            search = search_to_read(connection, self._search)
            yield ChosenPlaces(self, connection, search, (where, values))


class ChosenPlaces:
    """Some pairs of a search."""

    def __init__(
        self,
        table: PlaceTable,
        connection: Connection,
        search: int,
        chosen: tuple[str, list[object]],
    ) -> None:
        self._connection, self._search = connection, search
        # It is a part of the table.
        self._select = partial(table._select, connection)  # noqa: SLF001
        self._sql = partial(table._sql, connection)  # noqa: SLF001
        self._table = partial(table._table, connection)  # noqa: SLF001
        self._where, self._values = chosen

    def count(self) -> int:
        """Return their number."""
        counted = self._select("COUNT(*)", f" WHERE {self._where}", self._values)
        return int(counted.fetchone()[0])

    def books(self) -> dict[str, list[StoredBook]]:
        """Return all books of the works that have pairs, by side."""
        pairs = self._works()
        found = {}
        for side, at in (("query", 0), ("source", 2)):
            cited = {row[at : at + 2] for row in pairs}
            books = self._books(side)
            found[side] = [one for one in books if (one.author, one.work) in cited]
        return found

    def _works(self) -> list[tuple[Any, ...]]:
        """Return author and work of both sides: of both at once, since that reads all pairs."""
        if isinstance(self._connection, PairsConnection):
            sql, given = self._by_works("COUNT(*)", "")
            return [tuple(row)[:4] for row in self._connection.execute(sql, given)]
        # The limit cuts nothing: it keeps SQLite from reading pairs by work, with an index that
        # lacks what chooses them.
        chosen, given = self._sql(_WORKS, f" WHERE {self._where} LIMIT {ALL_ROWS}", self._values)
        works = self._connection.execute(f"SELECT DISTINCT * FROM ({chosen}) AS chosen", given)  # noqa: S608
        return [tuple(row) for row in works.fetchall()]

    def _by_works(self, figures: str, parts: str) -> tuple[str, list[object]]:
        table, readers = self._table(f"{figures}{self._where}")
        sql = wording_of(self._connection).by_works.format(
            figures=figures, found=f"{table} WHERE {self._where}", parts=parts
        )
        return sql, [*readers, *self._values]

    def _books(self, side: str) -> list[StoredBook]:
        if isinstance(self._connection, PairsConnection):  # whose file has them
            rows = self._connection.execute_on_file(_OF_FILE, [side])
        else:
            sql = BOOKS.format(only=_OF_SEARCH.format(side=side))
            rows = self._connection.execute(sql, [side, self._search])
        return [StoredBook(*row) for row in rows]

    def places(self, most: int) -> list[StoredPlace]:
        """Return the first of them, in the order of the text."""
        books = ", ".join(f"{book_of(table)} AS book_{table}" for table in "qs")
        rows = self._select(
            "result.row, COALESCE(result.probability, result.score), mine.verdict, "
            f"{_PLACES}, {books}",
            f"{_SEGMENTS} WHERE {self._where} ORDER BY result.query, result.rank LIMIT ?",
            [*self._values, most],
        )
        return [StoredPlace(*row) for row in rows]

    def cells(self, widths: tuple[int, int], coarser: Sequence[int], most: int) -> list[StoredCell]:
        """Return them in cells of a number of query and source segments, most pairs first.

        So many cells on each axis are taken together as `coarser` says: the first number that
        leaves at most `most`. If none does, the first cells are returned.
        """
        quotient = wording_of(self._connection).quotient.format
        query, source = (
            quotient(f"result.{side}", max(width, 1))
            for side, width in zip(("query", "source"), widths, strict=True)
        )
        figures = f"{query} AS query_cell, {source} AS source_cell, {_OF_CELL}"
        if isinstance(self._connection, PairsConnection):  # there may be a hundred thousand
            return self._drawn(self._connection, figures, coarser, most)
        sql, given = self._by_works(figures, f"{query}, {source}, ")
        found = [StoredCell(**dict(row)) for row in self._connection.execute(sql, given)]
        return _drawn_cells(found, coarser, most)

    def _drawn(
        self, connection: PairsConnection, figures: str, coarser: Sequence[int], most: int
    ) -> list[StoredCell]:
        """Return what `_drawn_cells` does, taken together by the database."""
        ask = connection.execute_on_file
        table, readers = self._table(f"{figures}{self._where}")
        ask(
            f"CREATE TEMP TABLE cell AS SELECT result.works, {figures} FROM {table} "  # noqa: S608
            f"WHERE {self._where} GROUP BY 1, 2, 3",
            [*readers, *self._values],
        )
        near = "", ""
        for number in coarser:
            near = f"query_cell // {number:d}", f"source_cell // {number:d}"
            counted = f"SELECT COUNT(*) FROM (SELECT DISTINCT works, {', '.join(near)} FROM cell)"  # noqa: S608
            if ask(counted).fetchone()[0] <= most:
                break
        together = _TOGETHER.format(query=near[0], source=near[1])
        return [StoredCell(*row) for row in ask(together, [most])]
