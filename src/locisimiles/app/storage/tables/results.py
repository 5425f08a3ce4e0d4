"""Results of a search: pages, counts and neighbours for views, rows for exports and figures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from locisimiles.app.storage.tables.batches import Pairs
from locisimiles.app.storage.tables.blindness import read_blindness
from locisimiles.app.storage.tables.filters import ABOUT_OTHERS, ResultFilter, order_sql
from locisimiles.app.storage.tables.judgements import find_decision, judgements_of_pair
from locisimiles.app.storage.tables.rankings import has_ranking
from locisimiles.app.storage.tables.searches import search_to_read
from locisimiles.app.storage.tables.words import positions_with_words
from locisimiles.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from locisimiles.app.storage.database import Connection, Database, Row, Rows
    from locisimiles.app.storage.tables.judgements import StoredJudgement

__all__ = [
    "PairDetails",
    "ResultPage",
    "ResultTable",
    "add_results",
    "count_results",
    "delete_results",
    "result_scores",
    "stored_results_of",
]

_ALL_ROWS = 2**62
_COLUMNS = (
    "row", "query", "source", "rank", "score", "probability", "shipped", "type", "query_id",
    "source_id", "query_author", "query_work", "source_author", "source_work", "shared", "rarity",
)  # fmt: skip
_ROW = ", ".join(
    [
        *(f"result.{name}" for name in _COLUMNS),
        "mine.verdict",
        "mine.note",
        "decided.verdict AS decision",
        "decided.reader AS decided_by",
    ]
)
_TEXTS = (
    ", q.text AS query_text, s.text AS source_text, q.locus AS query_locus,"
    " s.locus AS source_locus, q.marks AS query_marks, s.marks AS source_marks, result.alignment"
)
_JOINED_TEXTS = (
    " JOIN search made ON made.number = result.search"
    " JOIN segment q ON q.side = 'query' AND q.edition = made.query_edition"
    " AND q.position = result.query"
    " JOIN segment s ON s.side = 'source' AND s.edition = made.source_edition"
    " AND s.position = result.source"
)
_JUDGED = (
    " LEFT JOIN judgement mine ON mine.query_id = result.query_id "
    "AND mine.source_id = result.source_id AND mine.reader = ?"
)
_DECIDED = (
    " LEFT JOIN decision decided ON decided.query_id = result.query_id "
    "AND decided.source_id = result.source_id AND decided.verdict IS NOT NULL"
)
_DECIDED_UNSEEN = f"{_DECIDED} AND 1 = 0"
_NUMBERS = "(SELECT value FROM json_each(?))"
_OF_JUDGEMENTS = ("verdict", "note", "time")
_WORKS = "result.query_author, result.query_work, result.source_author, result.source_work"
_WRITTEN = (
    "row", "search", "query", "source", "rank", "score", "probability", "cit", "cf", "type",
    "query_id", "source_id", "query_author", "query_work", "source_author", "source_work", "shared",
    "rarity", "alignment", "explanation",
)  # fmt: skip
# Results without a ranking that was learnt from the verdicts of others.
_SHIPPED_RANK = "COALESCE(shipped_rank, rank)"
_SHIPPED_COLUMNS = {
    "rank": f"{_SHIPPED_RANK} AS rank",
    "probability": "COALESCE(shipped, probability) AS probability",
}
_SHIPPED = (
    f"(SELECT {', '.join(_SHIPPED_COLUMNS.get(name, name) for name in _WRITTEN)}, "  # noqa: S608
    "CAST(NULL AS DOUBLE PRECISION) AS shipped FROM result) AS result"
)


class ResultPage(NamedTuple):
    """Some rows of a filtered table, and their total number."""

    total: int
    rows: list[dict[str, Any]]


class PairDetails(NamedTuple):
    """A pair with everything known about it."""

    row: dict[str, Any]
    query_text: str
    source_text: str
    query_locus: str
    source_locus: str
    alignment: list[list[Any]]  # start and end in the query and in the source, kind of bond
    explanation: str  # as it is stored; see `locisimiles.app.results.explanations`
    others: list[dict[str, Any]]  # judgements of other readers; none if the reader works blind
    decision: dict[str, Any] | None = None  # between readers


class ResultTable:
    """The results of a search, as the reader whose verdicts count as status sees them.

    By default it is the newest search that has results. A reader who works blind sees nothing that
    follows from the verdicts of others.
    """

    def __init__(self, database: Database, reader: str = "", search: int | None = None) -> None:
        self._database, self._reader, self._search = database, reader, search
        self._blind: bool | None = None  # asked once
        self._hidden: bool | None = None  # whether a learnt ranking is; asked once

    def page(
        self,
        wanted: ResultFilter | None = None,
        *,
        order: str = "reading",
        backwards: bool = False,
        offset: int = 0,
        limit: int = 100,
        texts: bool = False,
    ) -> ResultPage:
        """Return some rows; `texts` adds texts and loci of both segments, and the alignment."""
        more, joined = (_TEXTS, _JOINED_TEXTS) if texts else ("", "")
        with self._database.reading() as connection:
            where, values = self._condition(connection, wanted)
            total = self._count(connection, where, values)
            rows = self._rows(
                connection, where, values, order_sql(order, backwards=backwards), limit, offset
            )
            if not rows:
                return ResultPage(total, [])
            # Texts are joined only now, to the rows of this page alone.
            listed = f"{joined} WHERE result.row IN ({', '.join('?' * len(rows))})"
            found = {
                row["row"]: _with_alignment(row)
                for row in self._select(connection, f"{_ROW}{more}", listed, rows)
            }
        return ResultPage(total, [found[row] for row in rows])

    def count(self, wanted: ResultFilter | None = None) -> int:
        """Return the number of rows."""
        with self._database.reading() as connection:
            return self._count(connection, *self._condition(connection, wanted))

    def has(self, row: int, wanted: ResultFilter) -> bool:
        """Tell whether a row meets a filter."""
        with self._database.reading() as connection:
            where, values = self._condition(connection, wanted)
            return self._count(connection, f"result.row = ? AND {where}", [row, *values]) > 0

    def rows(
        self,
        wanted: ResultFilter | None = None,
        *,
        order: str = "reading",
        backwards: bool = False,
        offset: int = 0,
        limit: int = _ALL_ROWS,
    ) -> list[int]:
        """Return row numbers, in order."""
        sorting = order_sql(order, backwards=backwards)
        with self._database.reading() as connection:
            where, values = self._condition(connection, wanted)
            return self._rows(connection, where, values, sorting, limit, offset)

    def chosen(
        self, connection: Connection, rows: Sequence[int], all_of: ResultFilter | None = None
    ) -> Pairs:
        """Return what selects some pairs: these rows, or all that meet a filter but these."""
        where, values = self._condition(connection, all_of)
        table = _SHIPPED if self._is_ranking_hidden(connection) else "result"
        listed = f"result.row {'IN' if all_of is None else 'NOT IN'} {_NUMBERS}"
        return Pairs(
            "SELECT result.query_id, result.source_id, MIN(result.row) AS place "  # noqa: S608
            f"FROM {table}{_JUDGED} WHERE {where} AND {listed} "
            "GROUP BY result.query_id, result.source_id",
            [self._reader, *values, json.dumps(list(rows))],
        )

    def neighbour(self, row: int, wanted: ResultFilter, *, backwards: bool = False) -> int | None:
        """Return the row read next, or before; None at the end. `row` need not meet the filter."""
        sign, direction = ("<", "DESC") if backwards else (">", "ASC")
        sorting = f"result.query {direction}, result.rank {direction}"
        with self._database.reading() as connection:
            rank = _SHIPPED_RANK if self._is_ranking_hidden(connection) else "rank"
            beyond = (
                f"(result.query, result.rank) {sign} "  # noqa: S608 - all ours
                f"(SELECT query, {rank} FROM result WHERE row = ?)"
            )
            where, values = self._condition(connection, wanted)
            found = self._rows(connection, f"{beyond} AND {where}", [row, *values], sorting, 1)
        return found[0] if found else None

    def find(self, query_id: str, source_id: str) -> int | None:
        """Return the row of a pair; None if it is not among the results."""
        with self._database.reading() as connection:
            found = connection.execute(
                "SELECT row FROM result WHERE search = ? AND query_id = ? AND source_id = ?",
                [search_to_read(connection, self._search), query_id, source_id],
            ).fetchone()
        return None if found is None else int(found["row"])

    def pair(self, row: int) -> PairDetails:
        """Return everything known about a row, or raise an InputError."""
        columns = f"{_ROW}{_TEXTS}, result.explanation"
        one = f"{_JOINED_TEXTS} WHERE result.row = ?"
        with self._database.reading() as connection:
            found = self._select(connection, columns, one, [row]).fetchone()
            if found is None:
                raise InputError("app.no_result", number=str(row))
            known = _with_alignment(found)
            others, decision = self._others(connection, known["query_id"], known["source_id"])
        names = ("query_text", "source_text", "query_locus", "source_locus", "alignment",
                 "explanation")  # fmt: skip
        details = {name: known.pop(name) for name in names}
        return PairDetails(known, **details, others=others, decision=decision)

    def _others(
        self, connection: Connection, query_id: str, source_id: str
    ) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
        """Return what other readers said of a pair, and the decision between readers."""
        if self._is_blind(connection):
            return [], None
        judged = judgements_of_pair(connection, query_id, source_id)
        decision = find_decision(connection, query_id, source_id)
        said = [_said(one) for one in judged if one.reader != self._reader]
        return said, _said(decision) if decision.verdict is not None else None

    def columns(
        self, names: Sequence[str], wanted: ResultFilter | None = None, *, order: str | None = None
    ) -> list[Row]:
        """Return columns of results and of the reader's judgements."""
        chosen = ", ".join(
            f"{'mine' if name in _OF_JUDGEMENTS else 'result'}.{name}" for name in names
        )
        sorting = f" ORDER BY {order_sql(order)}" if order else ""
        with self._database.reading() as connection:
            where, values = self._condition(connection, wanted)
            return self._select(connection, chosen, f" WHERE {where}{sorting}", values).fetchall()

    def links(self, wanted: ResultFilter | None = None) -> list[dict[str, Any]]:
        """Return which works cite which, and how often."""
        with self._database.reading() as connection:
            where, values = self._condition(connection, wanted)
            rest = f" WHERE {where} GROUP BY {_WORKS} ORDER BY MIN(result.row)"
            found = self._select(connection, f"{_WORKS}, COUNT(*) AS count", rest, values)
            return [dict(row) for row in found]

    def by_query(
        self, wanted: ResultFilter | None = None, *, first: int = 0, count: int = _ALL_ROWS
    ) -> dict[int, tuple[int, int, float]]:
        """Return candidates, accepted candidates and best value of query segments, by position.

        The best value is a probability if a classifier judged the results, else a score.
        """
        columns = (
            "result.query, COUNT(*), COUNT(CASE WHEN mine.verdict IN ('cit.', 'cf.') THEN 1 END), "
            "MAX(COALESCE(result.probability, result.score))"
        )
        with self._database.reading() as connection:
            where, values = self._condition(connection, wanted)
            rest = f" WHERE {where} AND result.query BETWEEN ? AND ? GROUP BY result.query"
            found = self._select(connection, columns, rest, [*values, first, first + count - 1])
            return {row[0]: (row[1], row[2], row[3]) for row in found}

    def by_source(self, first: int, last: int, *, limit: int) -> list[dict[str, Any]]:
        """Return the pairs of source segments from `first` to `last` with texts, the best first."""
        best = "COALESCE(result.probability, result.score) DESC, result.row"
        rest = (
            f"{_JOINED_TEXTS} WHERE result.search = ? "
            f"AND result.source BETWEEN ? AND ? ORDER BY {best} LIMIT ?"
        )
        with self._database.reading() as connection:
            search = search_to_read(connection, self._search)
            found = self._select(connection, f"{_ROW}{_TEXTS}", rest, [search, first, last, limit])
            return [_with_alignment(row) for row in found]

    def _condition(
        self, connection: Connection, wanted: ResultFilter | None
    ) -> tuple[str, list[object]]:
        wanted = wanted or ResultFilter()
        if wanted.status in ABOUT_OTHERS and self._is_blind(connection):
            raise ParameterError("app.blind")
        search = search_to_read(connection, self._search)
        if not wanted.words:
            return wanted.where(search)
        positions = positions_with_words(connection, self._database.key, search, wanted.words)
        return wanted.where(search, positions)

    def _select(
        self, connection: Connection, columns: str, rest: str, values: Sequence[object]
    ) -> Rows:
        table = _SHIPPED if self._is_ranking_hidden(connection) else "result"
        # Verdicts and decisions are joined only where they are needed.
        joined, readers = "", []
        if "mine." in columns or "mine." in rest:
            joined, readers = _JUDGED, [self._reader]
        if "decided." in columns:
            joined += _DECIDED_UNSEEN if self._is_blind(connection) else _DECIDED
        return connection.execute(
            f"SELECT {columns} FROM {table}{joined}{rest}",  # noqa: S608 - all ours
            [*readers, *values],
        )

    def _is_blind(self, connection: Connection) -> bool:
        if self._blind is None:
            self._blind = read_blindness(connection, self._reader).on
        return self._blind

    def _is_ranking_hidden(self, connection: Connection) -> bool:
        if self._hidden is None:
            self._hidden = self._is_blind(connection) and has_ranking(connection)
        return self._hidden

    def _count(self, connection: Connection, where: str, values: list[object]) -> int:
        counted = self._select(connection, "COUNT(*)", f" WHERE {where}", values)
        return int(counted.fetchone()[0])

    def _rows(  # noqa: PLR0917 - the parts of a statement
        self,
        connection: Connection,
        where: str,
        values: list[object],
        sorting: str,
        limit: int,
        offset: int = 0,
    ) -> list[int]:
        rest = f" WHERE {where} ORDER BY {sorting} LIMIT ? OFFSET ?"
        found = self._select(connection, "result.row", rest, [*values, limit, offset])
        return [row[0] for row in found]


