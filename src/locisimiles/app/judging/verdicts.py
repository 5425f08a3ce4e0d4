"""Verdicts of readers, and decisions between them: given, undone, compared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from locisimiles.app.judging.agreement import compare_judgements
from locisimiles.app.storage.tables.blindness import (
    is_independent,
    read_blindness,
    rename_blindness,
    switch_blindness,
)
from locisimiles.app.storage.tables.judgements import (
    Renamed,
    StoredJudgement,
    count_judgements,
    find_decision,
    find_judgement,
    now,
    put_judgement,
    read_decisions,
    read_judgements,
    redo_judgement,
    rename_reader,
    undo_judgement,
)
from locisimiles.checks import check_choice
from locisimiles.errors import ParameterError
from locisimiles.results import Verdict

if TYPE_CHECKING:
    from locisimiles.app.judging.agreement import ReaderComparison
    from locisimiles.app.projects.project import Project

__all__ = ["VERDICTS", "Judging", "Renamed", "StoredJudgement", "check_judgement"]

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_LONGEST_NOTE = 20_000
_LONGEST_NAME = 100
_UNCHANGED: object = object()


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
        check_judgement(reader, None if verdict is _UNCHANGED else verdict, note)
        with self._database.writing() as connection:
            before = find_judgement(connection, query_id, source_id, reader)
            after = _changed(before, verdict, note)
            independent = is_independent(connection, before, after.verdict)
            return put_judgement(
                connection, before, replace(after, independent=independent), continues=continues
            )

    def decide(
        self,
        query_id: str,
        source_id: str,
        *,
        reader: str,
        verdict: object = _UNCHANGED,
        note: str | None = None,
        continues: bool = False,
    ) -> StoredJudgement:
        """Decide between readers, as a named reader; None withdraws the decision.

        The decision overrides the verdicts of all readers, which stay as they are.
        """
        check_judgement(reader, None if verdict is _UNCHANGED else verdict, note)
        if not reader:
            raise ParameterError("app.nameless_decision")
        with self._database.writing() as connection:
            if read_blindness(connection, reader).on:
                raise ParameterError("app.blind")
            before = find_decision(connection, query_id, source_id)
            after = replace(_changed(before, verdict, note), reader=reader)
            return put_judgement(connection, before, after, continues=continues)

    def find(self, query_id: str, source_id: str, *, reader: str) -> StoredJudgement:
        """Return what a reader decided about a pair; without a verdict if nothing yet."""
        with self._database.reading() as connection:
            return find_judgement(connection, query_id, source_id, reader)

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

    def decisions(self) -> list[StoredJudgement]:
        """Return the decisions between readers, the oldest first."""
        with self._database.reading() as connection:
            return read_decisions(connection)

    def count(self, reader: str) -> int:
        """Return the number of a reader's judgements."""
        with self._database.reading() as connection:
            return count_judgements(connection, reader)

    def rename(self, old: str, new: str) -> Renamed:
        """Give a reader's judgements another name; the old one may be empty.

        Where both have judged a pair, both judgements stay.
        """
        check_judgement(new, None, None)
        with self._database.writing() as connection:
            rename_blindness(connection, old, new)
            return rename_reader(connection, old, new)

    def is_blind(self, reader: str) -> bool:
        """Tell whether a reader sees nothing of what other readers said."""
        with self._database.reading() as connection:
            return read_blindness(connection, reader).on

    def set_blind(self, reader: str, *, on: bool) -> None:
        """Hide from a reader what other readers say, or show it again."""
        with self._database.writing() as connection:
            switch_blindness(connection, reader, on=on)

    def agreement(self) -> list[ReaderComparison]:
        """Compare every two readers; unsure is a verdict like the others."""
        return compare_judgements(self.all())


def _changed(before: StoredJudgement, verdict: object, note: str | None) -> StoredJudgement:
    return replace(
        before,
        verdict=before.verdict if verdict is _UNCHANGED else verdict,  # type: ignore[arg-type]
        note=before.note if note is None else note,
        time=now(),
    )


def check_judgement(reader: str, verdict: object, note: str | None) -> None:
    """Check that a judgement can be stored, or raise a ParameterError."""
    if verdict is not None:
        check_choice(VERDICTS, verdict=verdict)
    if note is not None and len(note) > _LONGEST_NOTE:
        raise ParameterError("app.note_too_long", most=_LONGEST_NOTE)
    if len(reader) > _LONGEST_NAME:
        raise ParameterError("app.reader_name_too_long", most=_LONGEST_NAME)
