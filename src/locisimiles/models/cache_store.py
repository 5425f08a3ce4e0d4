"""Entries of a cache in one SQLite file: found by kind and key, the least recently used removed.

Several processes may use the file at once. Nothing in it is ever needed: what is missing, damaged
or written by another version is computed again.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.errors import OutputError
from locisimiles.files.writing import make_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["CacheStore", "CachedKind"]

_FORMAT = 2
_SCHEMA = """
CREATE TABLE kind (number INTEGER PRIMARY KEY, settings TEXT NOT NULL UNIQUE);
CREATE TABLE entry (
    kind INTEGER NOT NULL REFERENCES kind (number), key BLOB NOT NULL,
    day INTEGER NOT NULL, checksum INTEGER NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (kind, key)
);
CREATE INDEX entry_by_day ON entry (day);
"""
_DAY_S = 86_400
_WAIT_S = 30.0  # for another process that writes
_KEYS_AT_A_TIME = 500
_REMOVED_AT_A_TIME = 1000
_KEPT = 0.8  # of the limit, so that not every entry that is written removes another


class CachedKind(NamedTuple):
    """What a cache holds of one kind."""

    settings: str
    entries: int
    nbytes: int
    last_used: int  # days since 1 January 1970


class CacheStore:
    """The entries in a file, which is created with the first one.

    Parameters
    ----------
    path
        The SQLite file.
    most_bytes
        The size above which the entries that have not been used for longest are removed.
    """

    def __init__(self, path: Path, most_bytes: int) -> None:
        self.path = path
        self._most_bytes = most_bytes

    @property
    def nbytes(self) -> int:
        """The size of the file."""
        return self.path.stat().st_size if self.path.is_file() else 0

    def find(self, settings: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the contents of the keys that are there and whole."""
        if not self.path.is_file():
            return {}
        found: dict[bytes, bytes] = {}
        old: list[bytes] = []
        today = _today()
        try:
            with self._opened() as connection:
                kind = _kind(connection, settings)
                if kind is None:
                    return {}
                for begin in range(0, len(keys), _KEYS_AT_A_TIME):
                    some = keys[begin : begin + _KEYS_AT_A_TIME]
                    rows = connection.execute(
                        "SELECT key, day, checksum, content FROM entry WHERE kind = ? "  # noqa: S608
                        f"AND key IN ({', '.join('?' * len(some))})",
                        [kind, *some],
                    )
                    for key, day, checksum, content in rows:
                        if _checksum(settings, key, content) == checksum:
                            found[key] = content
                            if day != today:
                                old.append(key)
        except sqlite3.Error:  # damaged, or foreign
            return {}
        if old:
            self._touch(settings, old)
        return found

    def put(self, settings: str, contents: Mapping[bytes, bytes]) -> None:
        """Write entries, and remove the least recently used if the file becomes too large.

        Raises
        ------
        OutputError
            If they cannot be written.
        """
        make_folder(self.path.parent)
        try:
            self._put(settings, contents)
        except sqlite3.OperationalError as error:
            raise self._unwritable(error) from error
        except sqlite3.DatabaseError:  # no database, or a damaged one: begin again
            self._remove_file()
            try:
                self._put(settings, contents)
            except sqlite3.Error as error:
                raise self._unwritable(error) from error

    def kinds(self) -> list[CachedKind]:
        """Return what the file holds, the largest kind first."""
        if not self.path.is_file():
            return []
        try:
            with self._opened() as connection:
                rows = connection.execute(
                    "SELECT settings, COUNT(*), SUM(LENGTH(content)), MAX(day) "
                    "FROM entry JOIN kind ON kind.number = entry.kind GROUP BY settings"
                ).fetchall()
        except sqlite3.Error:
            return []
        return sorted((CachedKind(*row) for row in rows), key=lambda kind: -kind.nbytes)

    def remove_unused_since(self, day: int) -> int:
        """Remove entries last used before a day; return their number."""
        if not self.path.is_file():
            return 0
        try:
            with self._opened() as connection:
                removed = connection.execute("DELETE FROM entry WHERE day < ?", [day]).rowcount
                connection.commit()
                connection.execute("VACUUM")
        except sqlite3.Error as error:
            raise self._unwritable(error) from error
        return removed

    def _put(self, settings: str, contents: Mapping[bytes, bytes]) -> None:
        today = _today()
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT OR IGNORE INTO kind (settings) VALUES (?)", [settings])
            kind = _kind(connection, settings)
            connection.executemany(
                "INSERT OR REPLACE INTO entry (kind, key, day, checksum, content) "
                "VALUES (?, ?, ?, ?, ?)",
                (
                    (kind, key, today, _checksum(settings, key, content), content)
                    for key, content in contents.items()
                ),
            )
            connection.commit()
            if self.nbytes > self._most_bytes:
                self._shrink(connection)

    def _shrink(self, connection: sqlite3.Connection) -> None:
        """Remove the entries that have not been used for longest."""
        while _bytes_in_use(connection) > self._most_bytes * _KEPT:
            connection.execute("BEGIN IMMEDIATE")
            removed = connection.execute(
                "DELETE FROM entry WHERE rowid IN "
                "(SELECT rowid FROM entry ORDER BY day, rowid LIMIT ?)",
                [_REMOVED_AT_A_TIME],
            ).rowcount
            connection.commit()
            # As a script: `execute` would stop after the first page that is freed.
            connection.executescript("PRAGMA incremental_vacuum")
            if not removed:
                return

    def _touch(self, settings: str, keys: Sequence[bytes]) -> None:
        """Note that entries were used today; a cache that cannot be written is still read."""
        try:
            with self._opened() as connection:
                connection.execute("BEGIN IMMEDIATE")
                kind, today = _kind(connection, settings), _today()
                connection.executemany(
                    "UPDATE entry SET day = ? WHERE kind = ? AND key = ?",
                    ((today, kind, key) for key in keys),
                )
                connection.commit()
        except sqlite3.Error:
            return

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=_WAIT_S, isolation_level=None)
        with closing(connection):
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version != _FORMAT:
                _create(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            yield connection

    def _remove_file(self) -> None:
        for path in (self.path, self.path.with_name(f"{self.path.name}-journal")):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise self._unwritable(error) from error

    def _unwritable(self, error: Exception) -> OutputError:
        reason = getattr(error, "strerror", None) or str(error)
        return OutputError("files.unwritable", path=str(self.path), reason=reason)


def _create(connection: sqlite3.Connection) -> None:
    """Create the tables; those of another version are dropped."""
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("PRAGMA user_version").fetchone()[0] == _FORMAT:
        connection.rollback()  # another process was faster
        return
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in names:
        connection.execute(f'DROP TABLE IF EXISTS "{name}"')
    for statement in filter(str.strip, _SCHEMA.split(";")):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {_FORMAT}")
    connection.commit()


def _kind(connection: sqlite3.Connection, settings: str) -> int | None:
    row = connection.execute("SELECT number FROM kind WHERE settings = ?", [settings]).fetchone()
    return None if row is None else int(row[0])


def _checksum(settings: str, key: bytes, content: bytes) -> int:
    """Return a checksum that fits no other entry: contents must not change their places."""
    return zlib.crc32(content, zlib.crc32(key, zlib.crc32(settings.encode())))


def _bytes_in_use(connection: sqlite3.Connection) -> int:
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _today() -> int:
    return int(time.time() // _DAY_S)
