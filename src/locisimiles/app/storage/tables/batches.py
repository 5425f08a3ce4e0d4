"""Verdicts on many pairs at once: counted, written and undone by the database itself.

A batch is part of the log of judgements. Its rows have its number, so they are undone as one, and
nothing is held in memory, however many pairs there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.app.storage.database import Connection, Row

__all__ = [
    "LISTED_PAIRS", "BatchChange", "BatchCount", "Pairs", "count_batch", "give_up_undone",
    "put_batch", "restore_batch",
]  # fmt: skip

_OF_BATCH = "batch = ? AND batch > 0 AND reader = ?"  # as the index of batches wants it
_BEFORE = (
    "LEFT JOIN judgement earlier ON earlier.query_id = chosen.query_id "
    "AND earlier.source_id = chosen.source_id AND earlier.reader = ?"
)
_KNEW_NOTHING = (
    "NOT EXISTS (SELECT 1 FROM judgement_log other WHERE other.query_id = chosen.query_id "
    "AND other.source_id = chosen.source_id AND other.reader != ? AND other.undone = 0 "
    "AND other.time <= ?)"
)
LISTED_PAIRS = (
    "SELECT value ->> 0 AS query_id, value ->> 1 AS source_id, "
    "CAST(value ->> 2 AS BIGINT) AS place FROM json_each(?)"
)
"""Selects pairs that are given as JSON: an array of arrays of two ids and a place."""


class Pairs(NamedTuple):
    """A statement that selects pairs: ``query_id``, ``source_id``, and their ``place`` in order."""

    sql: str
    values: Sequence[object]


class BatchCount(NamedTuple):
    """How many pairs a batch has, and what it changes; what is equal stays as it is."""

    chosen: int
    changed: int
    replaced_verdicts: int
    replaced_notes: int


@dataclass(frozen=True, slots=True)
class BatchChange:
    """What a reader says of many pairs.

    Attributes
    ----------
    verdict
        None withdraws verdicts.
    keeps_verdicts
        Whether there is only a note.
    note
        Replaces notes, unless it is None.
    time
        When the reader says it.
    known_until
        What others have said by then is known to the reader.
    """

    reader: str
    verdict: str | None
    keeps_verdicts: bool
    note: str | None
    time: float
    known_until: float

    def replaces_verdict(self) -> Pairs:
        """Return the condition that an earlier verdict is replaced."""
        if self.keeps_verdicts:
            return Pairs("1 = 0", [])
        if self.verdict is None:
            return Pairs("earlier.verdict IS NOT NULL", [])
        return Pairs("earlier.verdict != ?", [self.verdict])

    def replaces_note(self) -> Pairs:
        """Return the condition that an earlier note is replaced."""
        if self.note is None:
            return Pairs("1 = 0", [])
        return Pairs("(earlier.note != '' AND earlier.note != ?)", [self.note])

    def changes(self) -> Pairs:
        """Return the condition that anything changes."""
        conditions, values = ["1 = 0"], list[object]()
        if not self.keeps_verdicts:
            conditions.append("COALESCE(earlier.verdict, '') != ?")
            values.append(self.verdict or "")
        if self.note is not None:
            conditions.append("COALESCE(earlier.note, '') != ?")
            values.append(self.note)
        return Pairs(f"({' OR '.join(conditions)})", values)

    def independence(self) -> Pairs:
        """Return whether the new verdict is given without knowing what others say.

        `locisimiles.app.storage.tables.blindness.is_independent` says the same of one pair.
        """
        if self.keeps_verdicts:
            return Pairs("COALESCE(earlier.independent, 0)", [])
        if self.verdict is None:
            return Pairs("0", [])
        return Pairs(
            "CASE WHEN earlier.verdict = ? THEN earlier.independent "
            "WHEN earlier.verdict IS NOT NULL AND earlier.independent = 0 THEN 0 "
            f"WHEN {_KNEW_NOTHING} THEN 1 ELSE 0 END",
            [self.verdict, self.reader, self.known_until],
        )

    def after(self) -> Pairs:
        """Return verdict and note as they are then."""
        verdict = "earlier.verdict" if self.keeps_verdicts else "CAST(? AS TEXT)"
        note = "COALESCE(earlier.note, '')" if self.note is None else "CAST(? AS TEXT)"
        values = [] if self.keeps_verdicts else [self.verdict]
        return Pairs(f"{verdict}, {note}", values + ([] if self.note is None else [self.note]))


def give_up_undone(connection: Connection, reader: str) -> None:
    """Give up what a reader has undone, since a change follows: it can no longer be redone.

    The log keeps it with another mark. A later undoing must not bring it back.
    """
    connection.execute(
        "UPDATE judgement_log SET undone = 2 WHERE reader = ? AND undone = 1", [reader]
    )


def count_batch(connection: Connection, pairs: Pairs, change: BatchChange) -> BatchCount:
    """Return what a batch would change."""
    conditions = (change.changes(), change.replaces_verdict(), change.replaces_note())
    counts = ", ".join(f"COUNT(CASE WHEN {one.sql} THEN 1 END)" for one in conditions)
    values = [value for one in conditions for value in one.values]
    found = connection.execute(
        f"SELECT COUNT(*), {counts} FROM ({pairs.sql}) AS chosen {_BEFORE}",  # noqa: S608 - ours
        [*values, *pairs.values, change.reader],
    )
    return BatchCount(*found.fetchone())


def put_batch(connection: Connection, pairs: Pairs, change: BatchChange) -> BatchCount:
    """Replace judgements, and log what they were before, as one step."""
    count = count_batch(connection, pairs, change)
    if not count.changed:
        return count
    batch = connection.execute(
        "SELECT COALESCE(MAX(batch), 0) + 1 FROM judgement_log WHERE batch > 0"
    ).fetchone()[0]
    give_up_undone(connection, change.reader)
    after, independent, changes = change.after(), change.independence(), change.changes()
    connection.execute(
        "INSERT INTO judgement_log (batch, time, reader, query_id, source_id, old_verdict, "  # noqa: S608
        "old_note, old_time, old_independent, old_reader, verdict, note, independent, adjudicated) "
        "SELECT ?, ?, CAST(? AS TEXT), chosen.query_id, chosen.source_id, earlier.verdict, "
        "COALESCE(earlier.note, ''), COALESCE(earlier.time, 0), COALESCE(earlier.independent, 0), "
        f"CAST(? AS TEXT), {after.sql}, {independent.sql}, 0 "
        f"FROM ({pairs.sql}) AS chosen {_BEFORE} WHERE {changes.sql} ORDER BY chosen.place",
        [
            *(batch, change.time, change.reader, change.reader, *after.values),
            *(*independent.values, *pairs.values, change.reader, *changes.values),
        ],
    )
    _write(connection, batch, change.reader, old="")
    return count


def restore_batch(connection: Connection, batch: int, reader: str, *, undone: bool) -> Row:
    """Write judgements as they were before a batch, or after it; return its first logged row."""
    connection.execute(
        f"UPDATE judgement_log SET undone = ? WHERE {_OF_BATCH}",  # noqa: S608 - ours
        [int(undone), batch, reader],
    )
    _write(connection, batch, reader, old="old_" if undone else "")
    first: Row = connection.execute(
        f"SELECT * FROM judgement_log WHERE {_OF_BATCH} ORDER BY number LIMIT 1",  # noqa: S608
        [batch, reader],
    ).fetchone()
    return first


def _write(connection: Connection, batch: int, reader: str, *, old: str) -> None:
    empty = f"({old}verdict IS NULL AND {old}note = '')"
    connection.execute(
        "DELETE FROM judgement WHERE reader = ? AND (query_id, source_id) IN "  # noqa: S608 - ours
        f"(SELECT query_id, source_id FROM judgement_log WHERE {_OF_BATCH} AND {empty})",
        [reader, batch, reader],
    )
    changed = ("verdict", "note", "time", "independent")
    columns = ", ".join(f"{old}{name}" for name in changed)
    connection.execute(
        f"INSERT INTO judgement (query_id, source_id, reader, {', '.join(changed)}) "  # noqa: S608
        f"SELECT query_id, source_id, reader, {columns} FROM judgement_log "
        f"WHERE {_OF_BATCH} AND NOT {empty} ON CONFLICT (query_id, source_id, reader) DO UPDATE "
        f"SET {', '.join(f'{name} = excluded.{name}' for name in changed)}",
        [batch, reader],
    )
