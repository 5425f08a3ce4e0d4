"""One SQLite file a project: how it is opened, what tables it has, how old ones are brought up."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["MIGRATIONS", "Database"]

_PATIENCE_S = 20.0

MIGRATIONS = (
    """
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE input (
        number INTEGER PRIMARY KEY,
        side TEXT NOT NULL CHECK (side IN ('query', 'source')),
        kind TEXT NOT NULL CHECK (kind IN ('file', 'library')),
        name TEXT NOT NULL,
        content BLOB,
        UNIQUE (side, name)
    );
    CREATE TABLE remark (side TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL);
    CREATE TABLE segment (
        side TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL,
        author TEXT NOT NULL, work TEXT NOT NULL, locus TEXT NOT NULL, marks TEXT NOT NULL,
        meta TEXT NOT NULL,
        PRIMARY KEY (side, position)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX segment_by_id ON segment (side, id);
    CREATE TABLE search (
        number INTEGER PRIMARY KEY,
        parameters TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'cancelled', 'failed')),
        message TEXT NOT NULL DEFAULT '',
        manifest TEXT NOT NULL DEFAULT '{}',
        finished_queries INTEGER NOT NULL DEFAULT 0,
        task TEXT NOT NULL DEFAULT '',
        done INTEGER NOT NULL DEFAULT 0,
        total INTEGER NOT NULL DEFAULT 0,
        task_began REAL NOT NULL DEFAULT 0,
        owner TEXT NOT NULL DEFAULT '',
        heartbeat REAL NOT NULL DEFAULT 0,
        created REAL NOT NULL
    );
    CREATE TABLE result (
        row INTEGER PRIMARY KEY,
        query INTEGER NOT NULL, source INTEGER NOT NULL, rank INTEGER NOT NULL,
        score REAL NOT NULL, probability REAL, cit REAL, cf REAL, type TEXT,
        query_id TEXT NOT NULL, source_id TEXT NOT NULL,
        query_author TEXT NOT NULL, query_work TEXT NOT NULL,
        source_author TEXT NOT NULL, source_work TEXT NOT NULL,
        shared TEXT NOT NULL, rarity INTEGER,
        alignment TEXT NOT NULL, explanation TEXT NOT NULL
    );
    CREATE UNIQUE INDEX result_in_reading_order ON result (query, rank);
    CREATE INDEX result_by_pair ON result (query_id, source_id);
    CREATE INDEX result_by_score ON result (score);
    CREATE INDEX result_by_probability ON result (probability);
    CREATE INDEX result_by_cited ON result (source_author, source_work);
    CREATE INDEX result_by_citing ON result (query_author, query_work, source_author, source_work);
    CREATE TABLE judgement (
        query_id TEXT NOT NULL, source_id TEXT NOT NULL, reader TEXT NOT NULL,
        verdict TEXT CHECK (verdict IN ('cit.', 'cf.', 'reject', 'unsure')),
        note TEXT NOT NULL DEFAULT '',
        time REAL NOT NULL,
        PRIMARY KEY (query_id, source_id, reader)
    ) WITHOUT ROWID;
    CREATE INDEX judgement_by_reader ON judgement (reader, verdict);
    CREATE TABLE judgement_log (
        number INTEGER PRIMARY KEY,
        time REAL NOT NULL, reader TEXT NOT NULL,
        query_id TEXT NOT NULL, source_id TEXT NOT NULL,
        old_verdict TEXT, old_note TEXT NOT NULL,
        verdict TEXT, note TEXT NOT NULL,
        undone INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX judgement_log_by_reader ON judgement_log (reader, undone, number);
    """,
    "CREATE INDEX result_by_places ON result (source, query);",
)
"""What brings a file from version 0 to 1, from 1 to 2, and so on."""


class Database:
    """A file of SQLite that several processes may use at the same time.

    A connection lives as long as one operation: they may come from any thread, and a process
    that is killed leaves nothing open. What `writing` did is on the disk when it ends.

    Parameters
    ----------
    path
        The file.
    create
        Make it if it is missing.

    Raises
    ------
    InputError
        If there is no such file, or it is none of ours.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> database = Database(pathlib.Path(folder.name) / "a.sqlite", create=True)
    >>> with database.writing() as connection:
    ...     _ = connection.execute("INSERT INTO setting VALUES ('title', 'Jerome')")
    >>> with database.reading() as connection:
    ...     connection.execute("SELECT value FROM setting").fetchone()["value"]
    'Jerome'
    >>> folder.cleanup()
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        if not create and not path.is_file():
            raise InputError("there is no such project", file=path.stem)
        try:
            with self._connected() as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                self._migrate(connection)
        except sqlite3.DatabaseError as error:
            raise InputError(f"this is no project of ours ({error})", file=path.stem) from error

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a connection that sees one state of the file, whatever others write meanwhile."""
        with self._connected() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a connection whose changes are kept together, or not at all.

        Raises
        ------
        OutputError
            If the file cannot be written.
        """
        try:
            with self._connected() as connection:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                except BaseException:
                    connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise OutputError(f"the project cannot be written: {error}") from error
        except UnicodeEncodeError as error:
            raise InputError(
                "there is half a character in a text (a lone surrogate)", hint="correct the text"
            ) from error

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=_PATIENCE_S, isolation_level=None)
        try:
            connection.row_factory = sqlite3.Row
            yield connection
        finally:
            connection.close()

    def _migrate(self, connection: sqlite3.Connection) -> None:
        if self._version(connection) == len(MIGRATIONS):
            return
        connection.execute("BEGIN IMMEDIATE")  # another process may be about to do the same
        version = self._version(connection)
        if version > len(MIGRATIONS):
            connection.execute("ROLLBACK")
            raise InputError(
                "the project was made by a newer version of locisimiles",
                file=self.path.stem,
                hint="update locisimiles",
            )
        for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
            for statement in filter(str.strip, script.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")

    @staticmethod
    def _version(connection: sqlite3.Connection) -> int:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
