"""Statistics of results: distribution, yield, types, calibration."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.app.judging.agreement import wilson_interval
from locisimiles.app.storage.tables.figures import ResultFigures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from locisimiles.app.projects.project import Project
    from locisimiles.app.results import ResultFilter
    from locisimiles.app.storage.tables.figures import Bin, JudgedPair

__all__ = ["CalibrationBin", "Statistics", "compute_statistics", "nice_edges"]

_FEWEST_BINS, _MOST_BINS = 5, 24
_STEPS = (1, 2, 2.5, 5, 10)
# Few judgements allow few bins: number of judgements, number of bins.
_CALIBRATION_BINS = ((100, 10), (20, 5), (0, 2))
_MOST_POINTS = 200
# Each bin of the chart has a hundred fine ones; improbable pairs, which are most, have finer ones.
_FINE, _FINEST = 100, 1000
_EVERY = 2**40  # beyond the last bin
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
    figures = ResultFigures(project.database, reader, search)
    measure = figures.measure(wanted)
    known = measure.with_probability > 0
    low, high = (0.0, 1.0) if known or not measure.pairs else (measure.least, measure.greatest)
    edges = nice_edges(low, high, measure.pairs)
    place = _place_of_probability(edges) if known else _place_of_score(edges)
    bins, judged = figures.bins(place, wanted), figures.judged(place, wanted)
    probabilities = "learnt_probability" if measure.learnt else "probability"
    return Statistics(
        measure=probabilities if known else "score",
        edges=edges,
        distribution=_distribution(bins, judged, _coarse(len(edges) - 1, fine=known)),
        yields=list(accumulate(int(_group(one.verdict) == "accepted") for one in judged)),
        types=_types(figures.authors(wanted), judged),
        calibration=_calibration(judged) if known else [],
        expected=_expected(bins) if known else [],
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


def _place_of_probability(edges: Sequence[float]) -> str:
    """Return the SQL of the place of a probability among the fine bins."""
    fine = (len(edges) - 1) * _FINE
    return (
        f"CASE WHEN {{value}} < {10 / fine!r} THEN {{value}} * {_FINEST / 10 * fine!r} "
        f"ELSE {_FINEST} + {{value}} * {fine} END"
    )


def _place_of_score(edges: Sequence[float]) -> str:
    """Return the SQL of the place of a score among the bins."""
    first, span = edges[0], edges[-1] - edges[0]
    return f"({{value}} - {first!r}) * {len(edges) - 1} / {span!r}"


def _coarse(bins: int, *, fine: bool) -> Callable[[int], int]:
    """Return the function that finds the bin of the chart for a bin that SQL has found."""

    def bin_of(number: int) -> int:
        wide = (number - _FINEST) // _FINE if fine else number
        return min(max(wide, 0), bins - 1)  # edges are rounded

    return bin_of


def _distribution(
    bins: Iterable[Bin], judged: Iterable[JudgedPair], bin_of: Callable[[int], int]
) -> dict[str, list[int]]:
    counted = {name: [0] * (bin_of(_EVERY) + 1) for name in _GROUPS}
    for one in bins:
        counted["unjudged"][bin_of(one.number)] += one.pairs
    for pair in judged:
        counted["unjudged"][bin_of(pair.bin)] -= 1
        counted[_group(pair.verdict)][bin_of(pair.bin)] += 1
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
    return {author: counted[author] for author in order}


def _calibration(judged: Iterable[JudgedPair]) -> list[CalibrationBin]:
    definite = [one for one in judged if one.verdict != "unsure"]
    probability = np.array([one.value for one in definite], float)
    accepted = np.array([_group(one.verdict) == "accepted" for one in definite], bool)
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
