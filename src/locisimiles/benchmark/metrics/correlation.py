"""Spearman's rank correlation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.checks import check_equal_lengths
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Correlation", "spearman"]

_FEWEST = 3  # two pairs always correlate perfectly


class Correlation(NamedTuple):
    """A correlation; NaN if one of the columns is constant.

    Attributes
    ----------
    rho
        From -1 to 1.
    p_value
        Two-sided, by Student's t.
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
    from scipy.stats import spearmanr

    one, two = np.asarray(first, np.float64).ravel(), np.asarray(second, np.float64).ravel()
    check_equal_lengths(first=one, second=two)
    if np.isnan(one).any() or np.isnan(two).any():
        raise ParameterError("benchmark.correlated_nan")
    n = len(one)
    if n < _FEWEST or one.min() == one.max() or two.min() == two.max():
        return Correlation(math.nan, math.nan, n)
    found = spearmanr(one, two)
    return Correlation(float(found.statistic), float(found.pvalue), n)