def add_results(connection: Connection, search: int, rows: Iterable[tuple[object, ...]]) -> None:
    """Add results of a search, numbered after those that are there."""
    last = connection.execute("SELECT COALESCE(MAX(row), 0) FROM result").fetchone()[0]
    places = ", ".join("?" * len(_WRITTEN))
    connection.executemany(
        f"INSERT INTO result ({', '.join(_WRITTEN)}) VALUES ({places})",  # noqa: S608 - ours
        [(number, search, *row) for number, row in enumerate(rows, start=last + 1)],
    )


def count_results(connection: Connection, search: int) -> int:
    """Return the number of all results of a search."""
    found = connection.execute("SELECT COUNT(*) FROM result WHERE search = ?", [search])
    return int(found.fetchone()[0])


def result_scores(connection: Connection, search: int) -> list[tuple[int, float]]:
    """Return row and score of all results of a search, in reading order."""
    rows = connection.execute(
        "SELECT row, score FROM result WHERE search = ? ORDER BY query, rank", [search]
    )
    return [(row["row"], row["score"]) for row in rows]


def stored_results_of(
    connection: Connection, search: int, first: int, last: int
) -> list[tuple[object, ...]]:
    """Return results of some query positions, as `add_results` takes them and as they were found.

    A ranking that was learnt later is left out.
    """
    shipped = {
        "rank": "COALESCE(shipped_rank, rank)",
        "probability": "COALESCE(shipped, probability)",
    }
    columns = ", ".join(shipped.get(name, name) for name in _WRITTEN[2:])
    rows = connection.execute(
        f"SELECT {columns} FROM result WHERE search = ? AND query BETWEEN ? AND ? "  # noqa: S608
        "ORDER BY query, COALESCE(shipped_rank, rank)",
        [search, first, last],
    )
    return [tuple(row) for row in rows]


def delete_results(connection: Connection, rows: Iterable[int]) -> None:
    """Delete results by their numbers."""
    connection.executemany("DELETE FROM result WHERE row = ?", [(row,) for row in rows])


def _said(one: StoredJudgement) -> dict[str, Any]:
    return {
        "reader": one.reader,
        "verdict": one.verdict,
        "note": one.note,
        "independent": one.independent,
    }


def _with_alignment(row: Row) -> dict[str, Any]:
    known = dict(zip(row.keys(), row, strict=True))
    if "alignment" in known:
        known["alignment"] = json.loads(known["alignment"])
    return known
