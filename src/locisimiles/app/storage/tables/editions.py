"""Editions of texts: what a side of a project was when a search was made.

The texts of a side get a new edition whenever they change. An edition is kept as long as it is the
current one, or a search was made of it.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.app.storage.database import Connection

__all__ = ["SEGMENT_COLUMNS", "current_edition", "edition_names", "forget_editions", "put_edition"]

SEGMENT_COLUMNS = "id, text, author, work, locus, marks, meta"


def current_edition(connection: Connection, side: str) -> int:
    """Return the edition that a side has now."""
    row = connection.execute(
        "SELECT number FROM edition WHERE side = ? AND is_current = 1", [side]
    ).fetchone()
    return int(row[0])


def put_edition(
    connection: Connection,
    side: str,
    names: Sequence[str],
    segments: Sequence[tuple[object, ...]],
) -> None:
    """Make segments the current edition of a side; the same segments are the same edition."""
    fingerprint = _fingerprint(segments)
    known = connection.execute(
        "SELECT number FROM edition WHERE side = ? AND fingerprint = ?", [side, fingerprint]
    ).fetchone()
    connection.execute("UPDATE edition SET is_current = 0 WHERE side = ?", [side])
    if known is not None:
        number = int(known[0])
        connection.execute(
            "UPDATE edition SET is_current = 1 WHERE side = ? AND number = ?", [side, number]
        )
    else:
        last = connection.execute("SELECT MAX(number) FROM edition WHERE side = ?", [side])
        number = int(last.fetchone()[0]) + 1
        connection.execute("INSERT INTO edition VALUES (?, ?, ?, 1)", [side, number, fingerprint])
        connection.executemany(
            f"INSERT INTO segment (side, edition, position, {SEGMENT_COLUMNS}) "  # noqa: S608 - ours
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((side, number, position, *segment) for position, segment in enumerate(segments)),
        )
    connection.execute("DELETE FROM edition_input WHERE side = ? AND edition = ?", [side, number])
    connection.executemany(
        "INSERT INTO edition_input VALUES (?, ?, ?, ?)",
        [(side, number, place, name) for place, name in enumerate(names)],
    )
    forget_editions(connection)


def edition_names(connection: Connection) -> dict[tuple[str, int], list[str]]:
    """Return the names of the inputs of every edition, by side and number."""
    names: dict[tuple[str, int], list[str]] = {}
    rows = connection.execute("SELECT side, edition, name FROM edition_input ORDER BY number")
    for row in rows:
        names.setdefault((row["side"], row["edition"]), []).append(row["name"])
    return names


def forget_editions(connection: Connection) -> None:
    """Delete the editions that are not current and that no search was made of."""
    gone = connection.execute(
        "SELECT side, number FROM edition WHERE is_current = 0 AND number NOT IN "
        "(SELECT CASE edition.side WHEN 'query' THEN query_edition ELSE source_edition END "
        "FROM search)"
    ).fetchall()
    for side, number in gone:
        for table in ("segment", "edition_input"):
            connection.execute(
                f"DELETE FROM {table} WHERE side = ? AND edition = ?",  # noqa: S608 - ours
                [side, number],
            )
        connection.execute("DELETE FROM edition WHERE side = ? AND number = ?", [side, number])


def _fingerprint(segments: Sequence[tuple[object, ...]]) -> str:
    digest = hashlib.sha256()
    for segment in segments:
        digest.update(json.dumps(segment).encode())
    return digest.hexdigest()
