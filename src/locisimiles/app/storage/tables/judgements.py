"""Judgements of readers, and the log that undo reads."""

from __future__ import annotations

import time
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from locisimiles.app.storage.database import Connection, Row

__all__ = [
    "StoredJudgement",
    "find_judgement",
    "judgement_revision",
    "judgements_of_pair",
    "put_judgement",
    "read_judgements",
    "redo_judgement",
    "undo_judgement",
]

Verdict = Literal["cit.", "cf.", "reject", "unsure"]

_COLUMNS = "query_id, source_id, verdict, reader, note, time"
_ONE = "query_id = ? AND source_id = ? AND reader = ?"


@dataclass(frozen=True, slots=True)
class StoredJudgement:
    """A reader's verdict on a pair; a note may stand without a verdict."""

    query_id: str
    source_id: str
    verdict: Verdict | None
    reader: str
    note: str
    time: float


def read_judgements(connection: Connection, reader: str | None = None) -> list[StoredJudgement]:
    """Return the judgements of one reader or of all, the oldest first."""
    where, values = ("WHERE reader = ?", [reader]) if reader is not None else ("", [])
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM judgement {where} "  # noqa: S608 - all ours
        "ORDER BY time, query_id, source_id, reader",
        values,
    )
    return [StoredJudgement(*row) for row in rows]


def find_judgement(
    connection: Connection, query_id: str, source_id: str, reader: str
) -> StoredJudgement:
    """Return what a reader decided about a pair; without a verdict if nothing yet."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM judgement WHERE {_ONE}",  # noqa: S608 - all ours
        [query_id, source_id, reader],
    ).fetchone()
    return StoredJudgement(*(row or (query_id, source_id, None, reader, "", 0.0)))


def judgements_of_pair(
    connection: Connection, query_id: str, source_id: str, *, without: str
) -> list[Row]:
    """Return what other readers decided about a pair: reader, verdict, note."""
    return connection.execute(
        "SELECT reader, verdict, note FROM judgement WHERE query_id = ? AND source_id = ? "
        "AND reader != ? ORDER BY reader",
        [query_id, source_id, without],
    ).fetchall()


def put_judgement(
    connection: Connection,
    before: StoredJudgement,
    *,
    verdict: Verdict | None,
    note: str,
    continues: bool = False,
) -> StoredJudgement:
    """Replace a judgement, and log what it was before.

    If it `continues` the reader's last change, which was a note on the same pair, both are one.
    """
    after = replace(before, verdict=verdict, note=note, time=time.time())
    last = _last_change(connection, before.reader) if continues else None
    if last is not None and (last["query_id"], last["source_id"], last["verdict"]) == (
        before.query_id, before.source_id, before.verdict,
    ) and last["old_verdict"] == verdict:  # fmt: skip
        before = replace(before, note=last["old_note"])
    else:
        last = None
    connection.execute(
        "INSERT INTO judgement_log (time, reader, query_id, source_id, old_verdict, old_note, "
        "verdict, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [after.time, after.reader, after.query_id, after.source_id, before.verdict, before.note,
         verdict, note],
    )  # fmt: skip
    if last is not None:  # only now, so that the new change has a higher number
        connection.execute("DELETE FROM judgement_log WHERE number = ?", [last["number"]])
    _write(connection, after)
    return after


def undo_judgement(connection: Connection, reader: str) -> StoredJudgement | None:
    """Undo the last change of a reader; return the judgement as it is then, None if no change."""
    last = _last_change(connection, reader)
    if last is None:
        return None
    connection.execute("UPDATE judgement_log SET undone = 1 WHERE number = ?", [last["number"]])
    before = StoredJudgement(
        last["query_id"], last["source_id"], last["old_verdict"], reader, last["old_note"],
        time.time(),
    )  # fmt: skip
    _write(connection, before)
    return before


def redo_judgement(connection: Connection, reader: str) -> StoredJudgement | None:
    """Redo what a reader undid last; None if nothing was undone since the last change."""
    last = _last_change(connection, reader)
    undone = connection.execute(
        "SELECT * FROM judgement_log WHERE reader = ? AND undone = 1 AND number > ? "
        "ORDER BY number LIMIT 1",
        [reader, 0 if last is None else last["number"]],
    ).fetchone()
    if undone is None:
        return None
    connection.execute("UPDATE judgement_log SET undone = 0 WHERE number = ?", [undone["number"]])
    after = StoredJudgement(
        undone["query_id"], undone["source_id"], undone["verdict"], reader, undone["note"],
        time.time(),
    )  # fmt: skip
    _write(connection, after)
    return after


def _last_change(connection: Connection, reader: str) -> Row | None:
    last: Row | None = connection.execute(
        "SELECT * FROM judgement_log WHERE reader = ? AND undone = 0 ORDER BY number DESC LIMIT 1",
        [reader],
    ).fetchone()
    return last


def judgement_revision(connection: Connection) -> tuple[int, int]:
    """Return two numbers that change when a reader judges or undoes."""
    newest, undone = connection.execute(
        "SELECT COALESCE(MAX(number), 0), COUNT(CASE WHEN undone = 1 THEN 1 END) FROM judgement_log"
    ).fetchone()
    return newest, undone


def _write(connection: Connection, one: StoredJudgement) -> None:
    if one.verdict is None and not one.note:
        connection.execute(
            f"DELETE FROM judgement WHERE {_ONE}",  # noqa: S608 - ours
            [one.query_id, one.source_id, one.reader],
        )
        return
    connection.execute(
        f"INSERT INTO judgement ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) "  # noqa: S608 - ours
        "ON CONFLICT (query_id, source_id, reader) "
        "DO UPDATE SET verdict = excluded.verdict, note = excluded.note, time = excluded.time",
        astuple(one),
    )
