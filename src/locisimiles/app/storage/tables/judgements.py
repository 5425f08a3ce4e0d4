"""Judgements of readers, decisions between them, and the log that undo reads."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from locisimiles.app.storage.tables.batches import give_up_undone, restore_batch

if TYPE_CHECKING:
    from locisimiles.app.storage.database import Connection, Row

__all__ = [
    "StoredJudgement",
    "count_judgements",
    "find_decision",
    "find_judgement",
    "first_change_by_others",
    "judgement_revision",
    "judgements_of_pair",
    "now",
    "put_judgement",
    "read_decisions",
    "read_judgements",
    "readers_with_verdicts",
    "redo_judgement",
    "undo_judgement",
]

Verdict = Literal["cit.", "cf.", "reject", "unsure"]

_OF_DECISIONS = "query_id, source_id, verdict, reader, note, time"
_COLUMNS = f"{_OF_DECISIONS}, independent"
_PAIR = "query_id = ? AND source_id = ?"
_ONE = f"{_PAIR} AND reader = ?"
_OLDEST_FIRST = "ORDER BY time, query_id, source_id, reader"


@dataclass(frozen=True, slots=True)
class StoredJudgement:
    """A reader's verdict on a pair; a note may stand without a verdict.

    Attributes
    ----------
    independent
        Whether the reader could not know what others had said of the pair.
    adjudicated
        Whether it is the decision between readers, of which a pair has one at most.
    """

    query_id: str
    source_id: str
    verdict: Verdict | None
    reader: str
    note: str
    time: float
    independent: bool = False
    adjudicated: bool = False


def now() -> float:
    """Return the time to the microsecond, which is what tables can write."""
    return round(time.time(), 6)


def read_judgements(connection: Connection, reader: str | None = None) -> list[StoredJudgement]:
    """Return the judgements of one reader or of all, the oldest first."""
    where, values = ("WHERE reader = ?", [reader]) if reader is not None else ("", [])
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM judgement {where} {_OLDEST_FIRST}",  # noqa: S608 - all ours
        values,
    )
    return [_judgement(row) for row in rows]


def read_decisions(connection: Connection) -> list[StoredJudgement]:
    """Return the decisions between readers, the oldest first."""
    rows = connection.execute(f"SELECT {_OF_DECISIONS} FROM decision {_OLDEST_FIRST}")  # noqa: S608
    return [_decision(row) for row in rows]


def count_judgements(connection: Connection, reader: str) -> int:
    """Return the number of a reader's judgements."""
    found = connection.execute("SELECT COUNT(*) FROM judgement WHERE reader = ?", [reader])
    return int(found.fetchone()[0])


def readers_with_verdicts(connection: Connection) -> list[str]:
    """Return the names of all who have given a verdict; one of them may be empty."""
    rows = connection.execute(
        "SELECT DISTINCT reader FROM judgement WHERE verdict IS NOT NULL ORDER BY reader"
    )
    return [row[0] for row in rows]


def find_judgement(
    connection: Connection, query_id: str, source_id: str, reader: str
) -> StoredJudgement:
    """Return what a reader decided about a pair; without a verdict if nothing yet."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM judgement WHERE {_ONE}",  # noqa: S608 - all ours
        [query_id, source_id, reader],
    ).fetchone()
    return _judgement(row or (query_id, source_id, None, reader, "", 0.0, 0))


def find_decision(connection: Connection, query_id: str, source_id: str) -> StoredJudgement:
    """Return the decision on a pair; without a verdict if there is none."""
    row = connection.execute(
        f"SELECT {_OF_DECISIONS} FROM decision WHERE {_PAIR}",  # noqa: S608 - all ours
        [query_id, source_id],
    ).fetchone()
    return _decision(row or (query_id, source_id, None, "", "", 0.0))


def judgements_of_pair(
    connection: Connection, query_id: str, source_id: str
) -> list[StoredJudgement]:
    """Return what readers decided about a pair, by their names."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM judgement WHERE {_PAIR} ORDER BY reader",  # noqa: S608 - ours
        [query_id, source_id],
    )
    return [_judgement(row) for row in rows]


def first_change_by_others(connection: Connection, one: StoredJudgement) -> float | None:
    """Return when another reader first judged the pair; None if no other did.

    What was undone does not count, but what was withdrawn does.
    """
    row = connection.execute(
        f"SELECT MIN(time) FROM judgement_log WHERE {_PAIR} "  # noqa: S608 - ours
        "AND reader != ? AND undone = 0",
        [one.query_id, one.source_id, one.reader],
    ).fetchone()
    first: float | None = row[0]
    return first


