"""Results of a search: pages, counts and neighbours for views, rows for exports and figures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from locisimiles.app.storage.pairs.connection import (
    PairsConnection,
    with_pairs,
    wording_of,
)
from locisimiles.app.storage.stored_values import load_alignment
from locisimiles.app.storage.tables.batches import LISTED_PAIRS, Pairs
from locisimiles.app.storage.tables.judgements import find_decision, judgements_of_pair
from locisimiles.app.storage.tables.orders import NARROW, Part, parts_of, ranges_beyond
from locisimiles.app.storage.tables.searches import search_to_read
from locisimiles.app.storage.tables.selected import SelectedResults
from locisimiles.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.app.storage.database import Connection, Row
    from locisimiles.app.storage.tables.filters import ResultFilter
    from locisimiles.app.storage.tables.judgements import StoredJudgement
    from locisimiles.app.storage.tables.orders import Range

__all__ = [
    "ALL_ROWS",
    "PairDetails",
    "ResultPage",
    "ResultTable",
]

ALL_ROWS = 2**62
_COLUMNS = (
    "row", "query", "source", "rank", "score", "probability", "shipped", "type", "query_id",
    "source_id", "query_author", "query_work", "source_author", "source_work", "shared", "rarity",
    "parallel_to",
)  # fmt: skip
_ROW = ", ".join(
    [
        *(f"result.{name}" for name in _COLUMNS),
        "mine.verdict",
        "mine.note",
        "decided.verdict AS decision",
        "decided.reader AS decided_by",
        "{parallels} AS parallels",
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
_MOST_CHOSEN = 200_000  # pairs of a file that are judged together
_MANY = 50_000  # results, each of which a walk may look up
_OF_JUDGEMENTS = ("verdict", "note", "time")


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


class ResultTable(SelectedResults):
    """The results of a search: pages, and what stands before and after a pair."""

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
        with self._reading() as connection:
            total = self._count(connection, *self._condition(connection, wanted))
            limit = min(limit, total - offset)
            if limit <= 0:
                return ResultPage(total, [])
            after = total - offset - limit
            turned = after < offset  # what is near the end is found from the end
            offset = min(offset, after)
            rows = self._walk(
                connection, wanted, order, limit, offset, backwards=backwards != turned
            )
            rows = rows[::-1] if turned else rows
            # Texts are joined only now, to the rows of this page alone.
            listed = f"{joined} WHERE result.row IN ({', '.join('?' * len(rows))})"
            if isinstance(connection, PairsConnection):
                connection.keep(rows)
            columns = f"{_row(connection)}{more}"
            found = {
                row["row"]: _with_alignment(row)
                for row in self._select(connection, columns, listed, rows)
            }
        return ResultPage(total, [found[row] for row in rows])

    def count(self, wanted: ResultFilter | None = None) -> int:
        """Return the number of rows."""
        with self._reading() as connection:
            return self._count(connection, *self._condition(connection, wanted))

    def has_probabilities(self) -> bool:
        """Tell whether a classifier judged any of the results."""
        with self._reading() as connection:
            where, values = self._condition(connection, None)
            rest = f" WHERE {where} AND result.probability IS NOT NULL LIMIT 1"
            return self._select(connection, "1", rest, values).fetchone() is not None

    def has(self, row: int, wanted: ResultFilter) -> bool:
        """Tell whether a row meets a filter."""
        with self._reading() as connection:
            where, values = self._condition(connection, wanted)
            return self._count(connection, f"result.row = ? AND {where}", [row, *values]) > 0

    def rows(
        self,
        wanted: ResultFilter | None = None,
        *,
        order: str = "reading",
        backwards: bool = False,
        offset: int = 0,
        limit: int = ALL_ROWS,
    ) -> list[int]:
        """Return row numbers, in order."""
        with self._reading() as connection:
            return self._walk(connection, wanted, order, limit, offset, backwards=backwards)

    def chosen(
        self, connection: Connection, rows: Sequence[int], all_of: ResultFilter | None = None
    ) -> Pairs:
        """Return what selects some pairs: these rows, or all that meet a filter but these."""
        number = search_to_read(connection, self._search)
        with with_pairs(self._database, connection, number) as reading:
            if isinstance(reading, PairsConnection):
                return self._chosen_pairs(reading, rows, all_of)
        where, values = self._condition(connection, all_of)
        listed = _listed(connection, all_of)
        return Pairs(
            *self._sql(
                connection,
                "result.query_id, result.source_id, MIN(result.row) AS place",
                f" WHERE {where} AND {listed} GROUP BY result.query_id, result.source_id",
                [*values, json.dumps(list(rows))],
            )
        )

    def _chosen_pairs(
        self, connection: PairsConnection, rows: Sequence[int], all_of: ResultFilter | None
    ) -> Pairs:
        """Return what selects some pairs of a file, which the project itself cannot read."""
        where, values = self._condition(connection, all_of)
        listed = _listed(connection, all_of)
        found = self._select(
            connection,
            "result.query_id, result.source_id, MIN(result.row)",
            f" WHERE {where} AND {listed} GROUP BY result.query_id, result.source_id LIMIT ?",
            [*values, json.dumps(list(rows)), _MOST_CHOSEN + 1],
        ).fetchall()
        if len(found) > _MOST_CHOSEN:
            raise ParameterError("app.too_many_chosen", most=_MOST_CHOSEN)
        return Pairs(LISTED_PAIRS, [json.dumps([list(row) for row in found])])

    def neighbour(
        self, row: int, wanted: ResultFilter, *, order: str = "reading", backwards: bool = False
    ) -> int | None:
        """Return the row read next, or before; None at the end. `row` need not meet the filter."""
        with self._reading() as connection:
            where, values = self._condition_to_walk(connection, wanted, order)
            parts = parts_of(order, backwards=backwards, words=wording_of(connection))
            for beyond in self._beyond(connection, row, parts):
                own = " AND ".join(filter(None, (beyond.condition, where)))
                given = [*beyond.values, *values]
                if found := self._rows(connection, own, given, beyond, 1):
                    return found[0]
        return None

    def position(
        self, row: int, wanted: ResultFilter, *, order: str = "reading", backwards: bool = False
    ) -> int | None:
        """Return how many rows stand before one; None if it does not meet the filter."""
        with self._reading() as connection:
            where, values = self._condition(connection, wanted)
            if not self._count(connection, f"result.row = ? AND {where}", [row, *values]):
                return None
            where, values = self._condition_to_walk(connection, wanted, order)
            parts = parts_of(order, backwards=not backwards, words=wording_of(connection))
            return sum(
                self._count(
                    connection,
                    " AND ".join(filter(None, (beyond.condition, where))),
                    [*beyond.values, *values],
                )
                for beyond in self._beyond(connection, row, parts)
            )

    def find(self, query_id: str, source_id: str) -> int | None:
        """Return the row of a pair; None if it is not among the results."""
        with self._reading() as connection:
            found = connection.execute(
                "SELECT row FROM result WHERE search = ? AND query_id = ? AND source_id = ?",
                [search_to_read(connection, self._search), query_id, source_id],
            ).fetchone()
        return None if found is None else int(found["row"])

    def pair(self, row: int) -> PairDetails:
        """Return everything known about a row, or raise an InputError."""
        one = f"{_JOINED_TEXTS} WHERE result.row = ?"
        with self._reading(row) as connection:
            columns = f"{_row(connection)}{_TEXTS}, result.explanation"
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
        with self._reading() as connection:
            where, values = self._condition(connection, wanted)
            if order is None:
                return self._select(connection, chosen, f" WHERE {where}", values).fetchall()
            found = []
            for part in parts_of(order, words=wording_of(connection)):
                own = " AND ".join(filter(None, (part.condition, where)))
                rest = f" WHERE {own} ORDER BY {part.sorting}"
                given = [*part.values(self._reader), *values]
                found += self._select(connection, chosen, rest, given).fetchall()
            return found

    def links(self, wanted: ResultFilter | None = None) -> list[dict[str, Any]]:
        """Return which works cite which, and how often."""
        with self._reading() as connection:
            where, values = self._condition(connection, wanted)
            table, readers = self._table(connection, where)
            figures = "COUNT(*) AS count, MIN(result.row) AS first"
            sql = wording_of(connection).by_works.format(
                figures=figures, found=f"{table} WHERE {where}", parts=""
            )
            found = connection.execute(f"{sql} ORDER BY first", [*readers, *values])
            names = ("query_author", "query_work", "source_author", "source_work", "count")
            return [{name: row[name] for name in names} for row in found]

    def by_query(
        self, wanted: ResultFilter | None = None, *, first: int = 0, count: int = ALL_ROWS
    ) -> dict[int, tuple[int, int, float]]:
        """Return candidates, accepted candidates and best value of query segments, by position.

        The best value is a probability if a classifier judged the results, else a score.
        """
        columns = (
            "result.query, COUNT(*), COUNT(CASE WHEN mine.verdict IN ('cit.', 'cf.') THEN 1 END), "
            "MAX(COALESCE(result.probability, result.score))"
        )
        with self._reading() as connection:
            where, values = self._condition(connection, wanted)
            rest = f" WHERE {where} AND result.query BETWEEN ? AND ? GROUP BY result.query"
            found = self._select(connection, columns, rest, [*values, first, first + count - 1])
            return {row[0]: (row[1], row[2], row[3]) for row in found}

    def by_source(self, first: int, last: int, *, limit: int) -> list[dict[str, Any]]:
        """Return the pairs of source segments from `first` to `last` with texts, the best first.

        Imported ones have no alignment here.
        """
        best = "COALESCE(result.probability, result.score) DESC, result.row"
        rest = (
            f"{_JOINED_TEXTS} WHERE result.search = ? "
            f"AND result.source BETWEEN ? AND ? ORDER BY {best} LIMIT ?"
        )
        with self._reading() as connection:
            search = search_to_read(connection, self._search)
            columns, values = f"{_row(connection)}{_TEXTS}", [search, first, last, limit]
            if isinstance(connection, PairsConnection):
                rows = f"SELECT result.row FROM result{rest.removeprefix(_JOINED_TEXTS)}"  # noqa: S608
                connection.narrow(rows, values)
            found = self._select(connection, columns, rest, values)
            return [_with_alignment(row) for row in found]

    def _walk(
        self,
        connection: Connection,
        wanted: ResultFilter | None,
        order: str,
        limit: int,
        offset: int,
        *,
        backwards: bool,
    ) -> list[int]:
        """Return row numbers of some results, part after part of their order."""
        where, values = self._condition_to_walk(connection, wanted, order)
        found: list[int] = []
        for part in parts_of(order, backwards=backwards, words=wording_of(connection)):
            own = " AND ".join(filter(None, (part.condition, where)))
            given = [*part.values(self._reader), *values]
            here = self._rows(connection, own, given, part, limit - len(found), offset=offset)
            found += here
            if len(found) == limit:
                break
            if offset:
                offset = 0 if here else offset - self._count(connection, own, given)
        return found

    def _condition_to_walk(
        self, connection: Connection, wanted: ResultFilter | None, order: str
    ) -> tuple[str, list[object]]:
        """Return the condition of a filter for a walk through the index of an order.

        That index has no columns for filters, and looking up what the filter leaves out takes a
        second for a million results. So their rows are found from the narrow index before. The sign
        keeps SQLite from one index: of few rows it looks up all, of many it walks the order.
        """
        where, values = self._condition(connection, wanted)
        if isinstance(connection, PairsConnection):  # which has columns instead of indexes
            return where, values
        everything, search = self._condition(connection, None)
        if not wanted or self._count(connection, everything, search) <= _MANY:
            return where, values
        rows, given = self._sql(connection, "result.row", f" WHERE {where}", values)
        if self._count(connection, where, values) <= _MANY:
            return f"+{everything} AND result.row IN ({rows})", [*search, *given]
        if order in NARROW:
            return where, values
        return f"{everything} AND +result.row IN ({rows})", [*search, *given]

    def _beyond(self, connection: Connection, row: int, parts: Sequence[Part]) -> list[Range]:
        """Return what follows a row in an order, nearest first; nothing if there is no such row."""
        keys = list(dict.fromkeys(key.sql for part in parts for key in part.keys))
        cases = " ".join(
            f"WHEN {part.condition or '1 = 1'} THEN {at}" for at, part in enumerate(parts)
        )
        given = [value for part in parts for value in part.values(self._reader)]
        place = self._select(
            connection,
            f"CASE {cases} END, {', '.join(keys)}",
            " WHERE result.row = ?",
            [*given, row],
        ).fetchone()
        if place is None:
            return []
        values = dict(zip(keys, tuple(place)[1:], strict=True))
        own = [values[key.sql] for key in parts[place[0]].keys]
        return list(ranges_beyond(parts, place[0], own, self._reader))

    def _rows(  # noqa: PLR0917 - the parts of a statement
        self,
        connection: Connection,
        where: str,
        values: list[object],
        order: Part | Range,
        limit: int,
        offset: int = 0,
    ) -> list[int]:
        if isinstance(connection, PairsConnection) and isinstance(order, Part) and order.place:
            table, readers = self._table(connection, where)
            given, place = [*readers, *values], (order.place, order.turns)
            return connection.rows(table, where, given, place, limit=limit, offset=offset)
        rest = f" WHERE {where} ORDER BY {order.sorting} LIMIT ? OFFSET ?"
        found = self._select(connection, "result.row", rest, [*values, limit, offset])
        return [row[0] for row in found]


def _row(connection: Connection) -> str:
    """Return the columns of a row."""
    return _ROW.format(parallels=wording_of(connection).parallels)


def _listed(connection: Connection, all_of: ResultFilter | None) -> str:
    """Return that a row is in a list; that it is not, if all are chosen but these."""
    way = "IN" if all_of is None else "NOT IN"
    return f"result.row {way} {wording_of(connection).numbers}"


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
        known["alignment"] = load_alignment(known["alignment"])
    return known
