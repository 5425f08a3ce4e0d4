"""A project's own ranking: learnt from verdicts, measured, and undone in one step."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from locisimiles.app.judging.learnt_ranking import MajorityVerdicts, StoredResults, put_ranking
from locisimiles.app.storage.stored_values import stored_value
from locisimiles.app.storage.tables.rankings import (
    add_ranking,
    applied_rankings,
    end_rankings,
    ranking_revision,
    restore_shipped,
    was_reset,
)
from locisimiles.app.storage.tables.searches import (
    find_search,
    refuse_imported,
    refuse_while_searching,
    search_to_read,
)
from locisimiles.checks import check_choice
from locisimiles.classify.correction import Correction, learn_correction
from locisimiles.classify.correction_check import check_correction
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Connection

__all__ = ["APPLY", "FIRST", "Apply", "Learning", "LearningReport", "LearningState"]

Apply = Literal["if_better", "always", "never"]
APPLY: tuple[Apply, ...] = ("if_better", "always", "never")
FIRST = 50
"""Number of top unjudged pairs in which changes are counted."""
_MOST_EFFECTS = 8


@dataclass(frozen=True, slots=True)
class LearningReport:
    """What was learnt from verdicts, and whether it helps.

    Attributes
    ----------
    yes, no
        Number of pairs that the majority of readers accepted, and rejected.
    left_out
        Number of judged pairs without a majority, or where readers are unsure.
    elsewhere
        Number of judged pairs that are not among the results.
    segments
        Number of query segments with verdicts.
    average_precision, log_loss
        Of the shipped and of the learnt probabilities, on held-out verdicts; None if there are too
        few.
    helps
        Whether log-loss improves and average precision does not fall; None if there are too few
        verdicts.
    new_in_first
        Number of pairs that would be new among the first unjudged ones.
    effects
        The largest effects: ``constant``, ``sureness``, ``author`` or ``work``, the name, and what
        it adds to log-odds.
    applied
        Whether the search now has the learnt ranking.
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

    @classmethod
    def from_json(cls, stored: str) -> LearningReport:
        """Return a report that a project stores."""
        with stored_value("report"):
            content = json.loads(stored)
            for name in ("average_precision", "log_loss"):
                content[name] = content[name] and tuple(content[name])
            content["effects"] = [tuple(effect) for effect in content["effects"]]
            return cls(**content)


@dataclass(frozen=True, slots=True)
class LearningState:
    """The ranking a search has.

    Attributes
    ----------
    report
        Of the learnt ranking; None if the search has the shipped one.
    time
        When it was learnt.
    steps
        Number of learnt rankings that can be undone, one after the other.
    was_reset
        Whether new results ended a learnt ranking.
    """

    report: LearningReport | None
    time: float
    steps: int
    was_reset: bool

    @property
    def judgements(self) -> int:
        """Number of judged pairs the ranking was learnt from."""
        return 0 if self.report is None else self.report.yes + self.report.no

    def is_of(self, report: LearningReport) -> bool:
        """Tell whether the project already has the ranking of a report."""
        then = self.report
        return then is not None and (then.yes, then.no, then.effects) == (
            report.yes, report.no, report.effects,
        )  # fmt: skip


class Learning:
    """What a search learns from the verdicts of readers; by default the newest with results."""

    def __init__(self, project: Project, search: int | None = None) -> None:
        self._database, self._search = project.database, search

    def state(self) -> LearningState:
        """Return the ranking the search has."""
        with self._database.reading() as connection:
            search = search_to_read(connection, self._search)
            applied, reset = applied_rankings(connection, search), was_reset(connection, search)
        if not applied:
            return LearningState(None, 0.0, 0, reset)
        report = LearningReport.from_json(applied[0]["report"])
        return LearningState(report, applied[0]["time"], len(applied), was_reset=False)

    def learn(self, apply: Apply = "if_better") -> LearningReport:
        """Learn a ranking from all verdicts, measure it, and apply it."""
        check_choice(APPLY, apply=apply)
        with self._database.reading() as connection:
            search = search_to_read(connection, self._search)
            refuse_while_searching(connection, search)
            refuse_imported(connection, search)
            revision = _revision(connection, search)
            results = StoredResults.read(connection, search)
            verdicts = MajorityVerdicts.read(connection, results.key)
        if not len(verdicts.rows):
            raise ParameterError("app.no_verdicts")
        correction = learn_correction(results.pairs, verdicts.rows, verdicts.label)
        chances = correction.probabilities(results.pairs)
        report = _report(results, verdicts, correction, _new_in_first(results, verdicts, chances))
        if apply == "never" or (apply == "if_better" and not report.helps):
            return report
        report = replace(report, applied=True)
        with self._database.writing() as connection:
            refuse_while_searching(connection, search)
            if _revision(connection, search) != revision:
                raise ParameterError("app.results_changed")
            put_ranking(connection, results, chances)
            stored = (json.dumps(asdict(one)) for one in (report, correction))
            add_ranking(connection, search, *stored)
        return report

    def undo(self) -> bool:
        """Return to the ranking before the last one learnt; False if none was learnt."""
        return self._end(only_last=True)

    def restore(self) -> bool:
        """Return to the shipped ranking; False if none was learnt."""
        return self._end(only_last=False)

    def _end(self, *, only_last: bool) -> bool:
        with self._database.writing() as connection:
            search = search_to_read(connection, self._search)
            applied = applied_rankings(connection, search)
            if not applied:
                return False
            refuse_while_searching(connection, search)
            first = applied[0]["number"] if only_last else 0
            end_rankings(connection, search, "undone", first)
            restore_shipped(connection, search)
            if only_last and len(applied) > 1:
                with stored_value("correction"):
                    correction = Correction.from_dict(json.loads(applied[1]["correction"]))
                results = StoredResults.read(connection, search)
                put_ranking(connection, results, correction.probabilities(results.pairs))
        return True


def _revision(connection: Connection, search: int) -> tuple[object, ...]:
    """Return what changes when results or their ranking do."""
    found = find_search(connection, search)
    searched = (found["state"], found["finished_queries"]) if found else ()
    return (*searched, *ranking_revision(connection))


def _new_in_first(
    results: StoredResults, verdicts: MajorityVerdicts, chances: NDArray[np.float64]
) -> int:
    unread = np.ones(len(chances), bool)
    unread[verdicts.rows] = False
    rows = np.flatnonzero(unread)
    now_first, then_first = (
        set(rows[np.argsort(-column[rows], kind="stable")[:FIRST]].tolist())
        for column in (results.shown, chances)
    )
    return len(then_first - now_first)


def _report(
    results: StoredResults, verdicts: MajorityVerdicts, correction: Correction, new_in_first: int
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
    """Return the largest effects: kind, name if it has one, and what it adds to log-odds."""
    all_effects = [
        ("constant", "", correction.constant),
        ("sureness", "", correction.sureness),
        *(("author", name, value) for name, value in correction.author.items()),
        *(("work", name, value) for name, value in correction.work.items()),
    ]
    all_effects.sort(key=lambda effect: (-abs(effect[2]), effect[:2]))
    return [(kind, name, round(value, 4)) for kind, name, value in all_effects[:_MOST_EFFECTS]]
