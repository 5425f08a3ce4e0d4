"""Rows of results as a search writes them, copies them, and drops them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.app.storage.tables.selected import WRITTEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.storage.database import Connection, Row

__all__ = [
    "add_results",
    "change_probabilities",
    "count_results",
    "delete_results",
    "judged_results",
    "result_probabilities",
    "stored_results_of",
]


_ROUNDING = 1e-6
_EXACT = f"CASE WHEN ABS(probability - score) > {_ROUNDING} THEN probability ELSE score END"


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
    found = connection.execute(
        "SELECT COALESCE((SELECT imported FROM search WHERE number = ?), 0) + COUNT(*) "
        "FROM result WHERE search = ?",
        [search, search],
    )
    return int(found.fetchone()[0])


def result_probabilities(connection: Connection, search: int) -> list[tuple[int, float, str]]:
    """Return row, probability and ``parallel_to`` of all results of a search, in reading order.

    Where probabilities were not adapted, they are the scores: the classifier's own numbers, which
    sums of two probabilities may miss by their rounding.
    """
    rows = connection.execute(
        f"SELECT row, {_EXACT}, parallel_to FROM result WHERE search = ? ORDER BY query, rank",  # noqa: S608
        [search],
    )
    return [tuple(row) for row in rows]


def judged_results(connection: Connection, search: int) -> list[Row]:
    """Return row, query, score, cit and cf of all results of a search, in reading order."""
    return connection.execute(
        "SELECT row, query, score, cit, cf FROM result WHERE search = ? ORDER BY query, rank",
        [search],
    ).fetchall()


def change_probabilities(
    connection: Connection, rows: Iterable[tuple[float, float, float, int]]
) -> None:
    """Replace probabilities: of any type, of *cit.*, of *cf.*; row."""
    connection.executemany("UPDATE result SET probability = ?, cit = ?, cf = ? WHERE row = ?", rows)


def stored_results_of(
    connection: Connection, search: int, first: int, last: int
) -> list[tuple[object, ...]]:
    """Return results of some query positions, as `add_results` takes them and as they were found.

    A ranking that was learnt later is left out, and probabilities that were adapted to the whole
    text are the classifier's again: it has another text now.
    """
    known = "COALESCE(shipped, probability)"
    adapted = f"ABS({known} - score) > {_ROUNDING} AND {known} > 0"
    shipped = {
        "rank": "COALESCE(shipped_rank, rank)",
        "probability": f"CASE WHEN {adapted} THEN score ELSE {known} END",
        **{
            kind: f"CASE WHEN {adapted} THEN {kind} * score / {known} ELSE {kind} END"
            for kind in ("cit", "cf")
        },
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
