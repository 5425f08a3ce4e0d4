"""Judgements that get the name of another reader."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.storage.tables.judgements import (
    StoredJudgement,
    count_judgements,
    put_judgement,
    read_judgements,
)

if TYPE_CHECKING:
    from locisimiles.app.storage.database import Connection

__all__ = ["Renamed", "rename_reader"]


class Renamed(NamedTuple):
    """How many judgements got another name, and how many could not."""

    moved: int
    kept: int  # because the new name has judged the pair, too


def rename_reader(connection: Connection, old: str, new: str) -> Renamed:
    """Give a reader's judgements another name, and what can be undone of them.

    Nothing is overwritten: where the new name has judged the pair, both judgements stay.
    """
    if old == new:
        return Renamed(0, 0)
    before = count_judgements(connection, old)
    taken_up = _judgements_withdrawn_by(connection, old, new)
    for table, known in (
        # What the new name can undo of a pair must not come after the judgement it takes over.
        ("judgement_log", "judgement_log WHERE reader = ? AND adjudicated = 0"),
        ("judgement", "judgement WHERE reader = ?"),
    ):
        only = " AND adjudicated = 0" if table == "judgement_log" else ""
        connection.execute(
            f"UPDATE {table} SET reader = ? WHERE reader = ?{only} "  # noqa: S608 - all ours
            f"AND (query_id, source_id) NOT IN (SELECT query_id, source_id FROM {known})",
            [new, old, new],
        )
    for one in taken_up:
        nothing = replace(one, reader=new, verdict=None, note="", time=0.0, independent=False)
        put_judgement(connection, nothing, replace(one, reader=new))
    for column in ("reader", "old_reader"):
        connection.execute(
            f"UPDATE judgement_log SET {column} = ? WHERE {column} = ? AND adjudicated = 1",  # noqa: S608
            [new, old],
        )
    connection.execute("UPDATE decision SET reader = ? WHERE reader = ?", [new, old])
    kept = count_judgements(connection, old)
    return Renamed(before - kept, kept)


def _judgements_withdrawn_by(connection: Connection, old: str, new: str) -> list[StoredJudgement]:
    """Return judgements on pairs that the new name judged once, and has not judged now."""
    pairs = connection.execute(
        "SELECT DISTINCT query_id, source_id FROM judgement_log WHERE reader = ? "
        "AND adjudicated = 0 AND (query_id, source_id) NOT IN "
        "(SELECT query_id, source_id FROM judgement WHERE reader = ?)",
        [new, new],
    ).fetchall()
    withdrawn = {tuple(pair) for pair in pairs}
    given = read_judgements(connection, old)
    return [one for one in given if (one.query_id, one.source_id) in withdrawn]
