"""Settings of a project: values by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from locisimiles.app.storage.database import Connection

__all__ = ["read_setting", "write_setting"]


def read_setting(connection: Connection, name: str) -> str:
    """Return a setting; empty if it was never written."""
    row = connection.execute("SELECT value FROM setting WHERE name = ?", [name]).fetchone()
    return str(row["value"]) if row else ""


def write_setting(connection: Connection, name: str, value: str) -> None:
    """Write a setting."""
    connection.execute(
        "INSERT INTO setting (name, value) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [name, value],
    )
