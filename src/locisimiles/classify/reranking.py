"""Reranking: a cross-encoder judges the likely pairs again, and its judgement is weighted in.

It reads both texts together, which takes about a thousand times as long as comparing their words.
So it judges only pairs that may be references.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.classify.logistic import fit_logistic, predict_logistic
from locisimiles.classify.pair_features import expanded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.classify.calibration import Calibration

__all__ = [
    "RERANKING_COLUMNS",
    "RERANK_FROM",
    "Reranking",
    "fit_reranking",
    "rerank",
    "worth_reranking",
]

RERANK_FROM = 0.01
"""The least probability of a reference that a cross-encoder judges."""
RERANKING_COLUMNS = 4
"""The log-odds of both types, by the features and by the cross-encoder."""
_RIDGE = 1.0
_LEAST_PROBABILITY = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Reranking:
    """How to combine features and a cross-encoder, and the calibration of the result.

    Weights have a row for *cit.* and one for *cf.*; `RERANKING_COLUMNS` columns, expanded like the
    features of pairs, and the intercept.
    """

    weights: NDArray[np.float64]
    calibration: Calibration


def rerank(
    first: NDArray[np.floating[Any]],
    second: NDArray[np.floating[Any]],
    sources: int,
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Combine the probabilities by the features (`first`) and by a cross-encoder (`second`).

    Where the second are NaN, the first hold. `weights` are those of a `Reranking`.
    """
    judged = ~np.isnan(second[:, 0])
    combined = np.array(first, np.float64)
    combined[judged] = predict_logistic(_columns(first[judged], second[judged], sources), weights)
    return combined


def worth_reranking(first: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """Return the pairs that are worth the time of a cross-encoder.

    Examples
    --------
    >>> worth_reranking(np.array([[0.5, 0.4, 0.1], [0.999, 0.0, 0.001]])).tolist()
    [0]
    """
    return np.flatnonzero(first[:, 1:].sum(axis=1) >= RERANK_FROM)


def fit_reranking(
    examples: Sequence[
        tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]], int, NDArray[np.uint8]]
    ],
) -> NDArray[np.float64]:
    """Fit the weights of a `Reranking` to pairs that neither model was trained on.

    Examples hold the probabilities by the features, those by the cross-encoder, the number of
    sources, and the labels.
    """
    columns = [_columns(first, second, sources) for first, second, sources, _ in examples]
    label = np.concatenate([label for *_, label in examples])
    return fit_logistic(np.concatenate(columns), label, classes=3, ridge=_RIDGE)


def _columns(
    first: NDArray[np.floating[Any]], second: NDArray[np.floating[Any]], sources: int
) -> NDArray[np.float64]:
    return expanded(np.column_stack([_log_odds(first), _log_odds(second)]), sources)


def _log_odds(chances: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return the log-odds of both types against no match."""
    logs = np.log(np.maximum(np.asarray(chances, np.float64), _LEAST_PROBABILITY))
    return logs[:, 1:] - logs[:, :1]
