"""Selections of judged pairs, and the number of references to expect among them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.checks import check_at_least, check_between, check_whole
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["NINETY_PERCENT", "Expectation", "Selection", "Tally", "expect_references"]

NINETY_PERCENT = 1.645
"""Half the 90 % interval of a normal distribution, in standard deviations."""
_DOUBT = 0.25
_UNIT = 2**32  # of chances in sums; 2^31 pairs fit into 64 bits


@dataclass(frozen=True, slots=True)
class Expectation:
    """The number of references to expect among pairs.

    Attributes
    ----------
    pairs
        The number of pairs.
    expected
        The sum of their probabilities.
    low, high
        The 90 % interval.
    """

    pairs: int
    expected: float
    low: int
    high: int

    def as_dict(self) -> dict[str, float]:
        """Return the numbers by name, for manifests."""
        return {
            "pairs": self.pairs,
            "expected": round(self.expected, 1),
            "low": self.low,
            "high": self.high,
        }

    def __str__(self) -> str:
        pairs = "1 pair" if self.pairs == 1 else f"{self.pairs:,} pairs"
        return (
            f"{pairs}, about {self.expected:.0f} of them references "
            f"(90 % interval: {self.low:,} to {self.high:,})"
        )


class Tally:
    """Counts the references to expect, block by block; the order of pairs does not matter.

    Examples
    --------
    >>> tally = Tally()
    >>> tally.add(np.full(60, 0.5)), tally.add(np.full(40, 0.5))
    (None, None)
    >>> tally.expectation() == expect_references(np.full(100, 0.5))
    True
    """

    # Sums of whole numbers do not depend on how pairs are grouped.
    def __init__(self) -> None:
        self.pairs = self._expected = self._variance = 0

    def add(self, probability: NDArray[np.floating[Any]]) -> None:
        """Add the probabilities of some pairs."""
        chances = np.clip(np.asarray(probability, np.float64), 0.0, 1.0)
        self.pairs += len(chances)
        self._expected += int(np.rint(chances * _UNIT).astype(np.int64).sum())
        self._variance += int(np.rint(chances * (1 - chances) * _UNIT).astype(np.int64).sum())

    def expectation(self, spread: float = 0.0) -> Expectation:
        """Return the number of references to expect; see `expect_references`."""
        expected, variance = self._expected / _UNIT, self._variance / _UNIT
        reach = NINETY_PERCENT * math.sqrt(_DOUBT + variance + (spread * variance) ** 2)
        return Expectation(
            pairs=self.pairs,
            expected=expected,
            low=max(math.floor(expected - reach + 0.5), 0),
            high=min(math.ceil(expected + reach - 0.5), self.pairs),
        )


def expect_references(probability: NDArray[np.floating[Any]], spread: float = 0.0) -> Expectation:
    r"""Return the number of references to expect among pairs.

    If the probabilities :math:`p_i` hold, the number has the mean :math:`\sum p_i` and the variance
    :math:`V = \sum p_i (1 - p_i)`. But a document may have more or fewer references than those the
    classifier has learnt from: the error in its log-odds has the standard deviation
    :math:`\sigma`, which adds :math:`(\sigma V)^2`. Another quarter is added because nothing is
    certain: even a plain quotation may never have been noted.

    Parameters
    ----------
    probability
        The probability of each pair.
    spread
        :math:`\sigma`.

    Examples
    --------
    >>> print(expect_references(np.full(100, 0.5)))
    100 pairs, about 50 of them references (90 % interval: 42 to 58)
    >>> print(expect_references(np.full(100, 0.5), spread=0.4))
    100 pairs, about 50 of them references (90 % interval: 32 to 68)
    """
    tally = Tally()
    tally.add(probability)
    return tally.expectation(spread)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which judged pairs are kept; by default all.

    Parameters
    ----------
    budget
        Keep this many pairs: the most probable over all queries.
    precision
        Keep as many of the most probable pairs as possible, as long as this share of them is
        expected to be references.
    threshold
        Keep the pairs with at least this probability.

    Examples
    --------
    >>> probability = np.array([0.9, 0.2, 0.6, 0.5])
    >>> Selection(budget=2).kept(probability).tolist()
    [True, False, True, False]
    >>> Selection(precision=0.6).kept(probability).tolist()
    [True, False, True, True]
    >>> Selection(threshold=0.9).kept(probability).tolist()
    [True, False, False, False]
    """

    budget: int | None = None
    precision: float | None = None
    threshold: float | None = None

    def __post_init__(self) -> None:
        if sum(value is not None for value in (self.budget, self.precision, self.threshold)) > 1:
            raise ParameterError("classify.one_selection")
        check_whole(budget=self.budget)
        check_at_least(1, budget=self.budget)
        check_between(0, 1, precision=self.precision, threshold=self.threshold)

    @property
    def is_needed(self) -> bool:
        """Whether anything may be left out."""
        return self != Selection()

    @property
    def spans_all(self) -> bool:
        """Whether it depends on all pairs which ones are kept."""
        return self.budget is not None or self.precision is not None

    def of_a_block(self) -> Selection:
        """Return the selection that can be applied to some queries before the others are known.

        A budget over all pairs leaves at most as many in each block. How far down a precision
        reaches depends on the pairs to come.
        """
        return Selection() if self.precision is not None else self

    def as_dict(self) -> Mapping[str, float]:
        """Return the choice, for manifests."""
        chosen = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in chosen.items() if value is not None}

    def kept(self, probability: NDArray[np.floating[Any]]) -> NDArray[np.bool_]:
        """Tell which pairs are kept; of equally probable pairs, the first."""
        chances = np.asarray(probability, np.float64)
        if self.threshold is not None:
            return chances >= self.threshold
        order = np.argsort(-chances, kind="stable")
        keep = np.ones(len(chances), np.bool_)
        if self.budget is not None:
            keep[order[self.budget :]] = False
        elif self.precision is not None:
            shares = np.cumsum(chances[order]) / np.arange(1, len(chances) + 1)
            # Rounding must not drop a pair that is exactly good enough.
            enough = np.flatnonzero(shares >= self.precision - 1e-9)
            keep[order[enough[-1] + 1 if len(enough) else 0 :]] = False
        return keep
