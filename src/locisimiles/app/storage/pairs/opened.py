"""Files of pairs that this process has open, with the judgements of their projects."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from locisimiles.errors import InputError
from locisimiles.files.parquet_columns import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import duckdb

    from locisimiles.app.storage.database import Connection, Database, Row

__all__ = ["OpenedPairs", "has_pairs", "opened_pairs", "pairs_path"]

_MOST_OPEN = 4
_MEMORY = "900MB"
_MOST_SEARCHES = 2**22
_DIGITS = set("0123456789abcdef")
_LENGTH = 32
_SUFFIX = ".pairs"
_PAIR = """
SELECT
    pair.row + {base} AS row, {search} AS search, query, source, rank, score, probability, cit, cf,
    type, pair.works, {names},
    '' AS shared, CAST(NULL AS INTEGER) AS rarity, '[]' AS alignment, '' AS explanation,
    '' AS parallel_to, CAST(NULL AS DOUBLE) AS shipped, CAST(NULL AS INTEGER) AS shipped_rank{more}
FROM pairs.pair pair
"""
_PLACES = """,
    by_score, by_probability, by_doubt, by_rank, by_source, by_type,
    by_query_author, by_query_work, by_source_author, by_source_work
"""
_NAMES = "query_id, source_id, query_author, query_work, source_author, source_work"
# Names of few pairs are found sooner among the segments.
_NAMES_OF_SEGMENTS = (
    "q.id AS query_id, s.id AS source_id, q.author AS query_author, q.work AS query_work, "
    "s.author AS source_author, s.work AS source_work"
)
_BY_ROW = """
JOIN kept ON kept.row = pair.row
JOIN pairs.segment q ON q.side = 'query' AND q.position = pair.query
JOIN pairs.segment s ON s.side = 'source' AND s.position = pair.source
"""
_SEGMENTS = """
CREATE VIEW segment AS SELECT
    side, CASE side WHEN 'query' THEN {query} ELSE {source} END AS edition, position, id, text,
    author, work, locus, marks
