"""The number of references to expect, corrected by readers' first verdicts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.judging.learnt_ranking import MajorityVerdicts, StoredResults
from locisimiles.app.storage.stored_values import stored_value
from locisimiles.app.storage.tables.searches import find_search
from locisimiles.classify.base_rates import RateModel, TextRate
from locisimiles.classify.selection import expect_references

if TYPE_CHECKING:
    from locisimiles.app.projects.project import Project
    from locisimiles.classify.selection import Expectation

__all__ = ["JudgedExpectation", "judged_expectation"]

_WIDEST = 10.0


class JudgedExpectation(NamedTuple):
    """The number of references to expect, given some verdicts."""

    references: Expectation
    verdicts: int


def judged_expectation(project: Project, search: int) -> JudgedExpectation | None:
    """Correct the number of references to expect by the verdicts of readers.

    How often a text refers is estimated when its search ends; verdicts tell more. Judged pairs
    count as what the majority of readers said. None without verdicts, or if probabilities were not
    adapted to the text.
    """
    with project.database.reading() as connection:
        row = find_search(connection, search)
        if row is None or row["state"] != "done":
            return None
        with stored_value("manifest"):
            kinds = json.loads(row["manifest"]).get("base_rate") or {}
            spread = max((float(kind["spread"]) for kind in kinds.values()), default=0.0)
        if not 0 < spread <= _WIDEST:
            return None
        results = StoredResults.read(connection, search)
        verdicts = MajorityVerdicts.read(connection, results.key)
    if not len(verdicts.rows):
        return None
    known = results.pairs.probability
    rate = TextRate(RateModel(), 0.0, spread).judged(known[verdicts.rows], verdicts.label)
    chances = rate.adapted(known)
    chances[verdicts.rows] = verdicts.label
    counted = chances[results.counts]
    return JudgedExpectation(expect_references(counted, rate.spread), len(verdicts.rows))
