"""Protocol ``calibration``: whether probabilities agree with observed frequencies.

The probability of a group is that of its type, or for ``pooled`` the sum of both types.

*Reliability.* Pairs are binned by probability; in each bin, the mean probability is compared with
the share of references. ECE is the mean distance of the two, weighted by the number of pairs; the
Brier score is the mean squared distance of probability and truth. Since nearly all pairs of a grid
are *no match* with a probability near 0, both are small for any classifier; the bins and the yield
say more.

*Expected yield.* A reader who inspects the n most probable pairs may expect as many references as
their probabilities add up to. The interval is that of the Poisson binomial distribution: the number
of references if each pair were one with its own probability, independently of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.benchmark.metrics.significance import check_confidence
from locisimiles.benchmark.protocols.grid import check_folds, measure_folds
from locisimiles.benchmark.sets.groups import GROUPS, in_group
from locisimiles.checks import check_at_least, check_choice, check_equal_lengths
from locisimiles.classify.labels import TYPES
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.benchmark.protocols.grid import PairGrid

__all__ = [
    "TOPS",
    "Bins",
    "ExpectedYield",
    "Reliability",
    "brier_score",
    "evaluate_calibration",
    "expected_yield",
    "group_probability",
    "reliability",
]

Bins = Literal["width", "count"]

TOPS = (10, 50, 100, 200, 500)
"""The numbers of pairs that the expected yield is measured for."""


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Predicted and observed shares of references by bin; empty bins are left out.

    Attributes
    ----------
    pairs
        The number of pairs in each bin.
    predicted
        Their mean probability.
    observed
        The share of references among them.
    """

    pairs: NDArray[np.int64]
    predicted: NDArray[np.float64]
    observed: NDArray[np.float64]

    @property
    def ece(self) -> float:
        """The expected calibration error; NaN if there are no pairs."""
        if not len(self.pairs):
            return float("nan")
        return float(np.average(np.abs(self.predicted - self.observed), weights=self.pairs))


def reliability(
    probability: NDArray[np.float64],
    truth: NDArray[np.bool_],
    *,
    bins: int = 10,
    by: Bins = "width",
) -> Reliability:
    """Compare probabilities with the share of references in each bin.

    Parameters
    ----------
    probability, truth
        One value per pair.
    bins
        The number of bins.
    by
        Whether bins have equal width (a probability on the border belongs to the higher bin) or,
        as far as ties allow, equal numbers of pairs.

    Examples
    --------
    >>> probability = np.array([0.1, 0.1, 0.9, 0.9])
    >>> table = reliability(probability, np.array([False, False, True, False]), bins=2)
    >>> table.observed.tolist(), round(table.ece, 3)
    ([0.0, 0.5], 0.25)
    """
    probability, truth = _columns(probability, truth)
    check_at_least(1, bins=bins)
    check_choice(get_args(Bins), by=by)
    if by == "width":
        place = np.minimum((probability * bins).astype(np.int64), bins - 1)
    else:
        inner = np.arange(1, bins) / bins
        edges = np.quantile(probability, inner) if len(probability) else inner
        place = np.searchsorted(edges, probability, side="right")
    pairs = np.bincount(place, minlength=bins)
    kept = pairs > 0
    return Reliability(
        pairs=pairs[kept],
        predicted=np.bincount(place, probability, bins)[kept] / pairs[kept],
        observed=np.bincount(place, truth, bins)[kept] / pairs[kept],
    )


def brier_score(probability: NDArray[np.float64], truth: NDArray[np.bool_]) -> float:
    """Return the mean squared distance of probability and truth.

    Examples
    --------
    >>> round(brier_score(np.array([0.9, 0.2]), np.array([True, False])), 3)
    0.025
    """
    probability, truth = _columns(probability, truth)
    return float(np.mean((probability - truth) ** 2)) if len(truth) else float("nan")


