"""Rankings learnt from verdicts.

The probabilities and ranks of the shipped classifier are never lost: while a learnt ranking is
applied, the columns ``shipped`` and ``shipped_rank`` of each result keep them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.storage.database import Connection, Row

__all__ = [
    "add_ranking",
    "applied_rankings",
    "end_rankings",
    "has_ranking",
    "put_ranks",
    "ranked_results",
    "ranking_revision",
    "reset_ranking",
    "restore_shipped",
    "was_reset",
]


def add_ranking(connection: Connection, search: int, report: str, correction: str) -> None:
    """Store a learnt ranking that is applied now."""
    connection.execute(
        "INSERT INTO learning (search, time, state, report, correction) "
        "VALUES (?, ?, 'applied', ?, ?)",
        [search, time.time(), report, correction],
    )


def applied_rankings(connection: Connection, search: int) -> list[Row]:
    """Return the learnt rankings that are applied, one over the other, the newest first."""
    return connection.execute(
        "SELECT number, time, report, correction FROM learning "
        "WHERE search = ? AND state = 'applied' ORDER BY number DESC",
        [search],
    ).fetchall()


def has_ranking(connection: Connection) -> bool:
    """Tell whether any search has a learnt ranking."""
    found = connection.execute("SELECT 1 FROM learning WHERE state = 'applied' LIMIT 1")
    return found.fetchone() is not None


def end_rankings(connection: Connection, search: int, state: str, first: int = 0) -> int:
    """End the applied rankings from a number on; return how many there were."""
    return connection.execute(
        "UPDATE learning SET state = ? WHERE search = ? AND state = 'applied' AND number >= ?",
        [state, search, first],
    ).rowcount


def was_reset(connection: Connection, search: int) -> bool:
    """Tell whether new results ended the last learnt ranking."""
    last = connection.execute(
        "SELECT state FROM learning WHERE search = ? ORDER BY number DESC LIMIT 1", [search]
    ).fetchone()
    return last is not None and last["state"] == "reset"


def ranking_revision(connection: Connection) -> tuple[int, int]:
    """Return two numbers that change when a ranking is learnt or undone."""
    newest, count = connection.execute(
        "SELECT COALESCE(MAX(number), 0), COUNT(*) FROM learning WHERE state = 'applied'"
    ).fetchone()
    return newest, count


def ranked_results(connection: Connection, search: int) -> list[Row]:
    """Return all results of a search: row, query, shipped rank and probability, author, work, …."""
    return connection.execute(
        "SELECT row, query, COALESCE(shipped_rank, rank), COALESCE(shipped, probability), "
        "source_author, source_work, probability, parallel_to, query_id, source_id FROM result "
        "WHERE search = ? ORDER BY row",
        [search],
    ).fetchall()


def put_ranks(
    connection: Connection, search: int, ranks: Iterable[tuple[int, float, int, int]]
) -> None:
    """Replace probabilities and ranks: shipped rank, new probability, new rank, row."""
    _free_ranks(connection, search)
    connection.executemany(
        "UPDATE result SET shipped = COALESCE(shipped, probability), shipped_rank = ?, "
        "probability = ?, rank = ? WHERE row = ?",
        ranks,
    )


def restore_shipped(connection: Connection, search: int) -> None:
    """Restore the probabilities and ranks of the shipped classifier, exactly."""
    _free_ranks(connection, search)
    connection.execute(
        "UPDATE result SET probability = COALESCE(shipped, probability), "
        "rank = COALESCE(shipped_rank, -rank), shipped = NULL, shipped_rank = NULL "
        "WHERE search = ?",
        [search],
    )


def reset_ranking(connection: Connection, search: int) -> None:
    """End a learnt ranking before results arrive that it does not cover."""
    if end_rankings(connection, search, "reset"):
        restore_shipped(connection, search)


def _free_ranks(connection: Connection, search: int) -> None:
    """Move all ranks out of the way: no two of a query may be equal, not even for a moment."""
    connection.execute("UPDATE result SET rank = -rank WHERE search = ?", [search])
