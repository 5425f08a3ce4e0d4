"""A cross-encoder is asked about likely pairs, and what it says is weighed.

It reads both texts together, which takes about a thousand times as long as to compare their words.
Where a reference is out of the question, nobody asks it.
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

    from locisimiles.classify.standards import Standards

__all__ = ["LEAST_LIKELY", "OPINION_COLUMNS", "SecondOpinion", "learn_opinion", "likely", "revise"]

LEAST_LIKELY = 0.01
"""From which probability of a reference on a pair is worth the time of a cross-encoder."""
OPINION_COLUMNS = 4
"""The log-odds of both types: those of the words, and those of the cross-encoder."""
_RIDGE = 1.0
_LEAST_CHANCE = 1e-4  # nobody is surer


@dataclass(frozen=True, slots=True, eq=False)
class SecondOpinion:
    """How much a cross-encoder's opinion counts beside a first one.

    Attributes
    ----------
    weights
        A row for *cit.* and one for *cf.*; a column for each of `OPINION_COLUMNS`, expanded as
        those of pairs are, and the constant.
    standards
        How the probabilities that come out are read.
    """

    weights: NDArray[np.float64]
    standards: Standards


def revise(
    first: NDArray[np.floating[Any]],
    opinion: NDArray[np.floating[Any]],
    sources: int,
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return what to think of pairs after a second opinion.

    Parameters
    ----------
    first, opinion
        Probabilities of the three classes, a row a pair. Where the second is NaN nobody was asked,
        and the first holds.
    sources
        How many sources there are.
    weights
        Those of a `SecondOpinion`.
    """
    heard = ~np.isnan(opinion[:, 0])
    revised = np.array(first, np.float64)
    columns = _columns(first[heard], opinion[heard], sources)
    revised[heard] = predict_logistic(columns, weights)
    return revised


def likely(first: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """Return which pairs are worth a second opinion.

    Examples
    --------
    >>> likely(np.array([[0.5, 0.4, 0.1], [0.999, 0.0, 0.001]])).tolist()
    [0]
    """
    return np.flatnonzero(first[:, 1:].sum(axis=1) >= LEAST_LIKELY)


def learn_opinion(
    examples: Sequence[
        tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]], int, NDArray[np.uint8]]
    ],
) -> NDArray[np.float64]:
    """Learn how much an opinion counts; both opinions must be of pairs that were not learnt from.

    Parameters
    ----------
    examples
        For each kind of pairs: first opinion, second one, the number of sources, and what the pairs
        are.
    """
    columns = [_columns(first, second, sources) for first, second, sources, _ in examples]
    label = np.concatenate([label for *_, label in examples])
    return fit_logistic(np.concatenate(columns), label, classes=3, ridge=_RIDGE)


def _columns(
    first: NDArray[np.floating[Any]], opinion: NDArray[np.floating[Any]], sources: int
) -> NDArray[np.float64]:
    return expanded(np.column_stack([_log_odds(first), _log_odds(opinion)]), sources)


def _log_odds(chances: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return the log-odds of both types against no match."""
    logs = np.log(np.maximum(np.asarray(chances, np.float64), _LEAST_CHANCE))
    return logs[:, 1:] - logs[:, :1]
