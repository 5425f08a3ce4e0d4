"""Protocol ``calibration``: whether the probabilities can be taken at their word.

The probability of a group is that of its type, or for ``pooled`` the sum of both types.

*Reliability.* Pairs are put into bins by their probability; in each, the mean probability is set
beside the share of references. ECE is the mean distance of the two, weighted by the pairs in the
bins; the Brier score is the mean squared distance of probability and truth. Since nearly all pairs
of a grid are *no match* with probability near 0, both are small for any classifier; the bins and
the yield tell more.

*Expected yield.* Somebody who inspects the n most probable pairs may expect as many references as
their probabilities add up to. The interval is that of the Poisson binomial distribution: the number
of references if each pair were one with its own probability, independently of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.benchmark.protocols.grid import rule_of_each
from locisimiles.benchmark.sets.groups import GROUPS, TYPES, in_group
from locisimiles.classify.thresholds import Argmax
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

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
"""How many pairs are looked at for the expected yield."""


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Probabilities beside shares, by bin; bins without pairs are left out.

    Attributes
    ----------
    pairs
        How many pairs are in each bin.
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
        """The expected calibration error; NaN where there are no pairs."""
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
    """Compare probabilities with shares.

    Parameters
    ----------
    probability, truth
        One a pair.
    bins
        How many bins.
    by
        Whether bins have the same width (a probability on the border belongs to the higher bin)
        or, as far as equal probabilities allow, the same number of pairs.

    Examples
    --------
    >>> probability = np.array([0.1, 0.1, 0.9, 0.9])
    >>> table = reliability(probability, np.array([False, False, True, False]), bins=2)
    >>> table.observed.tolist(), round(table.ece, 3)
    ([0.0, 0.5], 0.25)
    """
    probability, truth = _columns(probability, truth)
    if bins < 1 or by not in get_args(Bins):
        raise ParameterError(f"bins={bins} by {by!r} cannot be made", hint="say 10 by 'width'")
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
    """What the most probable pairs should hold, and what they do.

    Attributes
    ----------
    n
        How many pairs were looked at.
    expected
        The sum of their probabilities.
    low, high
        Between which the number of references lies with the asked confidence, if the
        probabilities are right.
    actual
        The references among them.
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

    Of equally probable pairs, those that stand first are looked at.

    Examples
    --------
    >>> probability = np.array([0.1, 0.9, 0.8, 0.5])
    >>> expected_yield(probability, np.array([False, True, False, True]), 3)
    ExpectedYield(n=3, expected=2.2, low=1, high=3, actual=2)
    """
    probability, truth = _columns(probability, truth)
    if n < 1 or not 0 < confidence < 1:
        raise ParameterError(f"n={n} pairs at confidence {confidence} give no yield")
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
    """Measure how far the probabilities of each fold can be believed.

    Returns
    -------
    tuple of Measurement
        For each group: ``Brier``, ``ECE``, and for each n ``yield@n`` (references among the n most
        probable pairs) and ``expected yield@n`` (the sum of their probabilities). Where a fold has
        fewer than n pairs, all are taken.
    """
    rule_of_each(grids, Argmax())  # the checks are the same
    measured: list[Measurement] = []
    for group in GROUPS:
        folds = [_figures(grid, group, bins, by, tops) for grid in grids]
        measured += [
            Measurement.over_folds(
                group,
                name,
                [grid.fold for grid in grids],
                [figures[name] for figures in folds],
                sum(len(grid.query) for grid in grids),
            )
            for name in folds[0]
        ]
    return tuple(measured)


def group_probability(grid: PairGrid, group: str) -> NDArray[np.float64]:
    """Return how probable it is that each pair is a reference of the group."""
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
    """Return how probable 0, 1, 2 … successes are, where each trial has its own chance."""
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
    probability, truth = np.asarray(probability, np.float64), np.asarray(truth, np.bool_)
    if probability.shape != truth.shape or probability.ndim != 1:
        raise ParameterError("probabilities and truth are not two columns of the same length")
    if len(probability) and not (probability.min() >= 0 and probability.max() <= 1):
        raise ParameterError("a probability is not between 0 and 1")
    return probability, truth
