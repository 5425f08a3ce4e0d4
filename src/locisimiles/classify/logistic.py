"""Logistic regression by Newton's method, for few features and many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from locisimiles.checks import check_at_least, check_between, check_equal_lengths

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["fit_logistic", "fit_offset_logistic", "predict_logistic", "softmax"]

_Float = TypeVar("_Float", bound=np.floating[Any])
_MOST_STEPS = 60
_MOST_HALVINGS = 30
_GOOD_ENOUGH = 1e-6
_ROUNDING = 1e-6  # relative error of columns in single precision


def fit_logistic(
    features: NDArray[np.float64],
    label: NDArray[np.uint8],
    *,
    classes: int,
    weight: NDArray[np.float64] | None = None,
    ridge: float = 1.0,
) -> NDArray[np.float64]:
    """Fit a multinomial logistic regression.

    Parameters
    ----------
    features
        A row per example.
    label
        The class of each, from 0.
    classes
        The number of classes. A class that does not occur gets the smallest probability that the
        ridge allows.
    weight
        The number of examples each row stands for; by default one.
    ridge
        The L2 penalty on the weights of the standardised features; intercepts have a thousandth
        of it, so that there is always a unique solution.

    Returns
    -------
    numpy.ndarray
        A row per class but the first, a column per feature and, last, the intercept.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> weights = fit_logistic(x, np.array([0, 0, 1, 1], np.uint8), classes=2, ridge=0.1)
    >>> predict_logistic(x, weights)[:, 1].round(2).tolist()
    [0.03, 0.23, 0.77, 0.97]
    """
    check_equal_lengths(features=features, label=label)
    check_at_least(1, examples=len(label))
    check_between(0, classes - 1, label=int(label.max()))
    weight = np.ones(len(features)) if weight is None else weight
    mean = np.average(features, axis=0, weights=weight)
    spread = np.sqrt(np.average((features - mean) ** 2, axis=0, weights=weight))
    # A column that varies only by rounding carries no information; scaled up, it would be noise.
    constant = spread <= _ROUNDING * np.maximum(np.abs(mean), 1)
    spread[constant] = 1
    standardised = np.where(constant, 0.0, (features - mean) / spread)
    rows = np.column_stack([standardised, np.ones(len(features))])
    examples = _Examples(rows, label, weight)
    penalty = np.full((classes - 1, rows.shape[1]), ridge)
    penalty[:, -1] = ridge / 1000
    raw = _descend(examples, penalty)
    raw[:, :-1] /= spread
    raw[:, -1] -= raw[:, :-1] @ mean
    return raw


def fit_offset_logistic(
    features: NDArray[np.float64],
    label: NDArray[np.uint8],
    offset: NDArray[np.float64],
    penalty: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Fit a binary logistic regression with an offset: what features add to known log-odds.

    Parameters
    ----------
    features
        A row per example; an intercept is a column like others.
    label
        0 or 1.
    offset
        The known log-odds of each example.
    penalty
        The L2 penalty on the weight of each feature: a Gaussian prior around 0 with this precision.

    Returns
    -------
    numpy.ndarray
        The weight of each feature; 0 without examples.

    Examples
    --------
    >>> constant, known = np.ones((4, 1)), np.zeros(4)
    >>> weights = fit_offset_logistic(constant, np.ones(4, np.uint8), known, np.ones(1))
    >>> weights.round(3).tolist()
    [1.043]
    """
    check_equal_lengths(features=features, label=label, offset=offset)
    check_equal_lengths(features=features.T, penalty=penalty)
    examples = _Examples(features, label, np.ones(len(features)), offset[:, np.newaxis])
    weights: NDArray[np.float64] = _descend(examples, penalty[np.newaxis])[0]
    return weights


def predict_logistic(
    features: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the probabilities of the classes, a row per example."""
    return _probabilities(features @ weights[:, :-1].T + weights[:, -1])


def softmax(scores: NDArray[_Float]) -> NDArray[_Float]:
    """Return probabilities, a row per example.

    Examples
    --------
    >>> softmax(np.log(np.array([[2.0, 1.0, 1.0]]))).round(3).tolist()
    [[0.5, 0.25, 0.25]]
    """
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities: NDArray[_Float] = exponentials / exponentials.sum(axis=1, keepdims=True)
    return probabilities


def _probabilities(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities of all classes; the first has score 0."""
    return softmax(np.column_stack([np.zeros(len(scores)), scores]))


class _Examples(NamedTuple):
    rows: NDArray[np.float64]
    label: NDArray[np.uint8]
    weight: NDArray[np.float64]
    offset: NDArray[np.float64] | float = 0.0


def _descend(examples: _Examples, penalty: NDArray[np.float64]) -> NDArray[np.float64]:
    """Minimise the loss by Newton steps, halved until they do not increase it."""
    weights = np.zeros_like(penalty)
    loss, probabilities = _loss(examples, weights, penalty)
    for _ in range(_MOST_STEPS):
        step = _newton_step(examples, weights, penalty, probabilities)
        for halvings in range(_MOST_HALVINGS):
            candidate = weights - step / 2**halvings
            new_loss, probabilities = _loss(examples, candidate, penalty)
            if new_loss <= loss:
                break
        gain, weights, loss = loss - new_loss, candidate, new_loss
        if gain < _GOOD_ENOUGH:
            break
    return weights


def _loss(
    examples: _Examples,
    weights: NDArray[np.float64],
    penalty: NDArray[np.float64],
) -> tuple[float, NDArray[np.float64]]:
    probabilities = _probabilities(examples.rows @ weights.T + examples.offset)
    right = probabilities[np.arange(len(examples.rows)), examples.label]
    fit = -(examples.weight * np.log(np.maximum(right, np.finfo(float).tiny))).sum()
    return float(fit + (penalty * weights**2).sum() / 2), probabilities


def _newton_step(
    examples: _Examples,
    weights: NDArray[np.float64],
    penalty: NDArray[np.float64],
    probabilities: NDArray[np.float64],
) -> NDArray[np.float64]:
    kinds = len(weights)
    rows, label, weight, _ = examples
    chances = probabilities[:, 1:]
    errors = chances - (label[:, np.newaxis] == np.arange(1, kinds + 1))
    gradient = (errors * weight[:, np.newaxis]).T @ rows + penalty * weights
    blocks = [
        [
            (rows * (weight * chances[:, a] * ((a == b) - chances[:, b]))[:, np.newaxis]).T @ rows
            for b in range(kinds)
        ]
        for a in range(kinds)
    ]
    hessian = np.block(blocks) + np.diag(penalty.ravel())
    step: NDArray[np.float64] = np.linalg.solve(hessian, gradient.ravel()).reshape(weights.shape)
    return step
