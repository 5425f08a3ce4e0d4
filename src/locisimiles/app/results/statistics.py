"""Statistics of results: distribution, yield, types, calibration."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.app.judging.agreement import wilson_interval
from locisimiles.app.results import ResultFilter, ResultTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.projects.project import Project

__all__ = ["CalibrationBin", "Statistics", "compute_statistics", "nice_edges"]

_FEWEST_BINS, _MOST_BINS = 5, 24
_STEPS = (1, 2, 2.5, 5, 10)
# Few judgements allow few bins: number of judgements, number of bins.
_CALIBRATION_BINS = ((100, 10), (20, 5), (0, 2))
_MOST_POINTS = 200
_GROUPS = ("unjudged", "accepted", "reject", "unsure")


class CalibrationBin(NamedTuple):
    """Judged pairs of similar probability: how many, and the share that was accepted."""

    mean: float  # of their probabilities
    share: float
    pairs: int
    low: float  # Wilson's 95 % interval of the share
    high: float


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
        Authors with most accepted pairs first, then those found most often.
    calibration
        Bins of probabilities with verdicts. Empty without probabilities.
    expected
        Expected number of references among the most probable pairs: pairs, references. Empty
        without probabilities.
    """

    measure: str
    edges: list[float]
    distribution: dict[str, list[int]]
    yields: list[int]
    types: dict[str, list[int]]
    calibration: list[CalibrationBin]
    expected: list[tuple[int, float]]

    @property
    def pairs(self) -> int:
        """The number of all pairs."""
        return sum(map(sum, self.distribution.values()))


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
    low, high = (
        (0.0, 1.0) if known else (float(value.min()), float(value.max())) if rows else (0, 1)
    )
    edges = nice_edges(low, high, len(rows))
    value = np.clip(value, edges[0], edges[-1])  # edges are rounded
    judged = sorted(
        (when, _group(one) == "accepted")
        for when, one in zip(time, verdict, strict=True)
        if one is not None
    )
    probabilities = "probability" if not known or shipped[0] is None else "learnt_probability"
    return Statistics(
        measure=probabilities if known else "score",
        edges=edges,
        distribution={
            name: np.histogram(value[group == name], edges)[0].tolist() for name in _GROUPS
        },
        yields=np.cumsum([accepted for _, accepted in judged]).astype(int).tolist(),
        types=_types(zip(author, verdict, strict=True)),
        calibration=_calibration(value, group) if known else [],
        expected=_expected(value) if known else [],
    )


def nice_edges(low: float, high: float, pairs: int) -> list[float]:
    """Return edges of bins at round numbers, few for few pairs (by Rice's rule).

    Bins begin at zero, unless all values are far from it.

    Examples
    --------
    >>> nice_edges(0.7, 4.2, 5), nice_edges(31.5, 32.5, 5)
    ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [31.4, 31.6, 31.8, 32.0, 32.2, 32.4, 32.6])
    >>> len(nice_edges(0, 1, 100_000))
    21
    """
    if 0 <= low <= high - low:
        low = 0.0
    span = (high - low) or abs(high) or 1.0
    wanted = min(max(round(2 * pairs ** (1 / 3)), _FEWEST_BINS), _MOST_BINS)
    magnitude = 10.0 ** math.floor(math.log10(span / wanted))
    # At most as many bins as wanted, but for the ends.
    step = next(one * magnitude for one in _STEPS if one * magnitude * wanted >= span * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    digits = max(0, 2 - math.floor(math.log10(step)))
    return [round(number * step, digits) for number in range(first, max(last, first + 1) + 1)]


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
    order = sorted(counted, key=lambda author: (-sum(counted[author][:2]), -sum(counted[author])))
    return {author: counted[author] for author in order}


def _calibration(value: np.ndarray, group: np.ndarray) -> list[CalibrationBin]:
    definite = (group == "accepted") | (group == "reject")
    probability, accepted = value[definite], group[definite] == "accepted"
    bins = next(bins for least, bins in _CALIBRATION_BINS if len(probability) >= least)
    place = np.minimum((probability * bins).astype(int), bins - 1)
    found = []
    for own in (place == number for number in range(bins)):
        if not own.any():
            continue
        hits, pairs = int(accepted[own].sum()), int(own.sum())
        low, high = wilson_interval(hits, pairs)
        mean, share = float(probability[own].mean()), hits / pairs
        found.append(
            CalibrationBin(round(mean, 4), round(share, 4), pairs, round(low, 4), round(high, 4))
        )
    return found
