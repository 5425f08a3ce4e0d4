"""Logistic regression by Newton's method, for few features and many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["fit_logistic", "fit_offset_logistic", "predict_logistic"]

_MOST_STEPS = 60
_MOST_HALVINGS = 30
_GOOD_ENOUGH = 1e-6
_ROUNDING = 1e-6  # of columns in single precision


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
        The number of classes. One that does not occur gets the smallest probability that the
        ridge allows.
    weight
        The number of examples each row stands for; by default one.
    ridge
        Half of this times the squared weights of the standardised features is added to the loss;
        constants are free up to a thousandth of it, so that there is always one best answer.

    Returns
    -------
    numpy.ndarray
        A row per class but the first, a column per feature and, last, the constant.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> weights = fit_logistic(x, np.array([0, 0, 1, 1], np.uint8), classes=2, ridge=0.1)
    >>> predict_logistic(x, weights)[:, 1].round(2).tolist()
    [0.03, 0.23, 0.77, 0.97]
    """
    if not len(features) or len(features) != len(label) or label.max() >= classes:
        raise ParameterError("classify.other_examples")
    weight = np.ones(len(features)) if weight is None else weight
    mean = np.average(features, axis=0, weights=weight)
    spread = np.sqrt(np.average((features - mean) ** 2, axis=0, weights=weight))
    # A column that varies by rounding only carries nothing; scaled up, it would be noise.
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
    """Fit what features add to known log-odds.

    Parameters
    ----------
    features
        A row per example; a constant is a column like others.
    label
        0 or 1.
    offset
        The log-odds of each example without them.
    penalty
        Half of this times the squared weight of each feature is added to the loss: a Gaussian
        prior around 0 with this precision.

    Returns
    -------
    numpy.ndarray
        A weight for each feature; all are 0 if there are no examples.

    Examples
    --------
    >>> constant, known = np.ones((4, 1)), np.zeros(4)
    >>> weights = fit_offset_logistic(constant, np.ones(4, np.uint8), known, np.ones(1))
    >>> weights.round(3).tolist()
    [1.043]
    """
    if not len(features) == len(label) == len(offset) or features.shape[1] != len(penalty):
        raise ParameterError("classify.other_examples")
    examples = _Examples(features, label, np.ones(len(features)), offset[:, np.newaxis])
    weights: NDArray[np.float64] = _descend(examples, penalty[np.newaxis])[0]
    return weights


def predict_logistic(
    features: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the probabilities of the classes, a row an example."""
    return _softmax(features @ weights[:, :-1].T + weights[:, -1])


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return probabilities, where the first class has score 0."""
    scores = np.column_stack([np.zeros(len(scores)), scores])
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: NDArray[np.float64] = exponentials / exponentials.sum(axis=1, keepdims=True)
    return result


class _Examples(NamedTuple):
    rows: NDArray[np.float64]
    label: NDArray[np.uint8]
    weight: NDArray[np.float64]
    offset: NDArray[np.float64] | float = 0.0


def _descend(examples: _Examples, penalty: NDArray[np.float64]) -> NDArray[np.float64]:
    """Go downhill until nothing is gained."""
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
    probabilities = _softmax(examples.rows @ weights.T + examples.offset)
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
