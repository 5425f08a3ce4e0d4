"""Which of many judged pairs are worth reading, and how many references are among them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["Cut", "Expectation", "expect_references"]

_DOUBT = 0.25
_NINETY_PERCENT = 1.645  # standard deviations, on both sides


@dataclass(frozen=True, slots=True)
class Expectation:
    """How many references are expected among pairs.

    Attributes
    ----------
    pairs
        How many pairs there are.
    expected
        How many of them are references, by their probabilities.
    low, high
        Between which numbers it is in nine of ten cases.
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
            f"{pairs}; references to be expected among them: about {self.expected:.0f} "
            f"(90 %: {self.low:,} to {self.high:,})"
        )


def expect_references(probability: NDArray[np.floating[Any]], spread: float = 0.0) -> Expectation:
    r"""Say how many references there are among pairs.

    If :math:`p_i` are right, the number has the mean :math:`\sum p_i` and the variance
    :math:`V = \sum p_i (1 - p_i)`. But a document may have more or fewer references than those the
    classifier has learnt from: its log-odds are off by something with the standard deviation
    :math:`\sigma`, which adds :math:`(\sigma V)^2`. A quarter more is added, since nothing is
    certain: even a plain quotation may not have been noted by anybody.

    Parameters
    ----------
    probability
        That each pair is a reference.
    spread
        :math:`\sigma`.

    Examples
    --------
    >>> print(expect_references(np.full(100, 0.5)))
    100 pairs; references to be expected among them: about 50 (90 %: 42 to 58)
    >>> print(expect_references(np.full(100, 0.5), spread=0.4))
    100 pairs; references to be expected among them: about 50 (90 %: 32 to 68)
    """
    chances = np.clip(np.asarray(probability, np.float64), 0.0, 1.0)
    expected = float(chances.sum())
    variance = float((chances * (1 - chances)).sum())
    reach = _NINETY_PERCENT * math.sqrt(_DOUBT + variance + (spread * variance) ** 2)
    return Expectation(
        pairs=len(chances),
        expected=expected,
        low=max(math.floor(expected - reach + 0.5), 0),
        high=min(math.ceil(expected + reach - 0.5), len(chances)),
    )


@dataclass(frozen=True, slots=True)
class Cut:
    """What is kept of judged pairs; by default everything.

    Parameters
    ----------
    budget
        So many pairs: the most probable of all queries together.
    precision
        As many of the most probable pairs as can be, so that this share of them is expected to be
        references.
    threshold
        The pairs that are references with at least this probability.

    Examples
    --------
    >>> probability = np.array([0.9, 0.2, 0.6, 0.5])
    >>> Cut(budget=2).kept(probability).tolist()
    [True, False, True, False]
    >>> Cut(precision=0.6).kept(probability).tolist()
    [True, False, True, True]
    >>> Cut(threshold=0.9).kept(probability).tolist()
    [True, False, False, False]
    """

    budget: int | None = None
    precision: float | None = None
    threshold: float | None = None

    def __post_init__(self) -> None:
        if sum(value is not None for value in (self.budget, self.precision, self.threshold)) > 1:
            raise ParameterError(
                "budget, precision and threshold are three ways to cut", hint="choose one of them"
            )
        if self.budget is not None and not isinstance(self.budget, int | np.integer):
            raise ParameterError(f"budget={self.budget} is no whole number")
        if self.budget is not None and self.budget < 1:
            raise ParameterError(f"budget={self.budget} leaves nothing", hint="1 is the least")
        for name in ("precision", "threshold"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise ParameterError(f"{name}={value} is not between 0 and 1")

    @property
    def is_needed(self) -> bool:
        """Whether anything is cut off at all."""
        return self != Cut()

    def as_dict(self) -> Mapping[str, float]:
        """Return what was chosen, for manifests."""
        chosen = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in chosen.items() if value is not None}

    def kept(self, probability: NDArray[np.floating[Any]]) -> NDArray[np.bool_]:
        """Tell which pairs are kept; between equals those that come first."""
        chances = np.asarray(probability, np.float64)
        if self.threshold is not None:
            return chances >= self.threshold
        order = np.argsort(-chances, kind="stable")
        keep = np.ones(len(chances), np.bool_)
        if self.budget is not None:
            keep[order[self.budget :]] = False
        elif self.precision is not None:
            shares = np.cumsum(chances[order]) / np.arange(1, len(chances) + 1)
            # Rounding must not cut off a pair that is exactly good enough.
            enough = np.flatnonzero(shares >= self.precision - 1e-9)
            keep[order[enough[-1] + 1 if len(enough) else 0 :]] = False
        return keep
