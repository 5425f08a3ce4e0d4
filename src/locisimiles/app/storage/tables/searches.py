"""Searches of a project: requested, running, done; named, listed, deleted."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from locisimiles.app.storage.stored_messages import dump_messages
from locisimiles.app.storage.tables.editions import (
    SEGMENT_COLUMNS,
    current_edition,
    forget_editions,
)
from locisimiles.app.storage.tables.settings import read_setting, write_setting
from locisimiles.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.app.storage.database import Connection, Row
    from locisimiles.messages import Message

__all__ = [
    "add_imported",
    "add_search",
    "all_searches",
    "compare_searches",
    "count_new_segments",
    "delete_search",
    "end_search",
    "find_imported",
    "find_search",
    "pairs_files",
    "refuse_imported",
    "refuse_while_searching",
    "rename_search",
    "restart_search",
    "search_of_other_queries",
    "search_revision",
    "search_to_follow",
    "search_to_read",
    "sign_search",
    "signed_content",
    "update_search",
]

_BUSY = "state IN ('waiting', 'running')"
_LAST_DELETED = "last deleted search"


def add_search(
    connection: Connection, parameters: str, *, name: str = "", reuses: int | None = None
) -> int:
    """Add a search of the current texts that waits for a process; return its number.

    Results of the search that it reuses are copied where they must be the same.
    """
    refuse_while_searching(connection)
    row = connection.execute("SELECT COALESCE(MAX(number), 0) FROM search").fetchone()
    # A number is never given twice: links and files may name a search that was deleted.
    number = 1 + max(int(row[0]), int(read_setting(connection, _LAST_DELETED) or 0))
    connection.execute(
        "INSERT INTO search (number, parameters, name, state, created, query_edition, "
        "source_edition, reuses) VALUES (?, ?, ?, 'waiting', ?, ?, ?, ?)",
        [number, parameters, name, time.time(), current_edition(connection, "query"),
         current_edition(connection, "source"), reuses],
    )  # fmt: skip
    return number


def add_imported(  # noqa: PLR0917 - the columns of a row
    connection: Connection, pairs_file: str, pairs: int, name: str, manifest: str, queries: int
) -> int:
    """Add a search of the current texts whose pairs lie in a file; return its number."""
    number = add_search(connection, "{}", name=name)
    connection.execute(
        "UPDATE search SET state = 'done', imported = ?, pairs_file = ?, manifest = ?, "
        "finished_queries = ?, share = 1.0 WHERE number = ?",
        [pairs, pairs_file, manifest, queries, number],
    )
    return number


def find_imported(connection: Connection, pairs_file: str) -> int | None:
    """Return the search whose pairs lie in a file; None if there is none."""
    found = connection.execute(
        "SELECT number FROM search WHERE pairs_file = ? AND imported > 0", [pairs_file]
    ).fetchone()
    return None if found is None else int(found[0])


def pairs_files(connection: Connection) -> set[str]:
    """Return the names of all files of pairs that searches need."""
    found = connection.execute("SELECT DISTINCT pairs_file FROM search WHERE imported > 0")
    return {row[0] for row in found.fetchall()}


def all_searches(connection: Connection) -> list[Row]:
    """Return all searches, the newest first, each with its number of pairs.

    ``current_sides`` is 2 if the texts are still those that were searched.
    """
    return connection.execute(
        "SELECT search.*, imported + "
        "(SELECT COUNT(*) FROM result WHERE result.search = search.number) AS pairs, "
        "(SELECT COUNT(*) FROM edition WHERE is_current = 1 AND (side = 'query' AND "
        "edition.number = search.query_edition OR side = 'source' AND "
        "edition.number = search.source_edition)) AS current_sides FROM search "
        "ORDER BY search.number DESC"
    ).fetchall()


def rename_search(connection: Connection, number: int, name: str) -> None:
    """Name a search, or raise an InputError."""
    changed = connection.execute("UPDATE search SET name = ? WHERE number = ?", [name, number])
    if not changed.rowcount:
        raise InputError("app.no_search", number=str(number))


def delete_search(connection: Connection, number: int) -> None:
    """Delete a search that is not under way, its results, and texts that no other search needs.

    Judgements stay.
    """
    search = find_search(connection, number)
    if search is None:
        raise InputError("app.no_search", number=str(number))
    used = connection.execute(
        f"SELECT 1 FROM search WHERE {_BUSY} AND (number = ? OR reuses = ?)",  # noqa: S608 - ours
        [number, number],
    ).fetchone()
    if used:
        raise ParameterError("app.search_running")
    for table, column in (("result", "search"), ("learning", "search"), ("search", "number")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", [number])  # noqa: S608 - ours
    last = int(read_setting(connection, _LAST_DELETED) or 0)
    write_setting(connection, _LAST_DELETED, str(max(last, number)))
    forget_editions(connection)


def search_of_other_queries(connection: Connection, parameters: str | None = None) -> Row | None:
    """Return the newest search of the current sources whose query was not the current one.

    With `parameters`, only one with the same.
    """
    only, values = ("", []) if parameters is None else (" AND parameters = ?", [parameters])
    row: Row | None = connection.execute(
        "SELECT * FROM search WHERE source_edition = ? AND query_edition != ? "  # noqa: S608 - ours
        f"AND finished_queries > 0 AND imported = 0{only} ORDER BY number DESC LIMIT 1",
        [current_edition(connection, "source"), current_edition(connection, "query"), *values],
    ).fetchone()
    return row


def count_new_segments(connection: Connection, edition: int) -> tuple[int, int]:
    """Return how many current query segments an edition lacks, and how many there are."""
    same = " AND ".join(f"old.{name} = segment.{name}" for name in SEGMENT_COLUMNS.split(", "))
    total, known = connection.execute(
        "SELECT COUNT(*), COUNT(old.id) FROM segment LEFT JOIN segment old "  # noqa: S608 - ours
        f"ON old.side = 'query' AND old.edition = ? AND {same} "
        "WHERE segment.side = 'query' AND segment.edition = ?",
        [edition, current_edition(connection, "query")],
    ).fetchone()
    return total - known, total


def search_to_read(connection: Connection, number: int | None = None) -> int:
    """Return the number of the search to read; 0 if there is none.

    It is this one, or the newest with results, or the newest.
    """
    if number is not None:
        return number
    newest = connection.execute(
        "SELECT COALESCE((SELECT MAX(number) FROM search WHERE imported > 0 "
        "OR number = (SELECT MAX(search) FROM result stored)), (SELECT MAX(number) FROM search), 0)"
    ).fetchone()
    return int(newest[0])


def search_revision(connection: Connection) -> tuple[int, str, int, int]:
    """Return what changes when a search is added, progresses or is deleted."""
    last = search_to_follow(connection)
    count = connection.execute("SELECT COUNT(*) FROM search").fetchone()[0]
    if last is None:
        return 0, "", 0, count
    return last["number"], last["state"], last["finished_queries"], count


def search_to_follow(connection: Connection) -> Row | None:
    """Return the search that waits or runs, or else the newest."""
    row: Row | None = connection.execute(
        f"SELECT * FROM search ORDER BY CASE WHEN {_BUSY} THEN 0 ELSE 1 END, number DESC LIMIT 1"  # noqa: S608 - ours
    ).fetchone()
    return row


def compare_searches(connection: Connection, number: int, other: int) -> tuple[int, int, int]:
    """Return how many pairs two searches have: both of them, only the first, only the other."""
    refuse_imported(connection, number, other)
    first, second = (
        int(row[0])
        for row in (
            connection.execute("SELECT COUNT(*) FROM result WHERE search = ?", [one]).fetchone()
            for one in (number, other)
        )
    )
    both = connection.execute(
        "SELECT COUNT(*) FROM result JOIN result other ON other.search = ? "
        "AND other.query_id = result.query_id AND other.source_id = result.source_id "
        "WHERE result.search = ?",
        [other, number],
    ).fetchone()[0]
    return int(both), first - int(both), second - int(both)


def refuse_imported(connection: Connection, *numbers: int) -> None:
    """Raise a ParameterError if the pairs of a search were imported: these are not compared."""
    for number in numbers:
        found = find_search(connection, number)
        if found is not None and found["imported"]:
            raise ParameterError("app.imported_pairs")


def find_search(connection: Connection, number: int) -> Row | None:
    """Return a search by its number."""
    row: Row | None = connection.execute(
        "SELECT * FROM search WHERE number = ?", [number]
    ).fetchone()
    return row


def signed_content(search: Row) -> str:
    """Return what the signature of a search is about."""
    names = ("number", "parameters", "query_edition", "source_edition")
    return json.dumps([search[name] for name in names])


def sign_search(connection: Connection, number: int, sign: Callable[[str], str]) -> None:
    """Note that a search was requested here."""
    search = find_search(connection, number)
    if search is not None:
        connection.execute(
            "UPDATE search SET signature = ? WHERE number = ?",
            [sign(signed_content(search)), number],
        )


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


def refuse_while_searching(connection: Connection, number: int | None = None) -> None:
    """Raise a ParameterError if a search waits or runs: the one with this number, or any."""
    only, values = ("", []) if number is None else (" AND number = ?", [number])
    if connection.execute(f"SELECT 1 FROM search WHERE {_BUSY}{only}", values).fetchone():  # noqa: S608
        raise ParameterError("app.search_running")
