"""Project files copied as one piece while the app runs, put back, and checked.

The newest changes of a running app are in a second file, the write-ahead log. SQLite itself copies
both into one, so a copy holds every judgement that was acknowledged before it began.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from locisimiles.app.storage.received_files import check_content, check_tables, protect
from locisimiles.app.storage.schema import pending_migrations
from locisimiles.errors import InputError, OutputError
from locisimiles.files.writing import unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.app.storage.sqlite import SqliteStorage

__all__ = ["back_up", "check_file", "restore"]

_PATIENCE_S = 20.0
_MOST_NAMED = 5
_FORMAT = slice(18, 20)  # in the header: 1 for files without a write-ahead log, 2 with one
_RUINED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_HEADER = b"SQLite format 3\0"


def check_file(path: Path, name: str | None = None) -> None:
    """Check pages, tables, values and indexes of a project file, without changing it.

    Raises
    ------
    InputError
        If it is missing, damaged, or no project; it is called `name`.
    """
    name = name or str(path)
    with _reading(path, name) as connection:
        version = check_tables(connection, name)
        if not version:
            raise InputError("app.not_a_project", file=name, reason="empty")
        is_old = any(pending_migrations(version, name))
        check_content(connection, name, values=not is_old)
        for pragma in ("integrity_check", "foreign_key_check"):
            rows = connection.execute(f"PRAGMA {pragma}").fetchmany(_MOST_NAMED)
            found = [" ".join(map(str, row)) for row in rows]
            if found not in ([], ["ok"]):
                raise InputError("app.project_damaged", file=name, reason="; ".join(found))


def back_up(source: Path, target: Path, *, overwrite: bool = False) -> None:
    """Copy a project into one file, with all that was written before; others may go on writing.

    Raises
    ------
    InputError
        If the project is missing or damaged.
    OutputError
        If the copy cannot be written, or exists and may not be replaced.
    """
    if target.exists():
        if not overwrite:
            raise OutputError("files.exists", path=str(target))
        if source.exists() and target.samefile(source):
            raise OutputError("app.backup_is_project", path=str(target))
    with unfinished(target, replace=overwrite) as copy:
        _copy(source, copy)
        check_file(copy, str(source))


def restore(
    backup: Path, storage: SqliteStorage, user: str, project: str, *, overwrite: bool = False
) -> None:
    """Make a project of a backup, after checking it; the app may be running.

    Raises
    ------
    InputError
        If the backup is missing, damaged, or no project.
    OutputError
        If there is such a project and it may not be replaced.
    """
    target = storage.path(user, project)
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists() and not overwrite:
        raise OutputError("app.project_exists", id=project)
    if not target.exists():
        with unfinished(target, replace=False) as copy:
            _copy(backup, copy)
            check_file(copy, str(backup))
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, target.name)
        _copy(backup, copy)
        check_file(copy, str(backup))
        _replace(target, copy)


def _replace(target: Path, copy: Path) -> None:
    try:
        # Through SQLite, since the app may have the file open.
        with closing(_connect(copy)) as source, closing(_connect(target)) as connection:
            source.backup(connection)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode not in _RUINED:
            raise OutputError("app.project_unwritable", reason=str(error)) from error
        for beside in ("-wal", "-shm"):  # nothing can be read from what is there
            target.with_name(target.name + beside).unlink(missing_ok=True)
        with unfinished(target) as whole:
            shutil.copyfile(copy, whole)


def _copy(source: Path, target: Path) -> None:
    """Copy a database and its write-ahead log into one file that has none."""
    with (
        _reading(source, str(source)) as connection,
        closing(_connect(target, "?nolock=1")) as copy,  # no other program opens the new file
    ):
        copy.execute("PRAGMA journal_mode = OFF")
        copy.execute("PRAGMA synchronous = OFF")  # it is synced when it is whole
        connection.backup(copy)
    with target.open("rb+") as stream:
        header = bytearray(stream.read(_FORMAT.stop))
        if not header.startswith(_HEADER):  # an empty file is an empty database
            raise InputError("app.not_a_project", file=str(source), reason="empty")
        header[_FORMAT] = b"\1\1"
        stream.seek(0)
        stream.write(header)


@contextmanager
def _reading(path: Path, name: str) -> Iterator[sqlite3.Connection]:
    """Open a file that is not changed; turn errors of SQLite into ours."""
    if not path.is_file():
        raise InputError("files.not_found", file=name)
    try:
        with closing(_connect(path, "?mode=ro")) as connection:
            protect(connection)
            yield connection
    except sqlite3.DatabaseError as error:
        raise InputError("app.not_a_project", file=name, reason=str(error)) from error


def _connect(path: Path, options: str = "") -> sqlite3.Connection:
    address = f"file:{quote(str(path.absolute()))}{options}"
    return sqlite3.connect(address, _PATIENCE_S, isolation_level=None, uri=True)
