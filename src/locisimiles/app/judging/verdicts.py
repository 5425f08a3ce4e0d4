"""Verdicts of readers, and decisions between them: given, undone, compared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, get_args

from locisimiles.app.judging.agreement import compare_judgements
from locisimiles.app.storage.tables.batches import (
    BatchChange,
    BatchCount,
    count_batch,
    put_batch,
)
from locisimiles.app.storage.tables.blindness import (
    is_independent,
    known_until,
    read_blindness,
    rename_blindness,
    switch_blindness,
)
from locisimiles.app.storage.tables.judgements import (
    StoredJudgement,
    count_judgements,
    find_decision,
    find_judgement,
    judgements_of_pair,
    now,
    put_judgement,
    read_decisions,
    read_judgements,
    readers_with_verdicts,
    redo_judgement,
    undo_judgement,
)
from locisimiles.app.storage.tables.renaming import Renamed, rename_reader
from locisimiles.app.storage.tables.results import ResultTable
from locisimiles.checks import check_choice
from locisimiles.errors import ParameterError
from locisimiles.results import Verdict

if TYPE_CHECKING:
    from locisimiles.app.judging.agreement import ReaderComparison
    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Connection
    from locisimiles.app.storage.tables.filters import ResultFilter

__all__ = [
    "VERDICTS",
    "BatchCount",
    "ChosenPairs",
    "Judging",
    "Renamed",
    "StoredJudgement",
    "check_judgement",
]

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_LONGEST_NOTE = 20_000
_LONGEST_NAME = 100
_UNCHANGED: object = object()


@dataclass(frozen=True, slots=True)
class ChosenPairs:
    """Pairs of a search: some rows of its results, or all that meet a filter but these rows.

    Without a number, it is the newest search that has results. Rows that it lacks are left out, and
    those that a running search has added after the row `until`.
    """

    rows: tuple[int, ...] = ()
    all_of: ResultFilter | None = None
    search: int | None = None
    until: int | None = None


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

    def judge_many(
        self,
        chosen: ChosenPairs,
        *,
        reader: str,
        verdict: object = _UNCHANGED,
        note: str | None = None,
        only_count: bool = False,
    ) -> BatchCount:
        """Store a verdict, a note, or both on many pairs, as one step that undo takes back.

        None removes verdicts, and what is not given stays. With `only_count` nothing is stored, and
        the counts say what would be.
        """
        check_judgement(reader, None if verdict is _UNCHANGED else verdict, note)

        def change_of(connection: Connection) -> BatchChange:
            keeps = verdict is _UNCHANGED
            wanted = None if keeps or verdict is None else str(verdict)
            known = known_until(connection, reader)
            return BatchChange(reader, wanted, keeps, note, now(), known)

        results = ResultTable(self._database, reader, chosen.search, chosen.until)
        if only_count:
            with self._database.reading() as connection:
                pairs = results.chosen(connection, chosen.rows, chosen.all_of)
                return count_batch(connection, pairs, change_of(connection))
        with self._database.writing() as connection:
            pairs = results.chosen(connection, chosen.rows, chosen.all_of)
            return put_batch(connection, pairs, change_of(connection))

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

    def of_pair(self, query_id: str, source_id: str) -> list[StoredJudgement]:
        """Return what readers said of a pair, by their names."""
        with self._database.reading() as connection:
            return judgements_of_pair(connection, query_id, source_id)

    def decision(self, query_id: str, source_id: str) -> StoredJudgement:
        """Return the decision on a pair; without a verdict if there is none."""
        with self._database.reading() as connection:
            return find_decision(connection, query_id, source_id)

    def readers(self) -> list[str]:
        """Return the names of all who have given a verdict; one of them may be empty."""
        with self._database.reading() as connection:
            return readers_with_verdicts(connection)

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
