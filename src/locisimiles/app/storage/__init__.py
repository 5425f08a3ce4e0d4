"""Where projects are kept: a folder with an SQLite file each, or a PostgreSQL database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.app.storage.sqlite import SqliteStorage
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from locisimiles.app.storage.database import Storage

__all__ = ["chosen_storage", "default_folder"]


def default_folder() -> Path:
    """Return where projects are kept: in the user's data folder, or what a variable names."""
    import platformdirs

    chosen = os.environ.get("LOCISIMILES_PROJECTS")
    return Path(chosen) if chosen else platformdirs.user_data_path("locisimiles") / "projects"


def chosen_storage(folder: Path | None = None, database: str | None = None) -> Storage:
    """Return where projects are kept.

    Parameters
    ----------
    folder
        The folder, if the user has named one.
    database
        The address of a PostgreSQL database, if the user has given one. If neither is given, the
        variable ``LOCISIMILES_DATABASE`` is asked, and then `default_folder`.

    Raises
    ------
    ParameterError
        If both are given, or the address is none.
    DatabaseError
        If the database cannot be used.
    MissingDependencyError
        If psycopg is not installed.
    """
    if folder and database:
        raise ParameterError(
            "projects cannot be in a folder and in a database", hint="leave one of them out"
        )
    database = database or ("" if folder else os.environ.get("LOCISIMILES_DATABASE", ""))
    if database:
        from locisimiles.app.storage.postgres import PostgresStorage

        return PostgresStorage(database)
    return SqliteStorage(folder or default_folder())
