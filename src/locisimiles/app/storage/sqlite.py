"""Projects in a folder: one SQLite file each, and a folder of its own for each user."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.app.storage.database import check_values
from locisimiles.app.storage.received_files import (
    check_content,
    check_tables,
    migrate,
    protect,
)
from locisimiles.app.storage.schema import pending_migrations
from locisimiles.app.storage.signing import signature
from locisimiles.errors import DatabaseError, InputError, OutputError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

__all__ = ["INDEX_SUFFIX", "PAIRS_SUFFIX", "SqliteDatabase", "SqliteStorage", "forget_checks"]

_PATIENCE_S = 20.0
_SUFFIX = ".sqlite"
_PRIVATE, _PRIVATE_FOLDER = 0o600, 0o700
_OF_OTHERS = 0o077
INDEX_SUFFIX = ".index"
PAIRS_SUFFIX = ".pairs"
"""Of folders beside a project; no id of a user or project has a dot."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
# Files whose content this process has checked: path, device and number.
_checked: set[tuple[str, int, int]] = set()


def forget_checks() -> None:
    """Check all files again when they are opened next."""
    _checked.clear()


class SqliteStorage:
    """A folder of projects, created if it is missing.

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
        _create_folder(self.folder)

    def create(self, user: str, project: str) -> SqliteDatabase | None:
        """Create an empty project; return None if the id is taken."""
        path = self.path(user, project)
        _create_folder(path.parent)
        try:
            path.touch(_PRIVATE, exist_ok=False)
        except FileExistsError:
            return None
        except OSError as error:
            raise OutputError("app.project_not_created", reason=error.strerror) from error
        return SqliteDatabase(self, user, project)

    def open(self, user: str, project: str) -> SqliteDatabase:
        """Return a project."""
        return SqliteDatabase(self, user, project)

    def delete(self, user: str, project: str) -> None:
        """Delete a project."""
        path = self.open(user, project).path
        for beside in ("", "-wal", "-shm"):
            path.with_name(path.name + beside).unlink(missing_ok=True)
        for folder in (INDEX_SUFFIX, PAIRS_SUFFIX):
            shutil.rmtree(path.with_suffix(folder), ignore_errors=True)

    def all(self, user: str) -> Iterator[tuple[str, float]]:
        """Return the ids of a user's projects, and when they were changed."""
        for path in (self.folder / user).glob(f"*{_SUFFIX}"):
            try:
                yield path.stem, path.stat().st_mtime
            except OSError:
                continue  # it has just been deleted

    def path(self, user: str, project: str) -> Path:
        """Return the file of a project."""
        return self.folder / user / f"{project}{_SUFFIX}"

    def environment(self) -> dict[str, str]:
        """Return the variables that tell another process where projects are."""
        return {"LOCISIMILES_PROJECTS": str(self.folder), "LOCISIMILES_DATABASE": ""}

    def sign(self, content: str) -> str:
        """Return what only this installation can write beside a content."""
        return signature(content)

    def close(self) -> None:
        """Do nothing: a connection lives for one operation."""


class SqliteDatabase:
    """An SQLite file that several processes may use at the same time.

    A connection lives for one operation, so any thread may use the database, and a process that is
    killed leaves nothing open. What `writing` changed is on the disk when it ends.
    """

    def __init__(self, storage: SqliteStorage, user: str, id: str) -> None:  # noqa: A002 - its name
        self.storage, self.user, self.id = storage, user, id
        self.path = storage.path(user, id)
        self.key = str(self.path)
        if not self.exists():
            raise InputError("app.unknown_project", id=id)
        try:
            with self._connected() as connection:
                self._check(connection)
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", None) in _BUSY:
                raise DatabaseError("app.database_busy") from error
            raise InputError("app.not_a_project", file=id, reason=str(error)) from error

    @property
    def index_folder(self) -> Path:
        """A folder beside the file, deleted with it."""
        return self.path.with_suffix(INDEX_SUFFIX)

    @property
    def pairs_folder(self) -> Path:
        """A folder beside the file, deleted with it."""
        return self.path.with_suffix(PAIRS_SUFFIX)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a connection that sees one state of the file, whatever others write meanwhile."""
        try:
            with check_values(), self._connected() as connection:
                connection.execute("BEGIN")
                yield connection
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", None) in _BUSY:
                raise DatabaseError("app.database_busy") from error
            raise InputError("app.project_damaged", file=self.id, reason=str(error)) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction; writers wait for each other."""
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
            raise OutputError("app.project_unwritable", reason=str(error)) from error

    def exists(self) -> bool:
        """Tell whether the project has not been deleted."""
        return self.path.is_file()

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=_PATIENCE_S, isolation_level=None)
        try:
            protect(connection)
            connection.row_factory = sqlite3.Row
            yield connection
        finally:
            connection.close()

    def _check(self, connection: sqlite3.Connection) -> None:
        """Check what is in the file, before anything in it is used, and bring it up to date."""
        version = check_tables(connection, self.id)
        status = self.path.stat()
        identity = (self.key, status.st_dev, status.st_ino)
        is_known, is_old = identity in _checked, any(pending_migrations(version, self.id))
        if not is_known:
            _make_private(self.path, status.st_mode)
            check_content(connection, self.id, values=not is_old)
        connection.execute("PRAGMA journal_mode = WAL")
        if is_old:
            connection.execute("BEGIN IMMEDIATE")  # another process may be about to do the same
            migrate(connection, _version(connection), self.id)
            connection.execute("COMMIT")
            check_content(connection, self.id, values=True)
        _checked.add(identity)


def _make_private(path: Path, mode: int) -> None:
    """Take from others the rights to a project that earlier versions left them."""
    if mode & _OF_OTHERS:
        with suppress(OSError):  # the file of somebody else
            path.chmod(mode & 0o700)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _create_folder(folder: Path) -> None:
    try:
        folder.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError("app.folder_not_created", reason=error.strerror) from error
