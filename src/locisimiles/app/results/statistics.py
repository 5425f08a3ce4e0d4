"""Statistics of results: distribution, yield, types, calibration."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.app.storage.tables.figures import ResultFigures

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.projects.project import Project
    from locisimiles.app.results import ResultFilter
    from locisimiles.app.storage.tables.figures import Bin, JudgedPair

__all__ = ["Statistics", "compute_statistics"]

_BINS = 24
_PROBABILITY_BINS = 10
_MOST_AUTHORS = 12
_MOST_POINTS = 200
# Each bin of the chart has a hundred fine ones; improbable pairs, which are most, have finer ones.
_FINE, _FINEST = 100, 1000
_PROBABILITY_PLACE = (
    f"CAST(CASE WHEN {{value}} < {10 / (_BINS * _FINE)!r} "
    f"THEN {{value}} * {_FINEST / 10 * _BINS * _FINE!r} "
    f"ELSE {_FINEST} + {{value}} * {_BINS * _FINE} END AS INTEGER)"
)
_SCORE_PLACE = f"CAST(({{{{value}}}} - {{least!r}}) * {_BINS} / {{range!r}} AS INTEGER)"
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
    figures = ResultFigures(project.database, reader, search)
    measure = figures.measure(wanted)
    known = measure.with_probability > 0
    least, top = min(0.0, measure.least), 1.0 if known else measure.greatest or 1.0
    edges = np.linspace(least, top, _BINS + 1)
    place = _PROBABILITY_PLACE if known else _SCORE_PLACE.format(least=least, range=top - least)
    bins, judged = figures.bins(place, wanted), figures.judged(place, wanted)
    probabilities = "learnt_probability" if measure.learnt else "probability"
    return Statistics(
        measure=probabilities if known else "score",
        edges=edges.round(4).tolist(),
        distribution=_distribution(bins, judged, known=known),
        yields=list(accumulate(int(_group(one.verdict) == "accepted") for one in judged)),
        types=_types(figures.authors(wanted), judged),
        calibration=_calibration(judged) if known else [],
        expected=_expected(bins) if known else [],
    )


def _distribution(
    bins: Iterable[Bin], judged: Iterable[JudgedPair], *, known: bool
) -> dict[str, list[int]]:
    def coarse(number: int) -> int:
        wide = max(number - _FINEST, 0) // _FINE if known else number
        return min(max(wide, 0), _BINS - 1)

    counted = {name: [0] * _BINS for name in _GROUPS}
    for one in bins:
        counted["unjudged"][coarse(one.number)] += one.pairs
    for pair in judged:
        counted["unjudged"][coarse(pair.bin)] -= 1
        counted[_group(pair.verdict)][coarse(pair.bin)] += 1
    return counted


def _expected(bins: Iterable[Bin]) -> list[tuple[int, float]]:
    """Return points of the curve; between them, pairs have nearly the same probability."""
    falling = sorted(bins, reverse=True)
    pairs = list(accumulate(one.pairs for one in falling))
    sums = list(accumulate(one.total for one in falling))
    points, step = [(0, 0.0)], (pairs[-1] / _MOST_POINTS, sums[-1] / _MOST_POINTS)
    for read, found in zip(pairs, sums, strict=True):
        # More points than a screen can show are not needed.
        if read - points[-1][0] >= step[0] or found - points[-1][1] >= step[1]:
            points.append((read, round(found, 2)))
    if points[-1][0] != pairs[-1]:
        points.append((pairs[-1], round(sums[-1], 2)))
    return points


def _group(verdict: str) -> str:
    return "accepted" if verdict in ("cit.", "cf.") else verdict


def _types(found: dict[str, int], judged: Iterable[JudgedPair]) -> dict[str, list[int]]:
    places = {"cit.": 0, "cf.": 1, "reject": 2, "unsure": 3}
    counted = {author: [0, 0, 0, 0, count] for author, count in found.items()}
    for pair in judged:
        counted[pair.source_author][places[pair.verdict]] += 1
        counted[pair.source_author][-1] -= 1
    # Authors with most accepted pairs first, then those found most often.
    order = sorted(counted, key=lambda author: (-sum(counted[author][:2]), -sum(counted[author])))
    return {author: counted[author] for author in order[:_MOST_AUTHORS]}


def _calibration(judged: Iterable[JudgedPair]) -> list[tuple[float, float, int]]:
    definite = [one for one in judged if one.verdict != "unsure"]
    probability = np.array([one.value for one in definite], float)
    accepted = np.array([_group(one.verdict) == "accepted" for one in definite], bool)
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
