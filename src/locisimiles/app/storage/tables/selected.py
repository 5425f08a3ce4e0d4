"""The results of a search that meet a filter, as one reader sees them: what all queries share."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from locisimiles.app.storage.pairs.connection import (
    PairsConnection,
    imported_search,
    with_pairs,
    wording_of,
)
from locisimiles.app.storage.tables.blindness import read_blindness
from locisimiles.app.storage.tables.filters import ABOUT_OTHERS, ResultFilter
from locisimiles.app.storage.tables.rankings import has_ranking
from locisimiles.app.storage.tables.searches import refuse_imported, search_to_read
from locisimiles.app.storage.tables.words import positions_with_words
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.app.storage.database import Connection, Database, Rows

__all__ = ["WRITTEN", "SelectedResults"]

WRITTEN = (
    "row", "search", "query", "source", "rank", "score", "probability", "cit", "cf", "type",
    "query_id", "source_id", "query_author", "query_work", "source_author", "source_work", "shared",
    "rarity", "alignment", "explanation", "parallel_to",
)  # fmt: skip
"""The columns that a search writes."""

_JUDGED = " LEFT JOIN judgement mine ON {same} AND mine.reader = ?"
_DECIDED = " LEFT JOIN decision decided ON {same} AND decided.verdict IS NOT NULL"
_UNSEEN = " AND 1 = 0"
# Results without a ranking that was learnt from the verdicts of others.
_SHIPPED_COLUMNS = {
    "rank": "COALESCE(shipped_rank, rank) AS rank",
    "probability": "COALESCE(shipped, probability) AS probability",
}
_SHIPPED = (
    f"(SELECT {', '.join(_SHIPPED_COLUMNS.get(name, name) for name in WRITTEN)}, "  # noqa: S608
    "CAST(NULL AS DOUBLE PRECISION) AS shipped FROM result) AS result"
)


class SelectedResults:
    """The results of a search, as the reader whose verdicts count as status sees them.

    By default it is the newest search that has results. A reader who works blind sees nothing that
    follows from the verdicts of others. With `until`, results that a running search has added after
    this row are left out.
    """

    def __init__(
        self,
        database: Database,
        reader: str = "",
        search: int | None = None,
        until: int | None = None,
    ) -> None:
        self._database, self._reader, self._search = database, reader, search
        self._until = until
        self._blind: bool | None = None  # asked once
        self._hidden: bool | None = None  # whether a learnt ranking is; asked once

    @contextmanager
    def _reading(self, row: int | None = None) -> Iterator[Connection]:
        """Open a connection to the results: to those among which a row is, if one is given."""
        with self._database.reading() as connection:
            number = (
                search_to_read(connection, self._search) if row is None else imported_search(row)
            )
            with with_pairs(self._database, connection, number) as reading:
                yield reading

    def _condition(
        self, connection: Connection, wanted: ResultFilter | None
    ) -> tuple[str, list[object]]:
        wanted = wanted or ResultFilter()
        if wanted.status in ABOUT_OTHERS and self._is_blind(connection):
            raise ParameterError("app.blind")
        search = search_to_read(connection, self._search)
        if wanted.not_in is not None:
            refuse_imported(connection, search, wanted.not_in)
        positions = (
            positions_with_words(connection, self._database.key, search, wanted.words)
            if wanted.words
            else ()
        )
        words = wording_of(connection)
        where, values = wanted.where(search, positions, reader=self._reader, words=words)
        if self._until is None:
            return where, values
        return f"{where} AND result.row <= ?", [*values, self._until]

    def _select(
        self, connection: Connection, columns: str, rest: str, values: Sequence[object]
    ) -> Rows:
        return connection.execute(*self._sql(connection, columns, rest, values))

    def _sql(
        self, connection: Connection, columns: str, rest: str, values: Sequence[object]
    ) -> tuple[str, list[object]]:
        table, readers = self._table(connection, columns + rest)
        return f"SELECT {columns} FROM {table}{rest}", [*readers, *values]  # noqa: S608

    def _table(self, connection: Connection, used: str) -> tuple[str, list[object]]:
        """Return the table of results, joined with what is used of verdicts and decisions."""
        table = _SHIPPED if self._is_ranking_hidden(connection) else "result"
        readers: list[object] = []
        same = wording_of(connection).same_pair
        if "mine." in used:
            table += _JUDGED.format(same=same.format(table="mine"))
            readers = [self._reader]
        if "decided." in used:
            table += _DECIDED.format(same=same.format(table="decided"))
            table += _UNSEEN if self._is_blind(connection) else ""
        return table, readers

    def _is_blind(self, connection: Connection) -> bool:
        if self._blind is None:
            self._blind = read_blindness(connection, self._reader).on
        return self._blind

    def _is_ranking_hidden(self, connection: Connection) -> bool:
        if self._hidden is None:
            self._hidden = self._is_blind(connection) and has_ranking(connection)
        return self._hidden

    def _count(self, connection: Connection, where: str, values: Sequence[object]) -> int:
        sql, given = self._sql(connection, "COUNT(*)", f" WHERE {where}", values)
        if isinstance(connection, PairsConnection):
            return connection.count(sql, given)
        return int(connection.execute(sql, given).fetchone()[0])
