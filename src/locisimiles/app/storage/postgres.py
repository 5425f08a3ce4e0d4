"""Projects in a PostgreSQL database: a schema each, and a catalogue that says which."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from locisimiles.app.storage.connections import Connections
from locisimiles.app.storage.database import outstanding_migrations
from locisimiles.app.storage.dialect import PostgresConnection, with_our_types
from locisimiles.errors import DatabaseError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PostgresDatabase", "PostgresStorage"]

_CATALOGUE = (
    "CREATE SCHEMA locisimiles",
    """
    CREATE TABLE locisimiles.project (
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        owner TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        version BIGINT NOT NULL,
        changed DOUBLE PRECISION NOT NULL,
        UNIQUE (owner, id)
    ) WITH (fillfactor = 50)
    """,
)
_MAKING_THE_CATALOGUE = 6_015_071_984  # any number that others do not lock


class PostgresStorage:
    """A database with the projects of all users.

    A project has a schema of its own, whose name is made of a number; what users call their
    projects stands only in the catalogue, as a value.

    Parameters
    ----------
    url
        Its address, ``postgresql://USER:PASSWORD@HOST/NAME``.

    Raises
    ------
    ParameterError
        If it is no address.
    DatabaseError
        If the database cannot be used.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self.connections = Connections(url)
        with self.connections.transaction() as raw:
            connection = PostgresConnection(raw)
            encoding = connection.execute("SHOW server_encoding").fetchone()
            if encoding is None or encoding[0] != "UTF8":
                raise DatabaseError(
                    "the database cannot hold every letter", hint="make one with createdb -E UTF8"
                )
            connection.execute("SELECT pg_advisory_xact_lock(?)", [_MAKING_THE_CATALOGUE])
            known = connection.execute("SELECT to_regclass('locisimiles.project')").fetchone()
            for statement in _CATALOGUE if known is None or known[0] is None else ():
                connection.execute(statement)

    def create(self, user: str, project: str) -> PostgresDatabase | None:
        """Make an empty project; return None if there is one of this id."""
        with self.connections.transaction() as raw:
            connection = PostgresConnection(raw)
            made = connection.execute(
                "INSERT INTO locisimiles.project (owner, id, version, changed) "
                "VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING RETURNING number",
                [user, project, time.time()],
            ).fetchone()
            if made is None:
                return None
            database = PostgresDatabase(self, user, project, made["number"])
            connection.execute(f'CREATE SCHEMA "{database.place}"')
            _migrate(connection, database)
        return database

    def open(self, user: str, project: str) -> PostgresDatabase:
        """Return a project."""
        with self.connections.transaction(only_reading=True) as raw:
            found = (
                PostgresConnection(raw)
                .execute(
                    "SELECT number, version FROM locisimiles.project WHERE owner = ? AND id = ?",
                    [user, project],
                )
                .fetchone()
            )
        if found is None:
            raise InputError("there is no such project", file=project)
        database = PostgresDatabase(self, user, project, found["number"])
        if any(outstanding_migrations(found["version"], project)):
            with database.writing() as connection:
                _migrate(connection, database)
        return database

    def delete(self, user: str, project: str) -> None:
        """Remove a project with all that is in it."""
        database = self.open(user, project)
        with database.writing() as connection:
            connection.execute(f'DROP SCHEMA "{database.place}" CASCADE')
            connection.execute(
                "DELETE FROM locisimiles.project WHERE number = ?", [database.number]
            )

    def all(self, user: str) -> Iterator[tuple[str, float]]:
        """Return the ids of a user's projects, and when they were changed."""
        with self.connections.transaction(only_reading=True) as raw:
            found = (
                PostgresConnection(raw)
                .execute("SELECT id, changed FROM locisimiles.project WHERE owner = ?", [user])
                .fetchall()
            )
        return ((row["id"], row["changed"]) for row in found)

    def environment(self) -> dict[str, str]:
        """Return the variables that tell another process of ours where projects are."""
        return {"LOCISIMILES_DATABASE": self._url}

    def close(self) -> None:
        """Close the connections that are kept open."""
        self.connections.close()


class PostgresDatabase:
    """A schema that several processes may use at the same time, also on several machines.

    Parameters
    ----------
    storage
        The database it is in.
    user, id
        Whose project it is, and what it is called.
    number
        Its number in the catalogue, which no other project ever has.
    """

    def __init__(
        self,
        storage: PostgresStorage,
        user: str,
        id: str,  # noqa: A002 - its name
        number: int,
    ) -> None:
        self.storage, self.user, self.id, self.number = storage, user, id, number
        self.place = f"locisimiles_{number:d}"

    @contextmanager
    def reading(self) -> Iterator[PostgresConnection]:
        """Open a connection that sees one state of the project, whatever others write meanwhile."""
        connections = self.storage.connections
        with connections.transaction(schema=self.place, only_reading=True) as raw:
            yield PostgresConnection(raw)

    @contextmanager
    def writing(self) -> Iterator[PostgresConnection]:
        """Open a connection whose changes are kept together, or not at all; one at a time."""
        with self.storage.connections.transaction(schema=self.place) as raw:
            connection = PostgresConnection(raw)
            # The row of the catalogue is what writers wait for, as SQLite's wait for the file.
            changed = connection.execute(
                "UPDATE locisimiles.project SET changed = ? WHERE number = ?",
                [time.time(), self.number],
            )
            if not changed.rowcount:
                raise InputError("there is no such project", file=self.id)
            yield connection

    def exists(self) -> bool:
        """Tell whether nobody has deleted it."""
        with self.storage.connections.transaction(only_reading=True) as raw:
            found = PostgresConnection(raw).execute(
                "SELECT 1 FROM locisimiles.project WHERE number = ?", [self.number]
            )
            return found.fetchone() is not None


def _migrate(connection: PostgresConnection, database: PostgresDatabase) -> None:
    """Bring a project to the newest version; the caller's transaction has its row to itself."""
    row = connection.execute(
        "SELECT version FROM locisimiles.project WHERE number = ?", [database.number]
    ).fetchone()
    connection.execute(f'SET LOCAL search_path = "{database.place}"')
    for number, statements in outstanding_migrations(row["version"] if row else 0, database.id):
        for statement in statements:
            connection.execute(with_our_types(statement))
        connection.execute(
            "UPDATE locisimiles.project SET version = ? WHERE number = ?",
            [number, database.number],
        )
