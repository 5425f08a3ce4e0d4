"""A ranking of a project's own: learnt from verdicts, measured, and taken back in one step."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from locisimiles.app.judging.learnt_ranking import (
    StoredResults,
    Verdicts,
    put_ranking,
    restore_shipped,
)
from locisimiles.app.projects.project import now, refuse_while_searching
from locisimiles.classify.correction import Correction, learn_correction
from locisimiles.classify.correction_check import check_correction
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Connection, Row

__all__ = ["APPLY", "FIRST", "Apply", "Learning", "LearningReport", "LearningState"]

Apply = Literal["if_better", "always", "never"]
APPLY: tuple[Apply, ...] = ("if_better", "always", "never")
FIRST = 50
"""Among so many unjudged pairs is counted what would be new."""
_MOST_EFFECTS = 8


@dataclass(frozen=True, slots=True)
class LearningReport:
    """What was learnt from how many verdicts, and what it is worth.

    Attributes
    ----------
    yes, no
        How many pairs were accepted, and rejected, by most readers.
    left_out
        How many were judged, but readers are unsure, or as many for it as against it.
    elsewhere
        How many were judged that are not among the results.
    segments
        On how many query segments there are verdicts.
    average_precision, log_loss
        Without what was learnt, and with it, on verdicts that it was not learnt from; None if
        there are too few to tell.
    helps
        Whether log-loss is better and average precision not worse; None if there are too few to
        tell.
    new_in_first
        How many of the first pairs that nobody has judged would be others than now.
    effects
        What counts most: ``constant``, ``sureness``, ``author`` or ``work``, the name, and what it
        adds to log-odds.
    applied
        Whether the project's ranking is now what was learnt.
    """

    yes: int
    no: int
    left_out: int
    elsewhere: int
    segments: int
    average_precision: tuple[float, float] | None
    log_loss: tuple[float, float] | None
    helps: bool | None
    new_in_first: int
    effects: list[tuple[str, str, float]]
    applied: bool

    def as_json(self) -> str:
        """Return what the project keeps."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class LearningState:
    """Which ranking a project has.

    Attributes
    ----------
    report
        Of the learnt ranking that is in force; None if it is the shipped one.
    time
        When it was learnt.
    steps
        How many learnt rankings can be taken back, one after the other.
    was_reset
        Whether a learnt ranking ended because of a new search.
    """

    report: Mapping[str, Any] | None
    time: float
    steps: int
    was_reset: bool

    @property
    def judgements(self) -> int:
        """From how many judged pairs the ranking was learnt."""
        return 0 if self.report is None else int(self.report["yes"]) + int(self.report["no"])

    def is_of(self, report: LearningReport) -> bool:
        """Tell whether the same was learnt before, and is in force."""
        then, fresh = self.report, json.loads(report.as_json())
        return then is not None and all(
            then[name] == fresh[name] for name in ("yes", "no", "effects")
        )


