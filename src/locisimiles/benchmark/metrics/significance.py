"""Is one method better than another, or was it luck? Answers over queries.

Values are given per query, the same queries in the same order for both methods. All randomness is
seeded: the same values give the same answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Comparison",
    "Interval",
    "bootstrap_interval",
    "compare",
    "holm",
    "randomisation_test",
]

_EXACT_UP_TO = 16  # differences: 65,536 ways of giving them signs
_CELLS_AT_ONCE = 1 << 22
_ROUNDING = 1e-9  # sums of the same numbers in another order must count as equal


class Interval(NamedTuple):
    """Between which a mean lies with some confidence."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What one method gains over another.

    Attributes
    ----------
    n
        How many queries were compared.
    mean_difference
        The mean of first minus second.
    interval
        The bootstrap interval of that mean.
    p_value
        Of the paired randomisation test, two-sided.
    wins, ties, losses
        For how many queries the first is better, equal, worse.
    effect_size
        Cohen's d for paired values: the mean difference in standard deviations of the
        differences; 0 where there is no difference, infinite where all differ by the same.
    """

    n: int
    mean_difference: float
    interval: Interval
    p_value: float
    wins: int
    ties: int
    losses: int
    effect_size: float


def bootstrap_interval(
    values: ArrayLike, *, confidence: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> Interval:
    """Return the interval of a mean over queries, by drawing queries with replacement.

    All queries weigh the same here, whatever their fold; the mean over folds of a table may differ
    from theirs in the third digit.

    Parameters
    ----------
    values
        One a query.
    confidence
        How sure the interval shall be (percentile method).
    resamples
        How often queries are drawn.
    seed
        Where the random numbers begin.

    Examples
    --------
    >>> low, high = bootstrap_interval([0, 1, 1, 0, 1, 1, 1, 0])
    >>> low < 0.625 < high
    True
    >>> bootstrap_interval([0.5, 0.5])
    Interval(low=0.5, high=0.5)
    """
    column = _column(values)
    if not 0 < confidence < 1 or resamples < 1:
        raise ParameterError(f"confidence={confidence} with {resamples} resamples makes no sense")
    generator = np.random.default_rng(seed)
    means = np.empty(resamples)
    step = max(_CELLS_AT_ONCE // len(column), 1)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        drawn = generator.integers(len(column), size=(rows, len(column)))
        means[start : start + rows] = column[drawn].mean(axis=1)
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(low), float(high))


def randomisation_test(
    first: ArrayLike, second: ArrayLike, *, resamples: int = 100_000, seed: int = 0
) -> float:
    """Return the p-value of the paired randomisation test for a difference of means.

    If the methods were the same, each query could as well have had its two values exchanged: the
    difference of means is compared with those after exchanging at random. With up to 16 queries
    that differ, all ways of exchanging are tried and the value is exact; otherwise the observed
    one is counted among the random ones, so that it is never 0. Two-sided.

    Examples
    --------
    >>> randomisation_test([1, 1, 1], [0, 0, 0])
    0.25
    >>> randomisation_test([1, 0, 1], [1, 0, 1])
    1.0
    """
    difference = _differences(first, second)
    difference = difference[difference != 0]
    if not len(difference):
        return 1.0
    observed = abs(float(difference.sum()))
    enough = observed - _ROUNDING * float(np.abs(difference).sum())
    if len(difference) <= _EXACT_UP_TO:
        bits = np.arange(1 << len(difference))[:, np.newaxis] >> np.arange(len(difference))
        sums = np.abs((1 - 2 * (bits & 1)) @ difference)
        return float(np.mean(sums >= enough))
    if resamples < 1:
        raise ParameterError(f"resamples={resamples} tests nothing")
    return (1 + _as_extreme(difference, enough, resamples, seed)) / (1 + resamples)


def compare(
    first: ArrayLike,
    second: ArrayLike,
    *,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Compare two methods query by query.

    Examples
    --------
    >>> result = compare([1.0, 0.5, 1.0, 0.2], [0.0, 0.5, 0.5, 0.4])
    >>> result.wins, result.ties, result.losses, round(result.mean_difference, 3)
    (2, 1, 1, 0.325)
    """
    difference = _differences(first, second)
    mean = float(difference.mean())
    spread = float(difference.std(ddof=1)) if len(difference) > 1 else 0.0
    if spread > _ROUNDING * abs(mean):
        effect = mean / spread
    else:
        effect = math.copysign(math.inf, mean) if mean else 0.0
    return Comparison(
        n=len(difference),
        mean_difference=mean,
        interval=bootstrap_interval(
            difference, confidence=confidence, resamples=resamples, seed=seed
        ),
        p_value=randomisation_test(first, second, resamples=resamples, seed=seed),
        wins=int(np.count_nonzero(difference > 0)),
        ties=int(np.count_nonzero(difference == 0)),
        losses=int(np.count_nonzero(difference < 0)),
        effect_size=effect,
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for having made several comparisons, by Holm's method.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    column = np.asarray(p_values, np.float64)
    if not ((column >= 0) & (column <= 1)).all():
        raise ParameterError("a p-value is not between 0 and 1")
    order = np.argsort(column, kind="stable")
    factors = np.arange(len(column), 0, -1)
    corrected = np.empty(len(column))
    corrected[order] = np.minimum(np.maximum.accumulate(column[order] * factors), 1)
    return [float(value) for value in corrected]


def _as_extreme(difference: NDArray[np.float64], enough: float, resamples: int, seed: int) -> int:
    generator = np.random.default_rng(seed)
    count = 0
    step = max(_CELLS_AT_ONCE // len(difference), 1)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        exchanged = generator.integers(2, size=(rows, len(difference)), dtype=np.int8)
        # The sum after exchanging is the sum of all less twice what was exchanged.
        sums = difference.sum() - 2 * (exchanged.astype(np.float64) @ difference)
        count += int(np.count_nonzero(np.abs(sums) >= enough))
    return count


def _differences(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    one, two = _column(first), _column(second)
    if len(one) != len(two):
        raise ParameterError(
            f"{len(one)} and {len(two)} values are not those of the same queries",
            hint="compare methods on queries that both were measured on",
        )
    return one - two


def _column(values: ArrayLike) -> NDArray[np.float64]:
    column = np.asarray(values, np.float64)
    if column.ndim != 1 or not len(column):
        raise ParameterError("there are no values of queries to compare")
    if not np.isfinite(column).all():
        raise ParameterError("the value of a query is no finite number")
    return column