def put_judgement(
    connection: Connection,
    before: StoredJudgement,
    after: StoredJudgement,
    *,
    continues: bool = False,
) -> StoredJudgement:
    """Replace a judgement, and log what it was before.

    If it `continues` the reader's last change, which was a note on the same pair, both are one.
    """
    last = _last_change(connection, after.reader) if continues else None
    if last is not None and _is_note_on(last, before, after):
        before = replace(
            before,
            note=last["old_note"],
            time=last["old_time"],
            reader=last["old_reader"] or before.reader,
        )
    else:
        last = None
    give_up_undone(connection, after.reader)
    connection.execute(
        "INSERT INTO judgement_log (time, reader, query_id, source_id, old_verdict, old_note, "
        "old_time, old_independent, old_reader, verdict, note, independent, adjudicated) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [after.time, after.reader, after.query_id, after.source_id, before.verdict, before.note,
         before.time, int(before.independent), before.reader, after.verdict, after.note,
         int(after.independent), int(after.adjudicated)],
    )  # fmt: skip
    if last is not None:  # only now, so that the new change has a higher number
        connection.execute("DELETE FROM judgement_log WHERE number = ?", [last["number"]])
    _write(connection, after)
    return after


def _is_note_on(last: Row, before: StoredJudgement, after: StoredJudgement) -> bool:
    """Tell whether a logged change was to the note of a judgement, which changes again."""
    return (
        last["query_id"], last["source_id"], last["verdict"], last["adjudicated"],
        last["old_verdict"], last["batch"],
    ) == (
        before.query_id, before.source_id, before.verdict, int(before.adjudicated), after.verdict,
        0,
    )  # fmt: skip


def undo_judgement(connection: Connection, reader: str) -> StoredJudgement | None:
    """Undo the last change of a reader; return the judgement as it is then, None if no change.

    A batch is undone as one; the judgement is then that of its first pair.
    """
    last = _last_change(connection, reader)
    return None if last is None else _restore(connection, last, undone=True)


def redo_judgement(connection: Connection, reader: str) -> StoredJudgement | None:
    """Redo what a reader undid last; None if nothing was undone since the last change."""
    last = _last_change(connection, reader)
    undone = connection.execute(
        "SELECT * FROM judgement_log WHERE reader = ? AND undone = 1 AND number > ? "
        "ORDER BY number LIMIT 1",
        [reader, 0 if last is None else last["number"]],
    ).fetchone()
    return None if undone is None else _restore(connection, undone, undone=False)


def _restore(connection: Connection, change: Row, *, undone: bool) -> StoredJudgement:
    """Write a judgement as it was before a logged change, or after it."""
    if change["batch"]:
        return _logged(
            restore_batch(connection, change["batch"], change["reader"], undone=undone),
            undone=undone,
        )
    connection.execute(
        "UPDATE judgement_log SET undone = ? WHERE number = ?", [int(undone), change["number"]]
    )
    one = _logged(change, undone=undone)
    _write(connection, one)
    return one


def _logged(change: Row, *, undone: bool) -> StoredJudgement:
    """Return a judgement as it was before a logged change, or after it."""
    old = "old_" if undone else ""
    adjudicated = bool(change["adjudicated"])
    return StoredJudgement(
        change["query_id"],
        change["source_id"],
        change[f"{old}verdict"],
        # Only a decision can have been that of somebody else.
        change[f"{old}reader"] if adjudicated else change["reader"],
        change[f"{old}note"],
        change[f"{old}time"] or now(),  # earlier versions did not log it
        bool(change[f"{old}independent"]),
        adjudicated,
    )


def _last_change(connection: Connection, reader: str) -> Row | None:
    last: Row | None = connection.execute(
        "SELECT * FROM judgement_log WHERE reader = ? AND undone = 0 ORDER BY number DESC LIMIT 1",
        [reader],
    ).fetchone()
    return last


def judgement_revision(connection: Connection) -> tuple[int, int]:
    """Return two numbers that change when a reader judges or undoes."""
    newest, undone = connection.execute(
        "SELECT (SELECT COALESCE(MAX(number), 0) FROM judgement_log), "
        "(SELECT COUNT(*) FROM judgement_log WHERE undone = 1)"
    ).fetchone()
    return newest, undone


def _decision(row: Row | tuple[object, ...]) -> StoredJudgement:
    return replace(StoredJudgement(*row), adjudicated=True)


def _judgement(row: Row | tuple[object, ...]) -> StoredJudgement:
    *values, independent = row
    return StoredJudgement(*values, independent=bool(independent))  # type: ignore[misc]


def _write(connection: Connection, one: StoredJudgement) -> None:
    values = [one.query_id, one.source_id, one.verdict, one.reader, one.note, one.time]
    if one.adjudicated:
        table, columns, key, pair = "decision", _OF_DECISIONS, "query_id, source_id", _PAIR
        changed = ("verdict", "reader", "note", "time")
    else:
        table, columns, pair = "judgement", _COLUMNS, _ONE
        key = "query_id, source_id, reader"
        changed = ("verdict", "note", "time", "independent")
        values.append(int(one.independent))
    if one.verdict is None and not one.note:
        found = [one.query_id, one.source_id, one.reader][: pair.count("?")]
        connection.execute(f"DELETE FROM {table} WHERE {pair}", found)  # noqa: S608 - ours
        return
    connection.execute(
        f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(values))}) "  # noqa: S608
        f"ON CONFLICT ({key}) DO UPDATE SET "
        + ", ".join(f"{name} = excluded.{name}" for name in changed),
        values,
    )
