r"""The order of judged verses: classifier and search together.

The classifier has learnt from poets, whom prose writers cite. For verses of the Bible the search,
which reads fewer features, orders better, and both together best for the first candidate. With the
classifier's log-odds :math:`l`, what a verse gains by clues :math:`g`
(`locisimiles.retrieve.verses`), and the score of the search :math:`s`, which includes them, verses
are ordered by

.. math:: \lambda (l + g) + (1 - \lambda) s

The probabilities are those of :math:`l + g`, less `OFFSET`: the first verse gets the highest of its
segment, the second the next. So what is expected of a segment does not depend on the search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["OFFSET", "judged_with_search"]

_LEAST = 1e-9
OFFSET = 1.4
"""Candidates are cited more often than other verses. With this much less, in log-odds, as many
adapted references of the Fathers are expected as without clues: base rates hold for both."""


def judged_with_search(
    judged: NDArray[np.float32],
    query: NDArray[np.integer[Any]],
    score: NDArray[np.floating[Any]],
    gains: NDArray[np.floating[Any]],
    share: float,
) -> NDArray[np.float32]:
    """Return the probabilities of no match, *cit.* and *cf.* of verses, a row per pair.

    Parameters
    ----------
    judged
        Those of the classifier.
    query
        The query segment of each pair, ascending.
    score
        The score of the search.
    gains
        What the verses gain by clues.
    share
        How much the classifier counts in the order; the rest is the search.

    Examples
    --------
    The classifier prefers one verse, the search another.

    >>> judged = np.array([[0.5, 0.5, 0.0], [0.6, 0.4, 0.0]], np.float32)
    >>> both = judged_with_search(judged, np.zeros(2, int), np.array([1, 3]), np.zeros(2), 0.5)
    >>> bool(both[1, 1] > both[0, 1])
    True
    """
    found = np.clip(judged[:, 1:].sum(axis=1, dtype=np.float64), _LEAST, 1 - _LEAST)
    clued = np.log(found) - np.log1p(-found) + gains - OFFSET
    mixed = share * clued + (1 - share) * np.asarray(score, np.float64)
    chance = np.empty(len(clued))
    chance[np.lexsort((-mixed, query))] = 1 / (1 + np.exp(-clued[np.lexsort((-clued, query))]))
    result = np.array(judged, np.float32)
    result[:, 1:] *= (chance / found)[:, np.newaxis].astype(np.float32)
    # A classifier that is quite sure of no match does not say which type it would be.
    silent = found <= _LEAST
    result[silent, 1], result[silent, 2] = 0, chance[silent]
    result[:, 0] = 1 - chance
    return np.clip(result, 0, 1, out=result)