@dataclass(frozen=True, slots=True)
class ExpectedYield:
    """How many references the most probable pairs should hold, and how many they do.

    Attributes
    ----------
    n
        The number of pairs.
    expected
        The sum of their probabilities.
    low, high
        The confidence interval of the number of references, if the probabilities are right.
    actual
        The number of references among them.
    """

    n: int
    expected: float
    low: int
    high: int
    actual: int


def expected_yield(
    probability: NDArray[np.float64], truth: NDArray[np.bool_], n: int, *, confidence: float = 0.95
) -> ExpectedYield:
    """Compare expected and actual references among the `n` most probable pairs.

    Ties are broken by position.

    Examples
    --------
    >>> probability = np.array([0.1, 0.9, 0.8, 0.5])
    >>> expected_yield(probability, np.array([False, True, False, True]), 3)
    ExpectedYield(n=3, expected=2.2, low=1, high=3, actual=2)
    """
    probability, truth = _columns(probability, truth)
    check_at_least(1, n=n)
    check_confidence(confidence)
    first = np.argsort(-probability, kind="stable")[:n]
    chances = probability[first]
    cumulative = np.cumsum(_poisson_binomial(chances))
    tail = (1 - confidence) / 2
    low, high = np.searchsorted(cumulative, [tail, 1 - tail])
    return ExpectedYield(
        n=len(first),
        expected=round(float(chances.sum()), 12),
        low=int(low),
        high=min(int(high), len(first)),
        actual=int(np.count_nonzero(truth[first])),
    )


def evaluate_calibration(
    grids: Sequence[PairGrid],
    *,
    bins: int = 10,
    by: Bins = "width",
    tops: Sequence[int] = TOPS,
) -> tuple[Measurement, ...]:
    """Measure the calibration of the probabilities of each fold.

    Returns
    -------
    tuple of Measurement
        For each group: ``Brier``, ``ECE``, and for each n ``yield@n`` (references among the n most
        probable pairs) and ``expected yield@n`` (the sum of their probabilities). If a fold has
        fewer than n pairs, all of them count.
    """
    check_folds(grids)
    return tuple(
        measured
        for group in GROUPS
        for measured in measure_folds(
            group, grids, [_figures(grid, group, bins, by, tops) for grid in grids]
        )
    )


def group_probability(grid: PairGrid, group: str) -> NDArray[np.float64]:
    """Return the probability that each pair is a reference of the group."""
    types = [grid.probabilities[..., kind] for kind in TYPES if group in {kind.text, "pooled"}]
    return np.minimum(np.sum(types, axis=0, dtype=np.float64), 1.0)


def _figures(
    grid: PairGrid, group: str, bins: int, by: Bins, tops: Sequence[int]
) -> dict[str, float]:
    probability = group_probability(grid, group).ravel()
    truth = in_group(grid.label, group).ravel()
    figures = {
        "Brier": brier_score(probability, truth),
        "ECE": reliability(probability, truth, bins=bins, by=by).ece,
    }
    first = np.argsort(-probability, kind="stable")[: max(tops, default=0)]
    for n in tops:
        at_top = expected_yield(probability[first], truth[first], n)
        figures[f"yield@{n}"] = at_top.actual
        figures[f"expected yield@{n}"] = at_top.expected
    return figures


def _poisson_binomial(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities of 0, 1, 2 … successes, each trial having its own."""
    # scipy.stats.poisson_binom needs SciPy 1.15, and its quantiles fail for more than 62 trials.
    distribution = np.zeros(len(chances) + 1)
    distribution[0] = 1
    for trials, chance in enumerate(chances, start=1):
        distribution[1 : trials + 1] = (
            distribution[1 : trials + 1] * (1 - chance) + distribution[:trials] * chance
        )
        distribution[0] *= 1 - chance
    return distribution


def _columns(
    probability: NDArray[np.float64], truth: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    probability = np.asarray(probability, np.float64).ravel()
    truth = np.asarray(truth, np.bool_).ravel()
    check_equal_lengths(probability=probability, truth=truth)
    if len(probability) and not (probability.min() >= 0 and probability.max() <= 1):
        raise ParameterError("benchmark.not_probabilities", name="probability")
    return probability, truth
