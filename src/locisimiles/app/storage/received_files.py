"""Project files that may come from anyone: their tables and values are checked before use.

SQLite stores programs beside data: triggers, views, expressions in indexes. None but ours may be
in a project. Nor does a file that a stranger wrote keep what its tables promise, so all values are
checked when a process opens it for the first time. What passes has the types that tables declare.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import lru_cache
from typing import TYPE_CHECKING

from locisimiles.app.storage.schema import STRICT_VERSION, pending_migrations
from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_content", "check_tables", "make_strict", "migrate", "protect"]

_LONGEST_VALUE = 512 * 1024**2
_LONGEST_STATEMENT = 1_000_000
_MOST_NAMED = 5
_OWN_OF_SQLITE = {("table", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)")}
_NUMBER = "{0} IS NOT NULL AND NOT ({0} BETWEEN -1e308 AND 1e308)"
_SHARE = "{0} IS NOT NULL AND NOT ({0} BETWEEN 0 AND 1)"
_WHOLE = "NOT ({0} BETWEEN 0 AND 9007199254740991)"
_OBJECT = "CASE WHEN json_valid({0}) THEN json_type({0}) != 'object' ELSE 1 END"
_ARRAY = _OBJECT.replace("object", "array")
# What tables cannot promise: each condition holds for values that we never write.
_WRONG = (
    ("setting", "name IN ('reading', 'facts_query', 'facts_source')", _OBJECT, "value"),
    ("segment", "", _OBJECT, "meta"),
    ("segment", "", _WHOLE, "position"),
    ("search", "", _OBJECT, "parameters manifest"),
    ("search", "", _WHOLE, "number finished_queries done total imported"),
    ("search", "", _NUMBER, "task_began heartbeat created share seconds_left"),
    ("result", "", _WHOLE, "row query source rank"),
    ("result", "", _NUMBER, "score"),
    ("result", "", _SHARE, "probability cit cf shipped"),
    ("result", "", _ARRAY, "alignment"),
    ("result", "", "{0} = source_id", "parallel_to"),
    ("learning", "report != ''", _OBJECT, "report"),
    ("learning", "correction != ''", _OBJECT, "correction"),
    ("learning", "", _NUMBER, "time"),
    ("judgement", "", _NUMBER, "time"),
    ("judgement_log", "", _NUMBER, "time old_time"),
    ("decision", "", _NUMBER, "time"),
)


def protect(connection: sqlite3.Connection) -> None:
    """Let nothing in the file call functions or reserve much memory."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _LONGEST_STATEMENT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    defensive = getattr(sqlite3, "SQLITE_DBCONFIG_DEFENSIVE", None)  # since Python 3.12
    if defensive is not None:
        connection.setconfig(defensive)  # type: ignore[attr-defined, unused-ignore]


def check_tables(connection: sqlite3.Connection, project: str) -> int:
    """Return the version of a project; raise an InputError unless its tables are those we make."""
    connection.execute("BEGIN")  # version and tables of one moment
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    found = set(_schema_of(connection)) - _OWN_OF_SQLITE
    connection.execute("COMMIT")
    any(pending_migrations(version, project))  # raises for a version of the future
    expected = _expected(version)
    if found != expected:
        names = sorted({name for _, name, _ in found ^ expected})
        shown = ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")
        raise InputError("app.tables_of_others", file=project, names=shown)
    return version


def check_content(connection: sqlite3.Connection, project: str, *, values: bool) -> None:
    """Raise an InputError if pages are damaged, or tables hold `values` that we never write."""
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise InputError("app.project_damaged", file=project, reason=found)
    for table, only, condition, columns in _WRONG if values else ():
        known = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
        checked = [column for column in columns.split() if column in known]
        if not checked:
            continue  # in tables of an earlier version
        wrong = " OR ".join(f"({condition.format(column)})" for column in checked)
        where = f"({wrong}) AND {only}" if only else wrong
        if connection.execute(f"SELECT 1 FROM {table} WHERE {where} LIMIT 1").fetchone():  # noqa: S608 - ours
            raise InputError("app.project_damaged", file=project, reason=table)


def migrate(
    connection: sqlite3.Connection, version: int, project: str, until: int | None = None
) -> None:
    """Give the tables of a version the newest form, or a former one, in a transaction."""
    for number, statements in pending_migrations(version, project):
        if until is not None and number > until:
            return
        for statement in statements:
            connection.execute(statement)
        if number == STRICT_VERSION:
            make_strict(connection)
        connection.execute(f"PRAGMA user_version = {number}")


def make_strict(connection: sqlite3.Connection) -> None:
    """Make all tables again so that they refuse values of another type.

    Raises an sqlite3.IntegrityError if they hold one.
    """
    schema = list(_schema_of(connection))
    for name, statement in [(name, sql) for kind, name, sql in schema if kind == "table"]:
        columns = statement[statement.index("(") :].replace("DOUBLE PRECISION", "REAL")
        strict = ", STRICT" if columns.endswith("WITHOUT ROWID") else " STRICT"
        connection.execute(f"CREATE TABLE {name}_strict {columns}{strict}")
        connection.execute(f"INSERT INTO {name}_strict SELECT * FROM {name}")  # noqa: S608 - ours
        connection.execute(f"DROP TABLE {name}")
        connection.execute(f"ALTER TABLE {name}_strict RENAME TO {name}")
    for kind, _, statement in schema:
        if kind == "index":
            connection.execute(statement)


def _schema_of(connection: sqlite3.Connection) -> Iterator[tuple[str, str, str]]:
    """Yield kind, name and statement of tables, indexes, views and triggers."""
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema"):
        if kind == "index" and sql is None:  # of a key; the statement of its table says so
            continue
        # SQLite quotes the names of tables that were renamed.
        plain = re.sub(r'^(CREATE TABLE) "(\w+)"', r"\1 \2", str(sql))
        yield str(kind), str(name), " ".join(plain.split())


@lru_cache
def _expected(version: int) -> frozenset[tuple[str, str, str]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, 0, "", until=version)
        return frozenset(_schema_of(connection))
