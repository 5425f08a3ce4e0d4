"""Reranking: a cross-encoder judges the likely pairs again, and its judgement is weighted in.

It reads both texts together, which takes about a thousand times as long as comparing their words.
So it sees only pairs that may be references.
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
"""The probability of a reference from which a pair is worth the time of a cross-encoder."""
RERANKING_COLUMNS = 4
"""The log-odds of both types, of the features and of the cross-encoder."""
_RIDGE = 1.0
_LEAST_PROBABILITY = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Reranking:
    """The weights of a cross-encoder beside the features.

    Attributes
    ----------
    weights
        A row for *cit.* and one for *cf.*; `RERANKING_COLUMNS` columns, expanded as those of pairs
        are, and the constant.
    calibration
        How the resulting probabilities are read.
    """

    weights: NDArray[np.float64]
    calibration: Calibration


def rerank(
    first: NDArray[np.floating[Any]],
    second: NDArray[np.floating[Any]],
    sources: int,
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return probabilities that take a cross-encoder into account.

    Parameters
    ----------
    first, second
        Probabilities of the three classes, a row per pair, by the features and by the
        cross-encoder. Where the second is NaN, the first holds.
    sources
        The number of sources.
    weights
        Those of a `Reranking`.
    """
    read = ~np.isnan(second[:, 0])
    combined = np.array(first, np.float64)
    combined[read] = predict_logistic(_columns(first[read], second[read], sources), weights)
    return combined


def worth_reranking(first: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """Return the pairs that a cross-encoder should see.

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
    """Learn the weights of a cross-encoder from pairs that neither model has learnt from.

    Parameters
    ----------
    examples
        For each kind of pairs: probabilities by the features, by the cross-encoder, the number of
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
