"""Projects in a folder: one SQLite file each, and a folder of its own for each user."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.app.storage.database import check_values, outstanding_migrations
from locisimiles.errors import InputError, OutputError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

__all__ = ["SqliteDatabase", "SqliteStorage"]

_PATIENCE_S = 20.0
_SUFFIX = ".sqlite"


class SqliteStorage:
    """A folder of projects.

    Parameters
    ----------
    folder
        Which one; made if it is missing.

    Raises
    ------
    OutputError
        If it cannot be made.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> database = SqliteStorage(folder.name).create("ann", "letters")
    >>> with database.writing() as connection:
    ...     _ = connection.execute("INSERT INTO setting VALUES ('title', ?)", ["Jerome"])
    >>> with database.reading() as connection:
    ...     connection.execute("SELECT value FROM setting").fetchone()["value"]
    'Jerome'
    >>> folder.cleanup()
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder).absolute()
        _make(self.folder)

    def create(self, user: str, project: str) -> SqliteDatabase | None:
        """Make an empty project; return None if there is one of this id."""
        path = self.path(user, project)
        _make(path.parent)
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            return None
        except OSError as error:
            raise OutputError(f"the project cannot be made: {error.strerror}") from error
        return SqliteDatabase(self, user, project)

    def open(self, user: str, project: str) -> SqliteDatabase:
        """Return a project."""
        return SqliteDatabase(self, user, project)

    def delete(self, user: str, project: str) -> None:
        """Remove a project with all that is in it."""
        path = self.open(user, project).path
        for beside in ("", "-wal", "-shm"):
            path.with_name(path.name + beside).unlink(missing_ok=True)

    def all(self, user: str) -> Iterator[tuple[str, float]]:
        """Return the ids of a user's projects, and when they were changed."""
        for path in (self.folder / user).glob(f"*{_SUFFIX}"):
            try:
                yield path.stem, path.stat().st_mtime
            except OSError:
                continue  # it has just been deleted

    def path(self, user: str, project: str) -> Path:
        """Return where a project is."""
        return self.folder / user / f"{project}{_SUFFIX}"

    def environment(self) -> dict[str, str]:
        """Return the variables that tell another process of ours where projects are."""
        return {"LOCISIMILES_PROJECTS": str(self.folder), "LOCISIMILES_DATABASE": ""}

    def close(self) -> None:
        """Let go of nothing: a connection lives for one operation."""


class SqliteDatabase:
    """A file of SQLite that several processes may use at the same time.

    A connection lives as long as one operation: they may come from any thread, and a process
    that is killed leaves nothing open. What `writing` did is on the disk when it ends.

    Parameters
    ----------
    storage
        The folder.
    user, id
        Whose project it is, and what it is called.

    Raises
    ------
    InputError
        If there is no such file, or it is none of ours.
    """

    def __init__(self, storage: SqliteStorage, user: str, id: str) -> None:  # noqa: A002 - its name
        self.storage, self.user, self.id = storage, user, id
        self.path = storage.path(user, id)
        self.place = str(self.path)
        if not self.exists():
            raise InputError("there is no such project", file=id)
        try:
            with self._connected() as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                self._migrate(connection)
        except sqlite3.DatabaseError as error:
            raise InputError(f"this is no project of ours ({error})", file=id) from error

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a connection that sees one state of the file, whatever others write meanwhile."""
        with check_values(), self._connected() as connection:
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
            with check_values(), self._connected() as connection:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                except BaseException:
                    connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise OutputError(f"the project cannot be written: {error}") from error

    def exists(self) -> bool:
        """Tell whether nobody has deleted it."""
        return self.path.is_file()

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=_PATIENCE_S, isolation_level=None)
        try:
            connection.row_factory = sqlite3.Row
            yield connection
        finally:
            connection.close()

    def _migrate(self, connection: sqlite3.Connection) -> None:
        if not any(outstanding_migrations(_version(connection), self.id)):
            return
        connection.execute("BEGIN IMMEDIATE")  # another process may be about to do the same
        for number, statements in outstanding_migrations(_version(connection), self.id):
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"the folder of projects cannot be made: {error.strerror}") from error
