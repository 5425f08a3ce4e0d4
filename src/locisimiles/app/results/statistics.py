"""Statistics of results: distribution, yield, types, calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.app.results import ResultFilter, ResultTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.projects.project import Project

__all__ = ["Statistics", "compute_statistics"]

_BINS = 24
_PROBABILITY_BINS = 10
_MOST_AUTHORS = 12
_MOST_POINTS = 200
_GROUPS = ("unjudged", "accepted", "reject", "unsure")


class Statistics(NamedTuple):
    """Statistics of results, as one reader sees them.

    Attributes
    ----------
    measure
        What `distribution` counts: ``probability``, ``learnt_probability`` or ``score``.
    edges, distribution
        Edges of the bins, and the number of pairs in each bin by group.
    yields
        Number of accepted pairs among the first one, two, three … judged ones.
    types
        For each cited author: accepted as cit., accepted as cf., rejected, unsure, not judged.
    calibration
        For each bin of probabilities with verdicts: mean probability, share of accepted pairs,
        number of pairs. Empty without probabilities.
    expected
        Expected number of references among the most probable pairs: pairs, references. Empty
        without probabilities.
    """

    measure: str
    edges: list[float]
    distribution: dict[str, list[int]]
    yields: list[int]
    types: dict[str, list[int]]
    calibration: list[tuple[float, float, int]]
    expected: list[tuple[int, float]]


def compute_statistics(
    project: Project,
    wanted: ResultFilter | None = None,
    *,
    reader: str = "",
    search: int | None = None,
) -> Statistics:
    """Count results."""
    names = ("probability", "score", "source_author", "verdict", "time", "shipped")
    rows = ResultTable(project.database, reader, search).columns(names, wanted)
    probability, score, author, verdict, time, shipped = (
        zip(*rows, strict=True) if rows else [()] * 6
    )
    known = bool(rows) and probability[0] is not None
    value = np.array(
        [s if p is None else p for p, s in zip(probability, score, strict=True)], float
    )
    group = np.array([_group(one) for one in verdict])
    top = 1.0 if known else float(value.max(initial=0.0)) or 1.0
    edges = np.linspace(min(0.0, float(value.min(initial=0.0))), top, _BINS + 1)
    judged = sorted(
        (when, _group(one) == "accepted")
        for when, one in zip(time, verdict, strict=True)
        if one is not None
    )
    probabilities = "probability" if not known or shipped[0] is None else "learnt_probability"
    return Statistics(
        measure=probabilities if known else "score",
        edges=edges.round(4).tolist(),
        distribution={
            name: np.histogram(value[group == name], edges)[0].tolist() for name in _GROUPS
        },
        yields=np.cumsum([accepted for _, accepted in judged]).astype(int).tolist(),
        types=_types(zip(author, verdict, strict=True)),
        calibration=_calibration(value, group) if known else [],
        expected=_expected(value) if known else [],
    )


def _expected(probability: np.ndarray) -> list[tuple[int, float]]:
    sums = np.cumsum(np.sort(probability)[::-1])
    # More points than a screen can show are not needed.
    places = np.unique(np.linspace(0, len(sums) - 1, _MOST_POINTS).astype(int))
    return [(0, 0.0), *((int(at) + 1, round(float(sums[at]), 2)) for at in places)]


def _group(verdict: str | None) -> str:
    if verdict is None:
        return "unjudged"
    return "accepted" if verdict in ("cit.", "cf.") else verdict


def _types(pairs: Iterable[tuple[str, str | None]]) -> dict[str, list[int]]:
    places = {"cit.": 0, "cf.": 1, "reject": 2, "unsure": 3, None: 4}
    counted: dict[str, list[int]] = {}
    for author, verdict in pairs:
        counted.setdefault(author, [0] * len(places))[places[verdict]] += 1
    # Authors with most accepted pairs first, then those found most often.
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