FROM pairs.segment
"""
_JUDGED = "row BIGINT, query_id VARCHAR, source_id VARCHAR, reader VARCHAR, verdict VARCHAR"
_TABLES = {
    "judgement": ("note VARCHAR, time DOUBLE, independent BIGINT", "note, time, independent"),
    "decision": ("note VARCHAR", "note"),
}
_ROW_OF = """
SELECT asked.place, pair.row + {base} FROM asked
JOIN pairs.segment q ON q.side = 'query' AND q.id = asked.query_id
JOIN pairs.segment s ON s.side = 'source' AND s.id = asked.source_id
JOIN pairs.pair pair ON pair.query = q.position AND pair.source = s.position
"""


class OpenedPairs(NamedTuple):
    """A cursor to the pairs of a search, and what selects those whose rows are in ``kept``."""

    cursor: duckdb.DuckDBPyConnection
    by_row: str
    counts: dict[tuple[object, ...], int]  # of statements that counted these pairs


def has_pairs(database: Database, search: Row) -> bool:
    """Tell whether the file of an imported search is there: a backup of a project has none."""
    if search["number"] >= _MOST_SEARCHES or not _is_name(search["pairs_file"]):
        return False
    return pairs_path(database, search["pairs_file"]).is_file()


def pairs_path(database: Database, name: str) -> Path:
    """Return the file of pairs of a name, which is the beginning of a hash.

    Raises
    ------
    InputError
        If it is none: a project may come from anywhere, and names no other file.
    """
    if not _is_name(name):
        raise InputError("app.pairs_unreadable", reason=repr(name[:_LENGTH]))
    return database.pairs_folder / f"{name}{_SUFFIX}"


def _is_name(name: str) -> bool:
    return len(name) == _LENGTH and set(name) <= _DIGITS


@contextmanager
def opened_pairs(database: Database, connection: Connection, search: Row) -> Iterator[OpenedPairs]:
    """Lend a cursor to the pairs of a search, and to all judgements as they are now."""
    path = pairs_path(database, search["pairs_file"])
    status = path.stat()
    key = (str(path), status.st_ino, status.st_mtime_ns, *tuple(search))
    with _lock:
        if key not in _open:
            _open[key] = _Pairs(path, search)
            while len(_open) > _MOST_OPEN:
                _open.popitem(last=False)  # closed once its last reader is done
        _open.move_to_end(key)
        pairs = _open[key]
    pairs.refresh(connection)
    # A number counted with older judgements is kept under their revision, and never read again.
    counts, cursor = pairs.counts, pairs.connection.cursor()
    try:
        yield OpenedPairs(cursor, pairs.by_row, counts)
    finally:
        cursor.close()


class _Pairs:
    """A file of pairs, opened for reading, and the judgements of its project in memory."""

    def __init__(self, path: Path, search: Row) -> None:
        import duckdb

        base = search["number"] << 40
        self._rows = _ROW_OF.format(base=base)
        self._known: dict[tuple[str, str], int | None] = {}
        self._revision: object = None
        self.counts: dict[tuple[object, ...], int] = {}
        self._lock = Lock()
        config: dict[str, Any] = {"memory_limit": _MEMORY, "temp_directory": ""}
        config |= {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
        try:
            self.connection = duckdb.connect(":memory:", config=config)
            self.connection.execute("SET enable_progress_bar = false")
            self.connection.execute(f"ATTACH {quoted(path)} AS pairs (READ_ONLY)")
            self.connection.execute("SET enable_external_access = false")
            self.connection.execute("SET lock_configuration = true")
            self.connection.execute("CREATE VIEW works AS SELECT * FROM pairs.works")
            found = partial(_PAIR.format, base=base, search=search["number"])
            self.connection.execute(f"CREATE VIEW result AS {found(names=_NAMES, more=_PLACES)}")
            self.by_row = found(names=_NAMES_OF_SEGMENTS, more="") + _BY_ROW
            self.connection.execute(
                _SEGMENTS.format(query=search["query_edition"], source=search["source_edition"])
            )
            self.connection.execute(
                f"CREATE VIEW search AS SELECT {search['number']} AS number, "
                f"{search['query_edition']} AS query_edition, "
                f"{search['source_edition']} AS source_edition"
            )
            for name, (columns, _) in _TABLES.items():
                self.connection.execute(f"CREATE TABLE {name} ({_JUDGED}, {columns})")
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            raise InputError("app.pairs_unreadable", reason=reason) from error

    def refresh(self, project: Connection) -> None:
        """Take over the judgements of the project, unless they are known."""
        revision = _revision(project)
        with self._lock:
            if revision == self._revision:
                return
            self.connection.execute("BEGIN")
            for name, (_, more) in _TABLES.items():
                found = project.execute(
                    f"SELECT query_id, source_id, reader, verdict, {more} FROM {name}"  # noqa: S608
                ).fetchall()
                self._replace(name, [tuple(row) for row in found])
            self.connection.execute("COMMIT")
            self.counts = {}  # who counts into these from now on sees the new judgements
            self._revision = revision

    def _replace(self, name: str, found: Sequence[tuple[Any, ...]]) -> None:
        self._find_rows({(one[0], one[1]) for one in found} - self._known.keys())
        self.connection.execute(f"DELETE FROM {name}")  # noqa: S608 - ours
        # Judgements of pairs that are not among these results concern none of them.
        rows = [(row, *one) for one in found if (row := self._known[one[0], one[1]]) is not None]
        if rows:
            columns = {
                f"c{at}": _column(values) for at, values in enumerate(zip(*rows, strict=True))
            }
            self.connection.register("given", columns)
            self.connection.execute(f"INSERT INTO {name} SELECT * FROM given")  # noqa: S608 - ours
            self.connection.unregister("given")

    def _find_rows(self, pairs: set[tuple[str, str]]) -> None:
        if not pairs:
            return
        listed = sorted(pairs)
        self._known |= dict.fromkeys(listed)
        asked = {"place": np.arange(len(listed))}
        asked |= {
            name: np.array([pair[at] for pair in listed], object)
            for at, name in enumerate(("query_id", "source_id"))
        }
        self.connection.register("asked", asked)
        for place, row in self.connection.execute(self._rows).fetchall():
            self._known[listed[place]] = row
        self.connection.unregister("asked")


class _Revision(NamedTuple):
    """Changes with every judgement."""

    last: int
    undone: int
    readers: tuple[tuple[Any, ...], ...]


def _revision(connection: Connection) -> _Revision:
    last, undone = connection.execute(
        "SELECT (SELECT COALESCE(MAX(number), 0) FROM judgement_log), "
        "(SELECT COUNT(*) FROM judgement_log WHERE undone = 1)"
    ).fetchone()
    readers = connection.execute(
        "SELECT reader, COUNT(*), MAX(time) FROM judgement GROUP BY reader UNION ALL "
        "SELECT reader, COUNT(*), MAX(time) FROM decision GROUP BY reader"
    ).fetchall()
    return _Revision(last, undone, tuple(sorted(tuple(row) for row in readers)))


def _column(values: Sequence[Any]) -> Any:  # noqa: ANN401 - an array of any type
    return np.array(values, object if isinstance(values[0], str | None) else None)


_lock = Lock()
_open: OrderedDict[tuple[object, ...], _Pairs] = OrderedDict()
