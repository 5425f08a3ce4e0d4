"""Judgements as tables: exported whole, and imported without losing anything newer."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from locisimiles.app.judging.times import read_time, written_time
from locisimiles.app.judging.verdicts import StoredJudgement, check_judgement
from locisimiles.app.storage.tables.judgements import (
    find_decision,
    find_judgement,
    now,
    put_judgement,
    read_decisions,
    read_judgements,
)
from locisimiles.checks import check_choice
from locisimiles.errors import InputError
from locisimiles.export import JUDGEMENT_SUFFIXES, Judgement, write_judgements
from locisimiles.export import read_judgements as read_judgement_file
from locisimiles.files.confined import confined
from locisimiles.files.limits import current_limits

if TYPE_CHECKING:
    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Connection

__all__ = ["JUDGEMENT_SUFFIXES", "Imported", "export_judgements", "import_judgements"]

_SPREADSHEETS = (".csv", ".tsv", ".xlsx")  # where an apostrophe may guard a cell


class Imported(NamedTuple):
    """What an imported table brought: new, changed and known judgements, and older ones."""

    new: int
    changed: int
    same: int
    kept: int  # where the project has a newer judgement


def export_judgements(project: Project, suffix: str, reader: str | None = None) -> bytes:
    """Return judgements and decisions as a table that `import_judgements` reads.

    With a `reader`, only what this reader said. Spreadsheet programs cannot take a cell for a
    formula.
    """
    check_choice(JUDGEMENT_SUFFIXES, format=suffix)
    with project.database.reading() as connection:
        stored = [*read_judgements(connection, reader), *read_decisions(connection)]
    listed = (
        Judgement(
            one.query_id,
            one.source_id,
            one.verdict,
            one.reader,
            one.note,
            written_time(one.time),
            one.independent,
            one.adjudicated,
        )
        for one in stored
        if reader in (None, one.reader)
    )
    return write_judgements(listed, suffix)


def import_judgements(project: Project, name: str, content: bytes, *, reader: str) -> Imported:
    """Import a table as a whole, or nothing of it; return what it brought.

    If the table has no column ``reader``, its judgements become the reader's. Of a judgement in the
    table and one in the project, the newer counts; if the table has no date, that of the table.
    """
    table = _read(name, content, reader)
    counts = dict.fromkeys(Imported._fields, 0)
    with project.database.writing() as connection:
        for one in table:
            check_judgement(one.reader, one.verdict, one.note)
            counts[_import(connection, one)] += 1
    return Imported(**counts)


def _read(name: str, content: bytes, reader: str) -> tuple[Judgement, ...]:
    suffix = Path(name).suffix
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table{suffix}"
        path.write_bytes(content)
        try:
            guarded = suffix.lower() in _SPREADSHEETS
            limits = current_limits()
            return confined(
                read_judgement_file,
                path,
                guarded=guarded,
                reader=reader,
                limits=limits,
                file=path.name,
            )
        except InputError as error:
            error.file = Path(name).name
            raise


def _import(connection: Connection, one: Judgement) -> Literal["new", "changed", "same", "kept"]:
    pair = one.query_id, one.source_id
    before = (
        find_decision(connection, *pair)
        if one.adjudicated
        else find_judgement(connection, *pair, one.reader)
    )
    after = _merged(before, one)
    if (after.verdict, after.note, after.reader) == (before.verdict, before.note, before.reader):
        return "same"
    if before.time > after.time:
        return "kept"
    put_judgement(connection, before, after)
    return "changed" if before.verdict is not None or before.note else "new"


def _merged(before: StoredJudgement, one: Judgement) -> StoredJudgement:
    """Return a judgement of a table as it would be stored; without a date it adds to the old."""
    when = read_time(one.date)
    merges = when is None
    return replace(
        before,
        verdict=one.verdict or (before.verdict if merges else None),
        note=one.note or (before.note if merges else ""),
        reader=one.reader,
        time=now() if when is None else when,
        independent=one.independent and one.verdict is not None,
    )
