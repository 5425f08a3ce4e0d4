"""Projects in a PostgreSQL database: a schema each, and a catalogue of them."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.app.storage.connections import Connections
from locisimiles.app.storage.dialect import adapt_types
from locisimiles.app.storage.folders import default_folder
from locisimiles.app.storage.schema import pending_migrations
from locisimiles.errors import DatabaseError, InputError
from locisimiles.files.hashing import framed, sha256_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from locisimiles.app.storage.dialect import PostgresConnection

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
_NAME = 32
_CATALOGUE_LOCK = 6_015_071_984  # any number that nothing else locks


class PostgresStorage:
    """A database with the projects of all users.

    A project has a schema of its own, named by a number; the names that users choose are only
    values in the catalogue.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self.connections = Connections(url)
        try:
            self._create_catalogue()
        except BaseException:
            self.close()
            raise

    def create(self, user: str, project: str) -> PostgresDatabase | None:
        """Create an empty project; return None if the id is taken."""
        with self.connections.transaction() as connection:
            made = connection.execute(
                "INSERT INTO locisimiles.project (owner, id, version, changed) "
                "VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING RETURNING number",
                [user, project, time.time()],
            ).fetchone()
            if made is None:
                return None
            database = PostgresDatabase(self, user, project, made["number"])
            connection.execute(f'CREATE SCHEMA "{database.key}"')
            _migrate(connection, database)
        return database

    def open(self, user: str, project: str) -> PostgresDatabase:
        """Return a project."""
        with self.connections.transaction(only_reading=True) as connection:
            found = connection.execute(
                "SELECT number, version FROM locisimiles.project WHERE owner = ? AND id = ?",
                [user, project],
            ).fetchone()
        if found is None:
            raise InputError("app.unknown_project", id=project)
        database = PostgresDatabase(self, user, project, found["number"])
        if any(pending_migrations(found["version"], project)):
            with database.writing() as connection:
                _migrate(connection, database)
        return database

    def delete(self, user: str, project: str) -> None:
        """Delete a project."""
        database = self.open(user, project)
        with database.writing() as connection:
            connection.execute(f'DROP SCHEMA "{database.key}" CASCADE')
            connection.execute(
                "DELETE FROM locisimiles.project WHERE number = ?", [database.number]
            )
        for folder in (database.index_folder, database.pairs_folder):
            shutil.rmtree(folder, ignore_errors=True)

    def all(self, user: str) -> Iterator[tuple[str, float]]:
        """Return the ids of a user's projects, and when they were changed."""
        with self.connections.transaction(only_reading=True) as connection:
            found = connection.execute(
                "SELECT id, changed FROM locisimiles.project WHERE owner = ?", [user]
            ).fetchall()
        return ((row["id"], row["changed"]) for row in found)

    def name_of(self, key: str) -> str:
        """Return a name for a schema that no schema of another database has."""
        return sha256_of(framed([self._url, key]))[:_NAME]

    def environment(self) -> dict[str, str]:
        """Return the variables that tell another process where projects are."""
        return {"LOCISIMILES_DATABASE": self._url}

    def sign(self, content: str) -> str:  # noqa: ARG002 - what writes here was let in
        """Return nothing: no file of others can be put here."""
        return ""

    def close(self) -> None:
        """Close all connections."""
        self.connections.close()

    def _create_catalogue(self) -> None:
        with self.connections.transaction() as connection:
            encoding = connection.execute("SHOW server_encoding").fetchone()
            if encoding is None or encoding[0] != "UTF8":
                raise DatabaseError("app.database_encoding")
            connection.execute("SELECT pg_advisory_xact_lock(?)", [_CATALOGUE_LOCK])
            known = connection.execute("SELECT to_regclass('locisimiles.project')").fetchone()
            for statement in _CATALOGUE if known is None or known[0] is None else ():
                connection.execute(statement)


class PostgresDatabase:
    """A schema that several processes may use at the same time, also on several machines.

    Its number in the catalogue is never used twice.
    """

    def __init__(
        self,
        storage: PostgresStorage,
        user: str,
        id: str,  # noqa: A002 - its name
        number: int,
    ) -> None:
        self.storage, self.user, self.id, self.number = storage, user, id, number
        self.key = f"locisimiles_{number:d}"

    @property
    def index_folder(self) -> Path:
        """A folder in the cache of this machine, under a name that is unique over all databases."""
        import platformdirs

        chosen = os.environ.get("LOCISIMILES_CACHE")
        cache = Path(chosen) if chosen else platformdirs.user_cache_path("locisimiles")
        return cache / "indexes" / self.storage.name_of(self.key)

    @property
    def pairs_folder(self) -> Path:
        """A folder among those of projects, under a name that is unique over all databases."""
        return default_folder() / "pairs" / self.storage.name_of(self.key)

    def reading(self) -> AbstractContextManager[PostgresConnection]:
        """Open a connection that sees one state of the project, whatever others write meanwhile."""
        return self.storage.connections.transaction(schema=self.key, only_reading=True)

    @contextmanager
    def writing(self) -> Iterator[PostgresConnection]:
        """Open a transaction; writers wait for each other."""
        with self.storage.connections.transaction(schema=self.key) as connection:
            # Writers wait for the row of the catalogue, as those of SQLite wait for the file.
            changed = connection.execute(
                "UPDATE locisimiles.project SET changed = ? WHERE number = ?",
                [time.time(), self.number],
            )
            if not changed.rowcount:
                raise InputError("app.project_deleted")
            yield connection

    def exists(self) -> bool:
        """Tell whether the project has not been deleted."""
        with self.storage.connections.transaction(only_reading=True) as connection:
            found = connection.execute(
                "SELECT 1 FROM locisimiles.project WHERE number = ?", [self.number]
            )
            return found.fetchone() is not None


def _migrate(connection: PostgresConnection, database: PostgresDatabase) -> None:
    """Migrate a project to the newest version; the caller's transaction has locked its row."""
    row = connection.execute(
        "SELECT version FROM locisimiles.project WHERE number = ?", [database.number]
    ).fetchone()
    connection.execute(f'SET LOCAL search_path = "{database.key}"')
    for number, statements in pending_migrations(row["version"] if row else 0, database.id):
        for statement in statements:
            connection.execute(adapt_types(statement))
        connection.execute(
            "UPDATE locisimiles.project SET version = ? WHERE number = ?",
            [number, database.number],
        )
