"""Rows of results as a search writes them, copies them, and drops them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.app.storage.tables.selected import WRITTEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.storage.database import Connection

__all__ = [
    "add_results",
    "count_results",
    "delete_results",
    "result_scores",
    "stored_results_of",
]


def add_results(connection: Connection, search: int, rows: Iterable[tuple[object, ...]]) -> None:
    """Add results of a search, numbered after those that are there."""
    last = connection.execute("SELECT COALESCE(MAX(row), 0) FROM result").fetchone()[0]
    places = ", ".join("?" * len(WRITTEN))
    connection.executemany(
        f"INSERT INTO result ({', '.join(WRITTEN)}) VALUES ({places})",  # noqa: S608 - ours
        [(number, search, *row) for number, row in enumerate(rows, start=last + 1)],
    )


def count_results(connection: Connection, search: int) -> int:
    """Return the number of all results of a search."""
    found = connection.execute("SELECT COUNT(*) FROM result WHERE search = ?", [search])
    return int(found.fetchone()[0])


def result_scores(connection: Connection, search: int) -> list[tuple[int, float]]:
    """Return row and score of all results of a search, in reading order."""
    rows = connection.execute(
        "SELECT row, score FROM result WHERE search = ? ORDER BY query, rank", [search]
    )
    return [(row["row"], row["score"]) for row in rows]


def stored_results_of(
    connection: Connection, search: int, first: int, last: int
) -> list[tuple[object, ...]]:
    """Return results of some query positions, as `add_results` takes them and as they were found.

    A ranking that was learnt later is left out.
    """
    shipped = {
        "rank": "COALESCE(shipped_rank, rank)",
        "probability": "COALESCE(shipped, probability)",
    }
    columns = ", ".join(shipped.get(name, name) for name in WRITTEN[2:])
    rows = connection.execute(
        f"SELECT {columns} FROM result WHERE search = ? AND query BETWEEN ? AND ? "  # noqa: S608
        "ORDER BY query, COALESCE(shipped_rank, rank)",
        [search, first, last],
    )
    return [tuple(row) for row in rows]


def delete_results(connection: Connection, rows: Iterable[int]) -> None:
    """Delete results by their numbers."""
    connection.executemany("DELETE FROM result WHERE row = ?", [(row,) for row in rows])
