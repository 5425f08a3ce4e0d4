"""How much of an exact search the first stage of late interaction finds, measured on a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import best
from locisimiles.index import PreparedDocument
from locisimiles.late.scoring import score_texts
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.late.index import LateIndex
    from locisimiles.late.pieces import Pieces
    from locisimiles.progress import Progress

__all__ = ["shares_of_exact"]

_TEXTS_AT_A_TIME = 4096


def shares_of_exact(
    index: LateIndex,
    queries: Document,
    cutoffs: Sequence[int] = (10, 100, 1000),
    *,
    progress: Progress = silent,
) -> dict[int, float]:
    """Return the share of the first of an exact search that are among as many of a search.

    Each is 1 where there is no first stage. Vectors are read block by block, so memory stays small.

    Examples
    --------
    >>> from locisimiles import load_example_query, load_example_source
    >>> from locisimiles.late import Late
    >>> late = Late(lists=64, probes=1, depth=20).index(load_example_source())
    >>> shares = shares_of_exact(late, load_example_query()[:2], [1, 100])
    >>> shares[1], 0.1 < shares[100] < 1
    (1.0, True)
    """
    if index.lists is None or not len(queries):
        return dict.fromkeys(cutoffs, 1.0)
    prepared = PreparedDocument.of(queries)
    found = index.search(prepared, max(cutoffs))
    encoded = index.encoder.encode_prepared(prepared, silent, "query")
    pieces = encoded.pieces.weighted(index.weights)
    shares = np.ones((len(prepared), len(cutoffs)))
    for number, text in enumerate(prepared.texts):
        progress("checking", number, len(prepared))
        scores = _exact_scores(index, pieces.of(encoded.rows[text]))
        expected, _ = best(scores[index.row_of_source], max(cutoffs), index.ties)
        for place, cutoff in enumerate(cutoffs):
            first = expected[:cutoff]
            common = np.intersect1d(first, found.of_query(number)[0][:cutoff])
            shares[number, place] = len(common) / len(first) if len(first) else 1.0
    progress("checking", len(prepared), len(prepared))
    return dict(zip(cutoffs, shares.mean(axis=0).tolist(), strict=True))


def _exact_scores(index: LateIndex, query: Pieces) -> NDArray[np.float32]:
    scores = np.zeros(len(index.pieces), np.float32)
    for begin in range(0, len(scores), _TEXTS_AT_A_TIME):
        rows = np.arange(begin, min(begin + _TEXTS_AT_A_TIME, len(scores)))
        own, texts = index.pieces.picked(rows)
        scores[rows] = score_texts(query, own, texts, index.scoring)[0]
    return scores
