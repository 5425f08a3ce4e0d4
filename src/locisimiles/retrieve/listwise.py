"""Learn what columns of scores count from queries whose sources are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["fit_listwise"]

_STEPS = 300
_RATE = 0.03
_DECAY = 0.01
_BEGIN = 0.3
_MEAN, _SQUARES, _TINY = 0.9, 0.999, 1e-8  # as Adam has them


def fit_listwise(
    columns: Sequence[NDArray[np.float32]], right: Sequence[NDArray[np.bool_]]
) -> NDArray[np.float64]:
    r"""Return the weights of columns that put right candidates before the others.

    Minimises the mean over queries of

    .. math:: -\frac{1}{|R|} \sum_{i \in R} \log \frac{e^{w x_i}}{\sum_j e^{w x_j}}

    where :math:`R` are the right candidates of a query, :math:`j` all of them, by gradient descent
    (Adam, its rate falling to 0, with a little decay of weights) from equal weights.

    Parameters
    ----------
    columns
        For each query, a row a candidate.
    right
        For each query, which candidates are right; queries without any are left out.

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
    kept = [(own, answers) for own, answers in zip(columns, right, strict=True) if answers.any()]
    if not kept:
        raise ParameterError("no query has a right candidate", hint="look deeper, or train on more")
    rows = np.concatenate([own for own, _ in kept]).astype(np.float32)
    begins = np.cumsum([0, *(len(own) for own, _ in kept[:-1])])
    query = np.repeat(np.arange(len(kept)), [len(own) for own, _ in kept])
    wanted = np.concatenate([answers / answers.sum() for _, answers in kept])
    weights = np.full(rows.shape[1], _BEGIN)
    mean, squares = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(_STEPS):
        scores = rows @ weights.astype(np.float32)
        odds = np.exp(scores - np.maximum.reduceat(scores, begins)[query])
        chance = odds / np.add.reduceat(odds, begins)[query]
        gradient = rows.T @ (chance - wanted).astype(np.float32) / len(kept)
        mean = _MEAN * mean + (1 - _MEAN) * gradient
        squares = _SQUARES * squares + (1 - _SQUARES) * gradient**2
        rate = _RATE * (1 - step / _STEPS)
        slope = mean / (1 - _MEAN ** (step + 1))
        spread = np.sqrt(squares / (1 - _SQUARES ** (step + 1))) + _TINY
        weights = weights * (1 - rate * _DECAY) - rate * slope / spread
    return weights
