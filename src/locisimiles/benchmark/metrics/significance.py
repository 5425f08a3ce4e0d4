"""Whether one method is better than another by more than chance.

Both methods have one value per query, for the same queries in the same order. Random draws are
seeded: the same values give the same answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.checks import check_at_least, check_equal_lengths
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Comparison",
    "Interval",
    "bootstrap_interval",
    "check_confidence",
    "compare",
    "holm",
    "randomisation_test",
]

_MOST_EXACT = 16  # differences: 65,536 assignments of signs
_CELLS_AT_ONCE = 1 << 22
_ROUNDING = 1e-9  # sums of the same numbers in another order must count as equal


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What one method gains over another.

    Attributes
    ----------
    n
        The number of queries.
    mean_difference
        The mean of first minus second.
    interval
        The bootstrap interval of that mean.
    p_value
        Of the paired randomisation test, two-sided.
    wins, ties, losses
        The number of queries for which the first method is better, equal, worse.
    effect_size
        Cohen's d for paired values: the mean difference in standard deviations of the
        differences; 0 if there is no difference, infinite if all queries differ by the same.
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
    """Return the percentile bootstrap interval of a mean over queries.

    All queries have the same weight, whatever their fold, so the mean over folds in a table may
    differ from theirs in the third digit.

    Parameters
    ----------
    values
        One per query.
    confidence
        The confidence level, between 0 and 1.
    resamples
        The number of resamples, at least 2.
    seed
        Seed of the random draws.

    Examples
    --------
    >>> low, high = bootstrap_interval([0, 1, 1, 0, 1, 1, 1, 0])
    >>> low < 0.625 < high
    True
    >>> bootstrap_interval([0.5, 0.5])
    Interval(low=0.5, high=0.5)
    """
    from scipy.stats import bootstrap

    column = _column(values)
    check_at_least(2, resamples=resamples)
    check_confidence(confidence)
    if len(column) == 1:  # SciPy wants two
        return Interval(float(column[0]), float(column[0]))
    found = bootstrap(
        (column,),
        np.mean,
        n_resamples=resamples,
        batch=max(_CELLS_AT_ONCE // len(column), 1),
        confidence_level=confidence,
        method="percentile",
        random_state=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(float(found.low), float(found.high))


def check_confidence(confidence: float) -> None:
    """Raise a ParameterError if a confidence level is not between 0 and 1."""
    if not 0 < confidence < 1:
        raise ParameterError(
            "checks.out_of_range", name="confidence", value=str(confidence), low="0", high="1"
        )


def randomisation_test(
    first: ArrayLike, second: ArrayLike, *, resamples: int = 100_000, seed: int = 0
) -> float:
    """Return the p-value of the paired randomisation test for a difference of means.

    If the methods were equal, the two values of any query could be swapped: the difference of means
    is compared with those after random swaps. With up to 16 queries that differ, all swaps are
    tried and the p-value is exact; otherwise the observed difference counts among the random ones,
    so the p-value is never 0. Two-sided.

    Examples
    --------
    >>> randomisation_test([1, 1, 1], [0, 0, 0])
    0.25
    >>> randomisation_test([1, 0, 1], [1, 0, 1])
    1.0
    """
    # scipy.stats.permutation_test draws other swaps and doubles one tail: recorded p-values and the
    # stars in reports would change.
    difference = _differences(first, second)
    difference = difference[difference != 0]
    if not len(difference):
        return 1.0
    observed = abs(float(difference.sum()))
    enough = observed - _ROUNDING * float(np.abs(difference).sum())
    if len(difference) <= _MOST_EXACT:
        bits = np.arange(1 << len(difference))[:, np.newaxis] >> np.arange(len(difference))
        sums = np.abs((1 - 2 * (bits & 1)) @ difference)
        return float(np.mean(sums >= enough))
    check_at_least(1, resamples=resamples)
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
    """Return p-values corrected for multiple comparisons by Holm's method.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    column = np.asarray(p_values, np.float64)
    if not ((column >= 0) & (column <= 1)).all():
        raise ParameterError("benchmark.not_probabilities", name="p_values")
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
        swapped = generator.integers(2, size=(rows, len(difference)), dtype=np.int8)
        # A swap changes the sign of a difference, and so takes it away twice.
        sums = difference.sum() - 2 * (swapped.astype(np.float64) @ difference)
        count += int(np.count_nonzero(np.abs(sums) >= enough))
    return count


def _differences(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    one, two = _column(first), _column(second)
    check_equal_lengths(first=one, second=two)
    return one - two


def _column(values: ArrayLike) -> NDArray[np.float64]:
    column = np.asarray(values, np.float64)
    if column.ndim != 1 or not len(column) or not np.isfinite(column).all():
        raise ParameterError("benchmark.no_query_values")
    return column
