"""What a search found, as the views ask for it: pages, neighbours, counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.results.filters import ORDERS, ResultFilter
from locisimiles.errors import InputError, ParameterError

if TYPE_CHECKING:
    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Connection

__all__ = ["Found", "FoundPair", "Page"]

_ALL = 2**62
"""More rows than there are."""
_COLUMNS = (
    "row", "query", "source", "rank", "score", "probability", "shipped", "type", "query_id",
    "source_id", "query_author", "query_work", "source_author", "source_work", "shared", "rarity",
)  # fmt: skip
_NAMES = ", ".join(f"result.{name}" for name in _COLUMNS)
_TEXTS = (
    ", q.text AS query_text, s.text AS source_text, q.locus AS query_locus,"
    " s.locus AS source_locus, result.alignment"
)
_JOINED_TEXTS = (
    " JOIN segment q ON q.side = 'query' AND q.position = result.query"
    " JOIN segment s ON s.side = 'source' AND s.position = result.source"
)
_WORKS = ("query_author", "query_work", "source_author", "source_work")
_JOINED = (
    "result LEFT JOIN judgement mine ON mine.query_id = result.query_id "
    "AND mine.source_id = result.source_id AND mine.reader = :reader"
)


class Page(NamedTuple):
    """Some rows of a selection, and how many there are in all."""

    total: int
    rows: list[dict[str, object]]


class FoundPair(NamedTuple):
    """A pair with all that is known of it.

    Attributes
    ----------
    alignment
        Where the words stand that answer each other: beginning and end in the query, beginning and
        end in the source, and the kind of bond.
    explanation
        As the project keeps it; `locisimiles.app.results.explanations.explained` says it.
    """

    row: dict[str, object]
    query_text: str
    source_text: str
    query_locus: str
    source_locus: str
    alignment: list[tuple[int, int, int, int, str]]
    explanation: str
    others: list[dict[str, object]]


class Found:
    """The results of a project, as one reader sees them.

    Parameters
    ----------
    project
        Whose results.
    reader
        Whose verdicts count as status.
    """

    def __init__(self, project: Project, reader: str = "") -> None:
        self._project, self._reader = project, reader

    def page(
        self,
        selection: ResultFilter | None = None,
        *,
        order: str = "reading",
        backwards: bool = False,
        offset: int = 0,
        limit: int = 100,
        texts: bool = False,
    ) -> Page:
        """Return some rows.

        Parameters
        ----------
        selection
            Which rows; all by default.
        order, backwards
            One of `ORDERS`, and whether it is turned round.
        offset, limit
            How many to leave out, and how many to return at most.
        texts
            Add texts and loci of both segments, and where the words stand that answer each other.
        """
        where, values = (selection or ResultFilter()).where()
        sorting = _order(order, backwards=backwards)
        with self._project.database.reading() as connection:
            total = self._count(connection, where, values)
            numbers = self._numbers(connection, (where, values), sorting, limit, offset)
            # Only now is anything joined: not to the rows that are left out.
            found = self._details(connection, numbers, texts=texts)
        return Page(total, [found[number] for number in numbers])

    def _numbers(
        self,
        connection: Connection,
        chosen: tuple[str, list[object]],
        sorting: str,
        limit: int = _ALL,
        offset: int = 0,
    ) -> list[int]:
        """Return the numbers of rows that fulfil a condition, in order."""
        where, values = chosen
        tables = _JOINED if "mine." in where or "mine." in sorting else "result"
        sql = (
            f"SELECT result.row FROM {tables} WHERE {where} "  # noqa: S608 - all ours
            f"ORDER BY {sorting} LIMIT ? OFFSET ?"
        )
        bound = self._bind(sql, [*values, limit, offset])
        return [row[0] for row in connection.execute(*bound)]

    def _details(
        self, connection: Connection, numbers: list[int], *, texts: bool
    ) -> dict[int, dict[str, object]]:
        if not numbers:
            return {}
        more, joined = (_TEXTS, _JOINED_TEXTS) if texts else ("", "")
        places = ", ".join("?" * len(numbers))
        sql = (
            f"SELECT {_NAMES}, mine.verdict, mine.note{more} "  # noqa: S608 - all ours
            f"FROM {_JOINED}{joined} WHERE result.row IN ({places})"
        )
        rows = connection.execute(*self._bind(sql, list(numbers)))
        return {row["row"]: _read_alignment(dict(row)) for row in rows}

    def count(self, selection: ResultFilter | None = None) -> int:
        """Return how many rows a selection has."""
        where, values = (selection or ResultFilter()).where()
        with self._project.database.reading() as connection:
            return self._count(connection, where, values)

    def _count(self, connection: Connection, where: str, values: list[object]) -> int:
        # Without a status nobody's verdicts need be looked up.
        tables = _JOINED if "mine." in where else "result"
        sql = f"SELECT COUNT(*) FROM {tables} WHERE {where}"  # noqa: S608 - all ours
        return int(connection.execute(*self._bind(sql, values)).fetchone()[0])

    def _bind(self, sql: str, values: list[object]) -> tuple[str, list[object]]:
        """Put the reader where the tables are joined, before all other values."""
        return (sql.replace(":reader", "?"), [self._reader, *values]) if ":reader" in sql else (
            sql, values
        )  # fmt: skip

    def rows(
        self,
        selection: ResultFilter | None = None,
        *,
        order: str = "reading",
        backwards: bool = False,
    ) -> list[int]:
        """Return the numbers of all rows of a selection, in order."""
        chosen = (selection or ResultFilter()).where()
        with self._project.database.reading() as connection:
            return self._numbers(connection, chosen, _order(order, backwards=backwards))

    def beside(self, row: int, selection: ResultFilter, *, backwards: bool = False) -> int | None:
        """Return the row of a selection that is read after another, or before it; None at the end.

        The other need not be in the selection itself.
        """
        where, values = selection.where()
        sign, direction = ("<", "DESC") if backwards else (">", "ASC")
        place = f"(result.query, result.rank) {sign} (SELECT query, rank FROM result WHERE row = ?)"  # noqa: S608 - ours
        sorting = f"result.query {direction}, result.rank {direction}"
        with self._project.database.reading() as connection:
            found = self._numbers(connection, (f"{place} AND {where}", [row, *values]), sorting, 1)
        return found[0] if found else None

    def first(
        self,
        selection: ResultFilter | None = None,
        *,
        order: str = "reading",
        backwards: bool = False,
    ) -> int | None:
        """Return the number of the first row of a selection; None if it has none."""
        chosen = (selection or ResultFilter()).where()
        with self._project.database.reading() as connection:
            rows = self._numbers(connection, chosen, _order(order, backwards=backwards), limit=1)
        return rows[0] if rows else None

    def has(self, row: int, selection: ResultFilter) -> bool:
        """Tell whether a row is in a selection."""
        where, values = selection.where()
        with self._project.database.reading() as connection:
            return self._count(connection, f"result.row = ? AND {where}", [row, *values]) > 0

    def pair(self, row: int) -> FoundPair:
        """Return all that is known of a row.

        Raises
        ------
        InputError
            If there is none of this number.
        """
        sql = (
            f"SELECT {_NAMES}, mine.verdict, mine.note, result.alignment, "  # noqa: S608 - all ours
            f"result.explanation FROM {_JOINED} WHERE result.row = ?"
        )
        with self._project.database.reading() as connection:
            found = connection.execute(*self._bind(sql, [row])).fetchone()
            if found is None:
                raise InputError(f"there is no result {row}")
            others = connection.execute(
                "SELECT reader, verdict, note FROM judgement WHERE query_id = ? AND source_id = ? "
                "AND reader != ? ORDER BY reader",
                [found["query_id"], found["source_id"], self._reader],
            ).fetchall()
        known = dict(found)
        query = self._project.segment("query", found["query"])
        source = self._project.segment("source", found["source"])
        alignment, explanation = known.pop("alignment"), known.pop("explanation")
        return FoundPair(
            known,
            query.text,
            source.text,
            query.locus,
            source.locus,
            [tuple(pair) for pair in json.loads(alignment)],
            explanation,
            [dict(other) for other in others],
        )

    def links(self, selection: ResultFilter | None = None) -> list[dict[str, object]]:
        """Return which works cite which in a selection, and how often."""
        where, values = (selection or ResultFilter()).where()
        columns = ", ".join(f"result.{name}" for name in _WORKS)
        tables = _JOINED if "mine." in where else "result"
        sql = (
            f"SELECT {columns}, COUNT(*) AS count FROM {tables} WHERE {where} "  # noqa: S608 - ours
            f"GROUP BY {columns} ORDER BY MIN(result.row)"
        )
        with self._project.database.reading() as connection:
            return [dict(row) for row in connection.execute(*self._bind(sql, values))]

    def by_query(
        self, selection: ResultFilter | None = None, *, first: int = 0, count: int | None = None
    ) -> dict[int, tuple[int, int, float]]:
        """Return for each query segment: candidates, accepted ones, and the best value.

        The best value is a probability where a classifier was asked, else a score.

        Parameters
        ----------
        selection
            Which results count.
        first, count
            Which query segments; all by default.
        """
        where, values = (selection or ResultFilter()).where()
        if count is not None:
            where, values = f"{where} AND result.query BETWEEN ? AND ?", [
                *values, first, first + count - 1,
            ]  # fmt: skip
        sql = (
            "SELECT result.query, COUNT(*), "  # noqa: S608 - all ours
            "COUNT(CASE WHEN mine.verdict IN ('cit.', 'cf.') THEN 1 END), "
            f"MAX(COALESCE(result.probability, result.score)) FROM {_JOINED} WHERE {where} "
            "GROUP BY result.query"
        )
        with self._project.database.reading() as connection:
            rows = connection.execute(*self._bind(sql, values)).fetchall()
        return {row[0]: (row[1], row[2], row[3]) for row in rows}


def _read_alignment(row: dict[str, object]) -> dict[str, object]:
    if "alignment" in row:
        row["alignment"] = json.loads(str(row["alignment"]))
    return row


def _order(name: str, *, backwards: bool = False) -> str:
    if name not in ORDERS:
        raise ParameterError(
            f"results cannot be ordered by {name!r}", hint=f"choose one of {', '.join(ORDERS)}"
        )
    up, down = ("DESC", "ASC") if backwards else ("ASC", "DESC")
    # Whatever the database thinks: what is not known is less than anything that is.
    nulls = {"ASC": "ASC NULLS FIRST", "DESC": "DESC NULLS LAST"}
    return ORDERS[name].format(up=up, down=down, rising=nulls[up], falling=nulls[down])
