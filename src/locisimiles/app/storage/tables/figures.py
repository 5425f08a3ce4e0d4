"""Figures of results: counted and summed by the database, whatever the number of results."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.storage.pairs.connection import PairsConnection, wording_of
from locisimiles.app.storage.tables.selected import SelectedResults

if TYPE_CHECKING:
    from locisimiles.app.storage.database import Connection, Row
    from locisimiles.app.storage.tables.filters import ResultFilter

__all__ = ["Bar", "Bin", "CitedWork", "JudgedPair", "Measure", "ResultFigures", "Stretch"]

_VALUE = "COALESCE(result.probability, result.score)"


class Measure(NamedTuple):
    """What the values of results are, and how far they reach."""

    pairs: int
    with_probability: int
    learnt: int
    least: float
    greatest: float


class Bin(NamedTuple):
    """How many results have about the same value, and their sum."""

    number: int
    pairs: int
    total: float


class JudgedPair(NamedTuple):
    """A result with a verdict of the reader."""

    bin: int
    value: float
    verdict: str
    time: float
    source_author: str


class Bar(NamedTuple):
    """The values of the best results of the segments in one part of the text."""

    best: float
    least: float


class Stretch(NamedTuple):
    """Some consecutive segments of the text, with the weight of what was found in them."""

    number: int
    first: int  # the first segment with results
    segments: int  # that have results
    pairs: int
    weight: float
    best: float  # the sum of the greatest weight of each segment


class CitedWork(NamedTuple):
    """A cited work, and the weight of what cites it."""

    author: str
    work: str
    pairs: int
    weight: float


class ResultFigures(SelectedResults):
    """Figures of the results of a search."""

    def measure(self, wanted: ResultFilter | None = None) -> Measure:
        """Return how many results there are, and how far their values reach."""
        columns = (
            "COUNT(*), COUNT(result.probability), COUNT(result.shipped), "
            f"COALESCE(MIN({_VALUE}), 0), COALESCE(MAX({_VALUE}), 0)"
        )
        return Measure(*self._rows_of(columns, wanted)[0])

    def bins(self, place: str, wanted: ResultFilter | None = None) -> list[Bin]:
        """Count results by the number of a bin.

        `place` computes it from ``{value}``; what follows the point is cut off.
        """
        with self._reading() as connection:
            where, values = self._condition(connection, wanted)
            columns = f"{_bin(connection, place)}, COUNT(*), SUM({_VALUE})"
            found = self._select(connection, columns, f" WHERE {where} GROUP BY 1", values)
            return [Bin(int(row[0]), row[1], row[2]) for row in found]

    def judged(self, place: str, wanted: ResultFilter | None = None) -> list[JudgedPair]:
        """Return the results that the reader has judged, the oldest verdict first."""
        rest_of = f"{_VALUE}, mine.verdict, mine.time, result.source_author"
        with self._reading() as connection:
            where, values = self._condition(connection, wanted)
            columns = f"{_bin(connection, place)}, {rest_of}"
            judged = wording_of(connection).judged_rows("IN", "IS NOT NULL")
            if isinstance(connection, PairsConnection):
                connection.narrow(_ROWS_JUDGED, [self._reader])
            rest = f" WHERE {judged} AND {where} ORDER BY mine.time, result.row"
            found = self._select(connection, columns, rest, [self._reader, *values])
            return [JudgedPair(int(row[0]), *tuple(row)[1:]) for row in found]

    def authors(self, wanted: ResultFilter | None = None) -> dict[str, int]:
        """Count results by cited author."""
        with self._reading() as connection:
            where, values = self._condition(connection, wanted)
            # The index of cited authors has no columns for a filter: that needs the narrow one.
            is_indexed = not isinstance(connection, PairsConnection)
            narrow = " || ''" if wanted and is_indexed else ""
            author = f"result.source_author{narrow}"
            rest = f" WHERE {where} GROUP BY {author}"
            found = self._select(connection, f"{author}, COUNT(*)", rest, values)
            return {row[0]: row[1] for row in found}

    def bars(
        self, number: int, segments: int, wanted: ResultFilter | None = None
    ) -> dict[int, Bar]:
        """Return the best values in equal parts of a text with so many segments."""
        inner = f"result.query AS query, MAX({_VALUE}) AS best"
        with self._reading() as connection:
            where, values = self._condition(connection, wanted)
            rest = f" WHERE {where} GROUP BY result.query"
            sql, given = self._sql(connection, inner, rest, values)
            part = wording_of(connection).quotient.format(f"query * {number:d}", segments)
            outer = f"{part}, MAX(best), MIN(best) FROM ({sql})"
            return {row[0]: Bar(row[1], row[2]) for row in _grouped(connection, outer, given)}

    def stretches(self, size: int, *, top: int | None = None) -> list[Stretch]:
        """Weigh the results of every `size` segments; see `works` for the weights."""
        sums = "MIN(query), COUNT(*), SUM(pairs), SUM(weight), SUM(best)"
        each = "query, COUNT(*) AS pairs, SUM(weight) AS weight, MAX(weight) AS best"
        with self._reading() as connection:
            sql, values = self._weighted(connection, "result.query AS query", top)
            inner = f"SELECT {each} FROM ({sql}) AS weighted GROUP BY query"  # noqa: S608 - ours
            part = wording_of(connection).quotient.format("query", size)
            # PostgreSQL gives sums of whole numbers as decimals.
            return [
                Stretch(row[0], row[1], row[2], int(row[3]), float(row[4]), float(row[5]))
                for row in _grouped(connection, f"{part}, {sums} FROM ({inner})", values)
            ]

    def works(self, most: int, *, top: int | None = None) -> list[CitedWork]:
        """Return the works that weigh most.

        The weight of a result is its probability; with `top`, 1 for that many results with the
        highest scores.
        """
        columns = "result.source_author AS author, result.source_work AS work"
        with self._reading() as connection:
            sql, values = self._weighted(connection, columns, top)
            outer = f"author, work, COUNT(*), SUM(weight) FROM ({sql})"
            found = _grouped(connection, outer, values, "1, 2 ORDER BY 4 DESC, 1, 2")
            return [CitedWork(row[0], row[1], row[2], float(row[3])) for row in found[:most]]

    def count_segments(self) -> int:
        """Return the number of query segments that have results."""
        return int(self._rows_of("COUNT(DISTINCT result.query)")[0][0])

    def last_row(self) -> int:
        """Return the number of the row that was added last; 0 if there is none."""
        return int(self._rows_of("COALESCE(MAX(result.row), 0)")[0][0])

    def _weighted(
        self, connection: Connection, columns: str, top: int | None
    ) -> tuple[str, list[object]]:
        weight, rest = ("result.probability", "") if top is None else ("1", _HIGHEST)
        where, values = self._condition(connection, None)
        return self._sql(
            connection,
            f"{columns}, {weight} AS weight",
            f" WHERE {where}{rest}",
            values if top is None else [*values, top],
        )

    def _rows_of(
        self, columns: str, wanted: ResultFilter | None = None, grouping: str = ""
    ) -> list[Row]:
        with self._reading() as connection:
            where, values = self._condition(connection, wanted)
            rest = f" WHERE {where}{f' GROUP BY {grouping}' if grouping else ''}"
            return self._select(connection, columns, rest, values).fetchall()


_ROWS_JUDGED = "SELECT row FROM judgement WHERE reader = ? AND verdict IS NOT NULL"
_HIGHEST = " ORDER BY result.score DESC, result.row LIMIT ?"


def _bin(connection: Connection, place: str) -> str:
    return wording_of(connection).cut.format(place.format(value=_VALUE))


def _grouped(
    connection: Connection, selected: str, values: list[object], grouping: str = "1"
) -> list[Row]:
    return connection.execute(f"SELECT {selected} AS found GROUP BY {grouping}", values).fetchall()