class Learning:
    """What a project learns from the verdicts of its readers.

    Parameters
    ----------
    project
        Which one.
    """

    def __init__(self, project: Project) -> None:
        self._database = project.database

    def state(self) -> LearningState:
        """Return which ranking there is."""
        with self._database.reading() as connection:
            last = connection.execute(
                "SELECT state FROM learning ORDER BY number DESC LIMIT 1"
            ).fetchone()
            applied = _applied(connection)
        if not applied:
            return LearningState(None, 0.0, 0, last is not None and last["state"] == "reset")
        report = json.loads(applied[0]["report"])
        return LearningState(report, applied[0]["time"], len(applied), was_reset=False)

    def count_verdicts(self) -> int:
        """Return how many times readers have accepted or rejected a pair."""
        with self._database.reading() as connection:
            count = connection.execute(
                "SELECT COUNT(*) FROM judgement WHERE verdict IN ('cit.', 'cf.', 'reject')"
            ).fetchone()
        return int(count[0])

    def learn(self, apply: Apply = "if_better") -> LearningReport:
        """Learn from all verdicts, measure it, and rank anew.

        Parameters
        ----------
        apply
            ``if_better`` ranks anew only if that was better on verdicts that were not learnt from;
            ``always`` in any case, ``never`` in none.

        Raises
        ------
        ParameterError
            If there are no verdicts, or no probabilities, or a search is under way.
        """
        if apply not in APPLY:
            raise ParameterError(f"apply={apply!r} is unknown", hint=f"use {', '.join(APPLY)}")
        with self._database.reading() as connection:
            refuse_while_searching(connection)
            stamp = _stamp(connection)
            results = StoredResults.read(connection)
            verdicts = Verdicts.read(connection, results.key)
        if not len(verdicts.rows):
            raise ParameterError(
                "there are no verdicts to learn from", hint="accept or reject some pairs first"
            )
        correction = learn_correction(results.pairs, verdicts.rows, verdicts.label)
        chances = correction.probabilities(results.pairs)
        report = _report(results, verdicts, correction, _new_in_first(results, verdicts, chances))
        if apply == "never" or (apply == "if_better" and not report.helps):
            return report
        report = replace(report, applied=True)
        with self._database.writing() as connection:
            refuse_while_searching(connection)
            if _stamp(connection) != stamp:
                raise ParameterError("the results have changed meanwhile", hint="try again")
            put_ranking(connection, results, chances)
            connection.execute(
                "INSERT INTO learning (time, state, report, correction) "
                "VALUES (?, 'applied', ?, ?)",
                [now(), report.as_json(), json.dumps(asdict(correction))],
            )
        return report

    def undo(self) -> bool:
        """Go back to the ranking before the last that was learnt; return whether there was one."""
        with self._database.writing() as connection:
            applied = _applied(connection)
            if not applied:
                return False
            refuse_while_searching(connection)
            _end(connection, [applied[0]["number"]])
            restore_shipped(connection)
            if len(applied) > 1:
                correction = Correction.from_dict(json.loads(applied[1]["correction"]))
                results = StoredResults.read(connection)
                put_ranking(connection, results, correction.probabilities(results.pairs))
        return True

    def restore(self) -> bool:
        """Go back to the shipped ranking; return whether there was another."""
        with self._database.writing() as connection:
            applied = _applied(connection)
            if not applied:
                return False
            refuse_while_searching(connection)
            _end(connection, [row["number"] for row in applied])
            restore_shipped(connection)
        return True


def _applied(connection: Connection) -> list[Row]:
    """Return the learnt rankings that are in force or below it, the newest first."""
    return connection.execute(
        "SELECT number, time, report, correction FROM learning WHERE state = 'applied' "
        "ORDER BY number DESC"
    ).fetchall()


def _end(connection: Connection, numbers: list[int]) -> None:
    connection.executemany(
        "UPDATE learning SET state = 'undone' WHERE number = ?", [(number,) for number in numbers]
    )


def _stamp(connection: Connection) -> tuple[object, ...]:
    """Return what changes when results do, or their ranking."""
    search = connection.execute("SELECT MAX(number), SUM(finished_queries) FROM search").fetchone()
    learnt = connection.execute(
        "SELECT MAX(number), COUNT(*) FROM learning WHERE state = 'applied'"
    ).fetchone()
    return (*search, *learnt)


def _new_in_first(results: StoredResults, verdicts: Verdicts, chances: NDArray[np.float64]) -> int:
    unread = np.ones(len(chances), bool)
    unread[verdicts.rows] = False
    rows = np.flatnonzero(unread)
    now_first, then_first = (
        set(rows[np.argsort(-column[rows], kind="stable")[:FIRST]].tolist())
        for column in (results.shown, chances)
    )
    return len(then_first - now_first)


def _report(
    results: StoredResults, verdicts: Verdicts, correction: Correction, new_in_first: int
) -> LearningReport:
    check = check_correction(results.pairs, verdicts.rows, verdicts.label)
    figures = list(zip(check.before or (), check.after or (), strict=True))
    yes = int(verdicts.label.sum())
    return LearningReport(
        yes=yes,
        no=len(verdicts.label) - yes,
        left_out=verdicts.left_out,
        elsewhere=verdicts.elsewhere,
        segments=check.segments,
        average_precision=figures[0] if figures else None,
        log_loss=figures[1] if figures else None,
        helps=check.helps,
        new_in_first=new_in_first,
        effects=_effects(correction),
        applied=False,
    )


def _effects(correction: Correction) -> list[tuple[str, str, float]]:
    """Return what counts most: kind, name if it has one, and what it adds."""
    all_effects = [
        ("constant", "", correction.constant),
        ("sureness", "", correction.sureness),
        *(("author", name, value) for name, value in correction.author.items()),
        *(("work", name, value) for name, value in correction.work.items()),
    ]
    all_effects.sort(key=lambda effect: (-abs(effect[2]), effect[:2]))
    return [(kind, name, round(value, 4)) for kind, name, value in all_effects[:_MOST_EFFECTS]]
