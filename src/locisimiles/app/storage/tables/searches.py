"""Searches of a project: requested, running, done; the newest is the one that counts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from locisimiles.app.storage.stored_messages import dump_messages
from locisimiles.app.storage.tables.rankings import end_rankings
from locisimiles.errors import ParameterError
from locisimiles.messages import Message

if TYPE_CHECKING:
    from locisimiles.app.storage.database import Connection, Row

__all__ = [
    "add_search",
    "discard_results",
    "end_search",
    "find_search",
    "last_search",
    "refuse_while_searching",
    "restart_search",
    "update_search",
]

_BUSY = "state IN ('waiting', 'running')"


def add_search(connection: Connection, parameters: str) -> int:
    """Add a search that waits for a process, and discard the old results; return its number."""
    refuse_while_searching(connection)
    discard_results(connection)
    row = connection.execute(
        "INSERT INTO search (parameters, state, created) VALUES (?, 'waiting', ?) RETURNING number",
        [parameters, time.time()],
    ).fetchone()
    return int(row[0])


def last_search(connection: Connection) -> Row | None:
    """Return the newest search."""
    row: Row | None = connection.execute(
        "SELECT * FROM search ORDER BY number DESC LIMIT 1"
    ).fetchone()
    return row


def find_search(connection: Connection, number: int) -> Row | None:
    """Return a search by its number."""
    row: Row | None = connection.execute(
        "SELECT * FROM search WHERE number = ?", [number]
    ).fetchone()
    return row


def update_search(
    connection: Connection, number: int, owner: str, /, **columns: str | float
) -> bool:
    """Change columns of a search; return False if `owner` is no longer its process."""
    changes = ", ".join(f"{name} = ?" for name in columns)
    return bool(
        connection.execute(
            f"UPDATE search SET {changes} WHERE number = ? AND owner = ?",  # noqa: S608 - ours
            [*columns.values(), number, owner],
        ).rowcount
    )


def end_search(
    connection: Connection, state: str, message: Message | None = None, number: int | None = None
) -> None:
    """End the search with this number, or any, if it waits or runs."""
    only, values = (" AND number = ?", [number]) if number is not None else ("", [])
    stored = dump_messages([message] if message else [])
    connection.execute(
        f"UPDATE search SET state = ?, message = ?, owner = '' WHERE {_BUSY}{only}",  # noqa: S608
        [state, stored, *values],
    )


def restart_search(connection: Connection, number: int) -> None:
    """Make a stopped search wait for a process; one that runs is taken over as it is."""
    connection.execute(
        "UPDATE search SET message = '', state = "
        "CASE state WHEN 'running' THEN state ELSE 'waiting' END WHERE number = ?",
        [number],
    )


def refuse_while_searching(connection: Connection) -> None:
    """Raise a ParameterError if a search waits or runs."""
    if connection.execute(f"SELECT 1 FROM search WHERE {_BUSY}").fetchone():  # noqa: S608 - ours
        raise ParameterError("app.search_running")


def discard_results(connection: Connection) -> None:
    """Delete all results and end the ranking learnt for them; judgements stay."""
    connection.execute("DELETE FROM result")
    end_rankings(connection, "reset")
    connection.execute("UPDATE search SET finished_queries = 0")
    connection.execute(
        "UPDATE search SET state = 'cancelled', message = ? WHERE state != 'failed'",
        [dump_messages([Message("app.texts_changed")])],
    )
