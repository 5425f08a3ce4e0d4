"""Listwise learning to rank: weights of columns that put right candidates first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Adam", "Lists", "fit_listwise"]

_STEPS = 300
_RATE = 0.03
_DECAY = 0.01
_INITIAL = 0.3
_MEAN, _SQUARES, _TINY = 0.9, 0.999, 1e-8  # the usual settings of Adam


def fit_listwise(
    columns: Sequence[NDArray[np.float32]], right: Sequence[NDArray[np.bool_]]
) -> NDArray[np.float64]:
    r"""Return the weights of columns that rank right candidates first.

    Minimises the mean over queries of the listwise cross-entropy

    .. math:: -\frac{1}{|R|} \sum_{i \in R} \log \frac{e^{w x_i}}{\sum_j e^{w x_j}}

    where :math:`R` are the right candidates of a query and :math:`j` all of them, by Adam with a
    falling rate and weight decay, from equal weights.

    Parameters
    ----------
    columns
        For each query, a row per candidate.
    right
        For each query, which candidates are right; queries without any are ignored.

    Raises
    ------
    ParameterError
        If no query has a right candidate.

    Examples
    --------
    >>> scores = np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 0.5]], np.float32)
    >>> weights = fit_listwise([scores] * 5, [np.array([True, False, False])] * 5)
    >>> bool(weights[0] > weights[1])
    True
    """
    lists = Lists.of(columns, right)
    weights = np.full(lists.rows.shape[1], _INITIAL)
    adam = Adam(weights.shape, _RATE, _DECAY, _STEPS)
    for step in range(_STEPS):
        gradient = lists.gradient(lists.rows @ weights.astype(np.float32))
        weights = adam.moved(weights, (gradient @ lists.rows).astype(np.float64), step)
    return weights


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """The candidates of many queries, one list after another; `begins` has the first of each query.

    `wanted` has target probabilities: equal for the right candidates of a query, 0 for others.
    """

    rows: NDArray[np.float32]
    begins: NDArray[np.int64]
    wanted: NDArray[np.float32]

    @classmethod
    def of(
        cls, columns: Sequence[NDArray[np.float32]], right: Sequence[NDArray[np.bool_]]
    ) -> Lists:
        """Join the candidates of queries that have a right one, or raise a ParameterError."""
        kept = [(own, hits) for own, hits in zip(columns, right, strict=True) if hits.any()]
        if not kept:
            raise ParameterError("learn.nothing_right")
        return cls(
            np.concatenate([own for own, _ in kept]).astype(np.float32),
            np.cumsum([0, *(len(own) for own, _ in kept[:-1])], dtype=np.int64),
            np.concatenate([hits / hits.sum() for _, hits in kept]).astype(np.float32),
        )

    def draw(self, count: int, rng: np.random.Generator) -> Lists:
        """Return a random batch of queries."""
        chosen = rng.permutation(len(self.begins))[:count]
        ends = np.append(self.begins[1:], len(self.rows))
        lengths = ends[chosen] - self.begins[chosen]
        begins = np.cumsum(lengths) - lengths
        rows = np.repeat(self.begins[chosen] - begins, lengths) + np.arange(lengths.sum())
        return Lists(self.rows[rows], begins, self.wanted[rows])

    def gradient(self, scores: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return the gradient of the mean loss with respect to the scores."""
        lengths = np.diff(np.append(self.begins, len(self.rows)))
        query = np.repeat(np.arange(len(self.begins)), lengths)
        odds = np.exp(scores - np.maximum.reduceat(scores, self.begins)[query])
        chance = odds / np.add.reduceat(odds, self.begins)[query]
        gradient: NDArray[np.float32] = (chance - self.wanted).astype(np.float32)
        return gradient / np.float32(len(self.begins))


class Adam:
    """The optimiser of Kingma and Ba (2015), with weight decay and a rate that falls to 0."""

    def __init__(self, shape: tuple[int, ...], rate: float, decay: float, steps: int) -> None:
        self._rate, self._decay, self._steps = rate, decay, steps
        self._mean, self._squares = np.zeros(shape), np.zeros(shape)

    def moved(
        self, weights: NDArray[np.float64], gradient: NDArray[np.float64], step: int
    ) -> NDArray[np.float64]:
        """Return the weights after a step."""
        self._mean = _MEAN * self._mean + (1 - _MEAN) * gradient
        self._squares = _SQUARES * self._squares + (1 - _SQUARES) * gradient**2
        rate = self._rate * (1 - step / self._steps)
        mean = self._mean / (1 - _MEAN ** (step + 1))
        spread = np.sqrt(self._squares / (1 - _SQUARES ** (step + 1))) + _TINY
        moved: NDArray[np.float64] = weights * (1 - rate * self._decay) - rate * mean / spread
        return moved
