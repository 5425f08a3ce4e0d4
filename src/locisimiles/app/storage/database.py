"""The tables of a project, and what every store of projects can do, whichever database it is."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

__all__ = [
    "MIGRATIONS",
    "Connection",
    "Database",
    "Row",
    "Rows",
    "Storage",
    "check_values",
    "outstanding_migrations",
]

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
    # What the classifier said stands in probability and rank; where a ranking was learnt from
    # verdicts, that one stands there, and what the classifier said here.
    """
    ALTER TABLE result ADD COLUMN shipped DOUBLE PRECISION;
    ALTER TABLE result ADD COLUMN shipped_rank INTEGER;
    CREATE TABLE learning (
        number INTEGER PRIMARY KEY,
        time DOUBLE PRECISION NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('applied', 'undone', 'reset')),
        report TEXT NOT NULL,
        correction TEXT NOT NULL
    );
    """,
    "CREATE INDEX result_by_places ON result (source, query);",
)
"""What brings a project from version 0 to 1, from 1 to 2, and so on.

They are written in the words of SQLite; `locisimiles.app.storage.dialect` knows what PostgreSQL
calls the same. A statement ends with a semicolon, and holds none."""


class Row(Protocol):
    """A row of an answer: its values in order, and by name."""

    def __getitem__(self, key: int | str, /) -> Any: ...  # noqa: ANN401 - columns have all types
    def __iter__(self) -> Iterator[Any]: ...
    def keys(self) -> Iterable[str]:
        """Return the names of the columns."""


class Rows(Protocol):
    """An answer."""

    @property
    def rowcount(self) -> int:
        """How many rows a statement changed."""

    def fetchone(self) -> Any:  # noqa: ANN401 - a row, or None; a count always has one
        """Return the next row; None if there is none."""

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """What SQL is said to: with ``?`` for values, in words that both databases understand."""

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Do one statement."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Do one statement for each row of values."""


class Database(Protocol):
    """The tables of one project. Several threads and processes may use them at the same time."""

    @property
    def storage(self) -> Storage:
        """Where it is."""

    @property
    def user(self) -> str:
        """Whose it is; empty where there is only one user."""

    @property
    def id(self) -> str:
        """What addresses call it."""

    @property
    def place(self) -> str:
        """A name that no other project of any user has."""

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a connection that sees one state of the project, whatever others write meanwhile."""

    def writing(self) -> AbstractContextManager[Connection]:
        """Open a connection whose changes are kept together, or not at all; one at a time.

        Raises
        ------
        LocisimilesError
            If the project cannot be written, or is gone.
        """

    def exists(self) -> bool:
        """Tell whether nobody has deleted it."""


class Storage(Protocol):
    """A place that has the projects of all users."""

    def create(self, user: str, project: str) -> Database | None:
        """Make an empty project; return None if there is one of this id."""

    def open(self, user: str, project: str) -> Database:
        """Return a project, with the newest tables.

        Raises
        ------
        InputError
            If there is none.
        """

    def delete(self, user: str, project: str) -> None:
        """Remove a project with all that is in it."""

    def all(self, user: str) -> Iterator[tuple[str, float]]:
        """Return the ids of a user's projects, and when they were changed."""

    def environment(self) -> dict[str, str]:
        """Return the variables that tell another process of ours where projects are."""

    def close(self) -> None:
        """Let go of what is held open."""


def outstanding_migrations(version: int, project: str) -> Iterator[tuple[int, list[str]]]:
    """Return what brings a project to the newest version, step by step.

    Raises
    ------
    InputError
        If a newer locisimiles has made it.
    """
    if version > len(MIGRATIONS):
        raise InputError(
            "the project was made by a newer version of locisimiles",
            file=project,
            hint="update locisimiles",
        )
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        yield number, [statement for statement in script.split(";") if statement.strip()]


@contextmanager
def check_values() -> Iterator[None]:
    """Say in a sentence which values no database takes."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise InputError(
            "there is half a character in a text (a lone surrogate)", hint="correct the text"
        ) from error
    except OverflowError as error:
        raise InputError("a number is too large", hint="correct it") from error
