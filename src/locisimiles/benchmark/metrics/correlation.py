"""Spearman's rank correlation, without SciPy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Correlation", "average_ranks", "spearman"]

_FEWEST = 3  # with two pairs, a correlation is ±1 whatever they are
_TINY = 1e-300


class Correlation(NamedTuple):
    """A correlation; NaN where one of the columns does not vary.

    Attributes
    ----------
    rho
        From -1 to 1.
    p_value
        How probable one as far from 0 is where there is none: two-sided, by Student's t.
    n
        The number of pairs.
    """

    rho: float
    p_value: float
    n: int


def spearman(first: ArrayLike, second: ArrayLike) -> Correlation:
    """Return Spearman's correlation of two columns; equal values share their mean rank.

    Examples
    --------
    >>> round(spearman([1, 2, 3, 4], [1, 3, 2, 4]).rho, 12)
    0.8
    >>> spearman([1, 2, 3, 4], [5, 5, 5, 5]).rho
    nan
    """
    one, two = np.asarray(first, np.float64).ravel(), np.asarray(second, np.float64).ravel()
    if len(one) != len(two):
        raise ParameterError(f"columns of {len(one)} and {len(two)} values cannot be correlated")
    if np.isnan(one).any() or np.isnan(two).any():
        raise ParameterError("a value to correlate is no number (NaN)")
    n = len(one)
    if n < _FEWEST:
        return Correlation(math.nan, math.nan, n)
    x, y = average_ranks(one), average_ranks(two)
    x, y = x - x.mean(), y - y.mean()
    scale = math.sqrt(float(x @ x)) * math.sqrt(float(y @ y))
    if scale == 0:
        return Correlation(math.nan, math.nan, n)
    rho = min(max(float(x @ y) / scale, -1.0), 1.0)
    return Correlation(rho, _p_value(rho, n - 2), n)


def average_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value from 1; equal values share the mean of their ranks.

    Examples
    --------
    >>> average_ranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return (last - (count - 1) / 2)[place]


def _p_value(rho: float, freedom: int) -> float:
    """Return the two-sided p-value: the regularised incomplete beta function at 1 - rho²."""
    x, a, b = 1 - rho * rho, freedom / 2, 0.5
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    log_scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    scale = math.exp(log_scale + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):  # where the fraction converges fast
        return min(scale * _beta_fraction(x, a, b) / a, 1.0)
    return max(1 - scale * _beta_fraction(1 - x, b, a) / b, 0.0)


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function by Lentz's method."""
    c, d = 1.0, 1 / (_not_zero(1 - (a + b) * x / (a + 1)))
    value = d
    for m in range(1, 10_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _not_zero(1 + numerator * d)
            c = _not_zero(1 + numerator / c)
            value *= c * d
        if abs(c * d - 1) < 1e-15:  # noqa: PLR2004 - no more digits in a float
            break
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
