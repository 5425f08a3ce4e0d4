"""Verdicts of readers: written at once, undone one by one, compared, exchanged."""

from __future__ import annotations

import io
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, get_args

from locisimiles.app.judging.agreement import compare_readers
from locisimiles.app.projects.project import now
from locisimiles.errors import InputError, ParameterError
from locisimiles.export import read_judgements
from locisimiles.export.delimited import guard, write_table
from locisimiles.export.judgements import Verdict

if TYPE_CHECKING:
    from locisimiles.app.judging.agreement import Agreement
    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Connection

__all__ = ["VERDICTS", "Imported", "Judging", "StoredJudgement"]

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_LONGEST_NOTE = 20_000
_LONGEST_NAME = 100
_SPREADSHEETS = (".csv", ".tsv", ".xlsx")  # where an apostrophe may guard a cell
_KEPT: object = object()


class StoredJudgement(NamedTuple):
    """What a reader decided about a pair, and when; a note may stand without a verdict."""

    query_id: str
    source_id: str
    verdict: Verdict | None
    reader: str
    note: str
    time: float


class Imported(NamedTuple):
    """What became of a table of judgements: how many are new, changed, or were there already."""

    new: int
    changed: int
    same: int


class Judging:
    """The judgements of a project.

    Parameters
    ----------
    project
        Whose judgements.
    """

    def __init__(self, project: Project) -> None:
        self._database = project.database

    def judge(
        self,
        query_id: str,
        source_id: str,
        *,
        reader: str,
        verdict: object = _KEPT,
        note: str | None = None,
    ) -> StoredJudgement:
        """Keep a verdict, a note, or both; what is not given stays as it was.

        Parameters
        ----------
        query_id, source_id
            The pair.
        reader
            Who decides.
        verdict
            One of `VERDICTS`; None takes it back.
        note
            What the reader has to say.

        Raises
        ------
        ParameterError
            If there is no such verdict, or the note is too long.
        """
        _check(reader, verdict, note)
        with self._database.writing() as connection:
            before = _current(connection, query_id, source_id, reader)
            after = StoredJudgement(
                query_id,
                source_id,
                before.verdict if verdict is _KEPT else verdict,  # type: ignore[arg-type]
                reader,
                before.note if note is None else note,
                now(),
            )
            _log(connection, before, after)
            _put(connection, after)
        return after

    def undo(self, reader: str) -> StoredJudgement | None:
        """Take back what a reader did last; return the pair as it is then, or None."""
        with self._database.writing() as connection:
            last = connection.execute(
                "SELECT * FROM judgement_log WHERE reader = ? AND undone = 0 "
                "ORDER BY number DESC LIMIT 1",
                [reader],
            ).fetchone()
            if last is None:
                return None
            before = StoredJudgement(
                last["query_id"], last["source_id"], last["old_verdict"], reader, last["old_note"],
                now(),
            )  # fmt: skip
            connection.execute(
                "UPDATE judgement_log SET undone = 1 WHERE number = ?", [last["number"]]
            )
            _put(connection, before)
        return before

    def all(self, reader: str | None = None) -> list[StoredJudgement]:
        """Return the judgements of one reader or of all, the oldest first."""
        where, values = ("WHERE reader = ?", [reader]) if reader is not None else ("", [])
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT query_id, source_id, verdict, reader, note, time FROM judgement "  # noqa: S608
                f"{where} ORDER BY time, query_id, source_id, reader",
                values,
            ).fetchall()
        return [StoredJudgement(*row) for row in rows]

    def readers(self) -> list[str]:
        """Return who has judged something."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT DISTINCT reader FROM judgement ORDER BY reader")
            return [row[0] for row in rows]

    def agreement(self) -> list[Agreement]:
        """Compare every two readers; pairs that one of them is unsure of count, too."""
        verdicts: dict[str, dict[tuple[str, str], str]] = {}
        for one in self.all():
            if one.verdict is not None:
                verdicts.setdefault(one.reader, {})[one.query_id, one.source_id] = one.verdict
        return compare_readers(verdicts)

    def import_file(self, name: str, content: bytes, *, reader: str) -> Imported:
        """Take over a table of judgements; those without a reader's name become the reader's.

        Raises
        ------
        InputError
            If it cannot be read; then nothing is taken over.
        """
        suffix = Path(name).suffix
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"table{suffix}"
            path.write_bytes(content)
            try:
                table = read_judgements(path, guarded=suffix.lower() in _SPREADSHEETS)
            except InputError as error:
                error.file = Path(name).name
                raise
        counts = {"new": 0, "changed": 0, "same": 0}
        with self._database.writing() as connection:
            for one in table:
                name_of = one.reader or reader
                _check(name_of, one.verdict, one.note)
                before = _current(connection, one.query_id, one.source_id, name_of)
                after = before._replace(verdict=one.verdict, note=one.note or before.note)
                if after == before:
                    counts["same"] += 1
                    continue
                counts["new" if before.verdict is None else "changed"] += 1
                after = after._replace(time=now())
                _log(connection, before, after)
                _put(connection, after)
        return Imported(**counts)

    def export_csv(self, reader: str | None = None) -> str:
        """Write judgements as a table that `import_file` reads.

        No cell of it can be taken for a formula by a spreadsheet program.
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
    if verdict is not _KEPT and verdict is not None and verdict not in VERDICTS:
        raise ParameterError(f"{verdict!r} is no verdict", hint=f"use one of {', '.join(VERDICTS)}")
    if note is not None and len(note) > _LONGEST_NOTE:
        raise ParameterError(f"the note is longer than {_LONGEST_NOTE:,} characters")
    if len(reader) > _LONGEST_NAME:
        raise ParameterError(f"the name of the reader is longer than {_LONGEST_NAME} characters")


def _current(connection: Connection, query_id: str, source_id: str, reader: str) -> StoredJudgement:
    row = connection.execute(
        "SELECT query_id, source_id, verdict, reader, note, time FROM judgement "
        "WHERE query_id = ? AND source_id = ? AND reader = ?",
        [query_id, source_id, reader],
    ).fetchone()
    return (
        StoredJudgement(*row) if row else StoredJudgement(query_id, source_id, None, reader, "", 0)
    )


def _log(connection: Connection, before: StoredJudgement, after: StoredJudgement) -> None:
    connection.execute(
        "INSERT INTO judgement_log (time, reader, query_id, source_id, old_verdict, old_note, "
        "verdict, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [after.time, after.reader, after.query_id, after.source_id, before.verdict, before.note,
         after.verdict, after.note],
    )  # fmt: skip


def _put(connection: Connection, one: StoredJudgement) -> None:
    if one.verdict is None and not one.note:
        connection.execute(
            "DELETE FROM judgement WHERE query_id = ? AND source_id = ? AND reader = ?",
            [one.query_id, one.source_id, one.reader],
        )
        return
    connection.execute(
        "INSERT INTO judgement (query_id, source_id, reader, verdict, note, time) "
        "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (query_id, source_id, reader) "
        "DO UPDATE SET verdict = excluded.verdict, note = excluded.note, time = excluded.time",
        [one.query_id, one.source_id, one.reader, one.verdict, one.note, one.time],
    )
