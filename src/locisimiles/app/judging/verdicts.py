"""Verdicts of readers: given, undone, compared, imported and exported."""

from __future__ import annotations

import io
import tempfile
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, get_args

from locisimiles.app.judging.agreement import compare_readers
from locisimiles.app.storage.tables.judgements import (
    StoredJudgement,
    find_judgement,
    put_judgement,
    read_judgements,
    redo_judgement,
    undo_judgement,
)
from locisimiles.checks import check_choice
from locisimiles.errors import InputError, ParameterError
from locisimiles.export import read_judgements as read_judgement_file
from locisimiles.export.delimited import guard, write_table
from locisimiles.results import Verdict

if TYPE_CHECKING:
    from locisimiles.app.judging.agreement import Agreement
    from locisimiles.app.projects.project import Project

__all__ = ["VERDICTS", "Imported", "Judging", "StoredJudgement"]

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_LONGEST_NOTE = 20_000
_LONGEST_NAME = 100
_SPREADSHEETS = (".csv", ".tsv", ".xlsx")  # where an apostrophe may guard a cell
_UNCHANGED: object = object()


class Imported(NamedTuple):
    """What an imported table brought: new, changed and known judgements."""

    new: int
    changed: int
    same: int


class Judging:
    """The judgements of a project."""

    def __init__(self, project: Project) -> None:
        self._database = project.database

    def judge(
        self,
        query_id: str,
        source_id: str,
        *,
        reader: str,
        verdict: object = _UNCHANGED,
        note: str | None = None,
        continues: bool = False,
    ) -> StoredJudgement:
        """Store a verdict, a note, or both; None removes a verdict, and what is not given stays.

        A note that `continues` the one that the reader has just written is undone with it.
        """
        _check(reader, verdict, note)
        with self._database.writing() as connection:
            before = find_judgement(connection, query_id, source_id, reader)
            return put_judgement(
                connection,
                before,
                verdict=before.verdict if verdict is _UNCHANGED else verdict,  # type: ignore[arg-type]
                note=before.note if note is None else note,
                continues=continues,
            )

    def undo(self, reader: str) -> StoredJudgement | None:
        """Undo the reader's last change; return the judgement as it is then, or None."""
        with self._database.writing() as connection:
            return undo_judgement(connection, reader)

    def redo(self, reader: str) -> StoredJudgement | None:
        """Redo what the reader undid last; None if a change followed, or nothing was undone."""
        with self._database.writing() as connection:
            return redo_judgement(connection, reader)

    def all(self, reader: str | None = None) -> list[StoredJudgement]:
        """Return the judgements of one reader or of all, the oldest first."""
        with self._database.reading() as connection:
            return read_judgements(connection, reader)

    def agreement(self) -> list[Agreement]:
        """Compare every two readers; unsure is a verdict like the others."""
        verdicts: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
        for one in self.all():
            if one.verdict is not None:
                verdicts[one.reader][one.query_id, one.source_id] = one.verdict
        return compare_readers(verdicts)

    def import_file(self, name: str, content: bytes, *, reader: str) -> Imported:
        """Import a table as a whole; judgements without a reader become the reader's."""
        suffix = Path(name).suffix
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"table{suffix}"
            path.write_bytes(content)
            try:
                table = read_judgement_file(path, guarded=suffix.lower() in _SPREADSHEETS)
            except InputError as error:
                error.file = Path(name).name
                raise
        counts = {"new": 0, "changed": 0, "same": 0}
        with self._database.writing() as connection:
            for one in table:
                owner = one.reader or reader
                _check(owner, one.verdict, one.note)
                before = find_judgement(connection, one.query_id, one.source_id, owner)
                note = one.note or before.note
                if (one.verdict, note) == (before.verdict, before.note):
                    counts["same"] += 1
                    continue
                counts["new" if before.verdict is None else "changed"] += 1
                put_judgement(connection, before, verdict=one.verdict, note=note)
        return Imported(**counts)

    def export_csv(self, reader: str | None = None) -> str:
        """Return judgements as a table that `import_file` reads.

        Spreadsheet programs cannot take a cell of it for a formula.
        """
        rows = (
            [*map(guard, (one.query_id, one.source_id, one.verdict or "", one.reader, one.note)),
             datetime.fromtimestamp(one.time, UTC).isoformat(timespec="seconds")]
            for one in self.all(reader)
        )  # fmt: skip
        stream = io.StringIO(newline="")
        header = ["query_id", "source_id", "verdict", "reader", "note", "time"]
        write_table(stream, header, rows, delimiter=",")
        return stream.getvalue()


def _check(reader: str, verdict: object, note: str | None) -> None:
    if verdict is not _UNCHANGED and verdict is not None:
        check_choice(VERDICTS, verdict=verdict)
    if note is not None and len(note) > _LONGEST_NOTE:
        raise ParameterError("app.note_too_long", most=_LONGEST_NOTE)
    if len(reader) > _LONGEST_NAME:
        raise ParameterError("app.reader_name_too_long", most=_LONGEST_NAME)
