"""What the view of numbers shows: distributions, yield, types, calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from locisimiles.app.results.filters import ResultFilter

if TYPE_CHECKING:
    from locisimiles.app.projects.project import Project

__all__ = ["Numbers", "numbers_of"]

_BINS = 24
_PROBABILITY_BINS = 10
_MOST_AUTHORS = 12
_MOST_POINTS = 200
_GROUPS = ("unjudged", "accepted", "reject", "unsure")


class Numbers(NamedTuple):
    """Counts of a selection, as one reader sees it.

    Attributes
    ----------
    measure
        What the distribution counts: ``probability``, ``learnt_probability`` or ``score``.
    edges, distribution
        The borders of the bins; and for each group how many pairs fall into each.
    yields
        How many pairs were accepted among the first one, two, three … that were judged.
    types
        For each cited author: accepted as cit., accepted as cf., rejected, unsure, not judged.
    calibration
        For each bin of probabilities that was judged: mean probability, share of accepted pairs,
        and how many there are. Empty without probabilities.
    expected
        How many references are to be expected if so many pairs are read, the most probable first.
        Empty without probabilities.
    """

    measure: str
    edges: list[float]
    distribution: dict[str, list[int]]
    yields: list[int]
    types: dict[str, list[int]]
    calibration: list[tuple[float, float, int]]
    expected: list[tuple[int, float]]


def numbers_of(
    project: Project, selection: ResultFilter | None = None, *, reader: str = ""
) -> Numbers:
    """Count what a selection holds."""
    where, values = (selection or ResultFilter()).where()
    sql = (
        "SELECT COALESCE(result.probability, result.score) AS value, "  # noqa: S608 - all ours
        "result.probability, result.source_author AS author, mine.verdict, mine.time, "
        "result.shipped "
        "FROM result LEFT JOIN judgement mine ON mine.query_id = result.query_id "
        f"AND mine.source_id = result.source_id AND mine.reader = ? WHERE {where}"
    )
    with project.database.reading() as connection:
        rows = [tuple(row) for row in connection.execute(sql, [reader, *values])]
    value = np.array([row[0] for row in rows], float)
    known = bool(rows) and rows[0][1] is not None
    group = np.array([_group(row[3]) for row in rows])
    top = 1.0 if known else float(value.max(initial=0.0)) or 1.0
    edges = np.linspace(min(0.0, float(value.min(initial=0.0))), top, _BINS + 1)
    judged = sorted((row[4], _group(row[3]) == "accepted") for row in rows if row[3] is not None)
    return Numbers(
        measure=_measure(rows),
        edges=edges.round(4).tolist(),
        distribution={
            name: np.histogram(value[group == name], edges)[0].tolist() for name in _GROUPS
        },
        yields=np.cumsum([accepted for _, accepted in judged]).astype(int).tolist(),
        types=_types([(row[2], row[3]) for row in rows]),
        calibration=_calibration(value, group) if known else [],
        expected=_expected(value) if known else [],
    )


def _measure(rows: list[tuple[Any, ...]]) -> str:
    if not rows or rows[0][1] is None:
        return "score"
    return "probability" if rows[0][5] is None else "learnt_probability"


def _expected(probability: np.ndarray) -> list[tuple[int, float]]:
    sums = np.cumsum(np.sort(probability)[::-1])
    # A curve needs no more points than a screen can show.
    places = np.unique(np.linspace(0, len(sums) - 1, _MOST_POINTS).astype(int))
    return [(0, 0.0), *((int(at) + 1, round(float(sums[at]), 2)) for at in places)]


def _group(verdict: str | None) -> str:
    if verdict is None:
        return "unjudged"
    return "accepted" if verdict in ("cit.", "cf.") else verdict


def _types(pairs: list[tuple[str, str | None]]) -> dict[str, list[int]]:
    places = {"cit.": 0, "cf.": 1, "reject": 2, "unsure": 3, None: 4}
    counted: dict[str, list[int]] = {}
    for author, verdict in pairs:
        counted.setdefault(author, [0] * len(places))[places[verdict]] += 1
    # Those of whom most is known first; where nothing is judged, those who are found most often.
    order = sorted(counted, key=lambda author: (-sum(counted[author][:2]), -sum(counted[author])))
    return {author: counted[author] for author in order[:_MOST_AUTHORS]}


def _calibration(value: np.ndarray, group: np.ndarray) -> list[tuple[float, float, int]]:
    definite = (group == "accepted") | (group == "reject")
    probability, accepted = value[definite], group[definite] == "accepted"
    place = np.minimum((probability * _PROBABILITY_BINS).astype(int), _PROBABILITY_BINS - 1)
    return [
        (
            round(float(probability[own].mean()), 4),
            round(float(accepted[own].mean()), 4),
            int(own.sum()),
        )
        for own in (place == number for number in range(_PROBABILITY_BINS))
        if own.any()
    ]
