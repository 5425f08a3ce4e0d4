"""Which readers work blind, and what they may have seen before."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.storage.stored_values import stored_value
from locisimiles.app.storage.tables.judgements import first_change_by_others, now
from locisimiles.app.storage.tables.settings import read_setting, write_setting

if TYPE_CHECKING:
    from locisimiles.app.storage.database import Connection
    from locisimiles.app.storage.tables.judgements import StoredJudgement

__all__ = [
    "Blindness",
    "is_independent",
    "known_until",
    "read_blindness",
    "rename_blindness",
    "switch_blindness",
]

_SETTING = "blind:{reader}"


class Blindness(NamedTuple):
    """Whether a reader sees nothing of the others, and until when that was different."""

    on: bool = False
    seen_until: float = 0.0  # what others had judged by then may have been seen


def read_blindness(connection: Connection, reader: str) -> Blindness:
    """Return how a reader works; by default not blind."""
    stored = read_setting(connection, _SETTING.format(reader=reader))
    return _loaded(stored)


def known_until(connection: Connection, reader: str) -> float:
    """Return until when a reader may know what others have said; always if not blind."""
    blind = read_blindness(connection, reader)
    return blind.seen_until if blind.on else math.inf


def switch_blindness(connection: Connection, reader: str, *, on: bool) -> Blindness:
    """Switch blind mode on or off.

    A reader who begins with it has seen nothing. Who switches it on later may have seen everything
    that others had said by then.
    """
    name = _SETTING.format(reader=reader)
    stored = read_setting(connection, name)
    before = _loaded(stored)
    if before.on == on:
        return before
    began_open = not stored and _has_judged_openly(connection, reader)
    seen_until = now() if on and (stored or began_open) else before.seen_until
    after = Blindness(on, seen_until)
    write_setting(connection, name, json.dumps(after))
    return after


def rename_blindness(connection: Connection, old: str, new: str) -> None:
    """Let a reader with another name go on as before; before the judgements get that name.

    If the name is known here, its choice counts, but what the reader saw under the old name may
    have been seen.
    """
    name = _SETTING.format(reader=new)
    was, known = (
        read_setting(connection, _SETTING.format(reader=old)),
        read_setting(connection, name),
    )
    if not known:
        if was:
            write_setting(connection, name, was)
        return
    before, after = _loaded(was), _loaded(known)
    read_openly = not before.on and (was or _has_judged_openly(connection, old))
    seen_until = now() if read_openly else before.seen_until
    if seen_until > after.seen_until:
        write_setting(connection, name, json.dumps(Blindness(after.on, seen_until)))


def _loaded(stored: str) -> Blindness:
    with stored_value("blind"):
        on, seen_until = json.loads(stored) if stored else Blindness()
        return Blindness(bool(on), float(seen_until))


def _has_judged_openly(connection: Connection, reader: str) -> bool:
    found = connection.execute(
        "SELECT 1 FROM judgement WHERE reader = ? AND verdict IS NOT NULL LIMIT 1", [reader]
    )
    return found.fetchone() is not None


def is_independent(connection: Connection, before: StoredJudgement, verdict: str | None) -> bool:
    """Tell whether a reader gives a verdict without knowing what others said of the pair.

    A verdict that was given with this knowledge does not become independent by a change.
    """
    if verdict is None:
        return False
    if verdict == before.verdict:
        return before.independent
    if before.verdict is not None and not before.independent:
        return False
    first = first_change_by_others(connection, before)
    return first is None or first > known_until(connection, before.reader)
