"""Where projects are kept: an SQLite file each, or a PostgreSQL database."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from locisimiles.app.storage.folders import default_folder
from locisimiles.app.storage.sqlite import SqliteStorage
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from pathlib import Path

    from locisimiles.app.storage.database import Storage

__all__ = ["default_folder", "open_storage"]


def open_storage(folder: Path | None = None, database: str | None = None) -> Storage:
    """Return the storage that the user or the environment has chosen.

    By default this is the database that ``LOCISIMILES_DATABASE`` names, or `default_folder`.
    """
    if folder and database:
        raise ParameterError("app.folder_and_database")
    database = database or ("" if folder else os.environ.get("LOCISIMILES_DATABASE", ""))
    if database:
        from locisimiles.app.storage.postgres import PostgresStorage

        return PostgresStorage(database)
    return SqliteStorage(folder or default_folder())
