"""Which candidates count as references, and their weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_at_least
from locisimiles.results import ACCEPTED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.results import Reference, Results, Verdict

__all__ = ["counted_references", "reference_rows", "reference_weights", "verdict_rows"]

_PROBABLE = 0.5


def reference_rows(
    results: Results, *, minimum: float | None = None, best: int | None = None
) -> NDArray[np.intp]:
    """Return the rows of the candidates that count as references.

    A search returns candidates for every query segment, whether it contains a reference or not. By
    default, candidates with a probability of at least 0.5 count; without a classifier, the best
    candidate of each query segment. A reader's verdict overrides this: pairs that readers accept
    always count, rejected ones never. Of parallel sources, only the best one of a query counts.

    Parameters
    ----------
    results
        The results of a search.
    minimum
        Minimum probability, or minimum score without a classifier.
    best
        Maximum number of candidates per query segment.

    Examples
    --------
    >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
    >>> results = Pipeline(BM25()).run(query=load_example_query(), source=load_example_source())
    >>> len(reference_rows(results)) == len({reference.query.id for reference in results})
    True
    """
    check_at_least(1, best=best)
    if minimum is None and best is None:
        if results.probabilities is None:
            best = 1
        else:
            minimum = _PROBABLE
    kept = np.ones(len(results), bool)
    if best is not None:
        kept &= results.rank <= best
    if minimum is not None:
        kept &= _values(results) >= minimum
    kept &= results.counts
    kept |= verdict_rows(results, *ACCEPTED)
    kept &= ~verdict_rows(results, "reject")
    return np.flatnonzero(kept)


def verdict_rows(results: Results, *verdicts: Verdict) -> NDArray[np.bool_]:
    """Tell of each candidate whether readers gave it one of these verdicts."""
    judged = results.judgements
    if judged is None:
        return np.zeros(len(results), bool)
    return np.array([one is not None and one.verdict in verdicts for one in judged], bool)


def counted_references(
    results: Results, *, minimum: float | None, best: int | None
) -> list[Reference]:
    """Return the candidates that count as references; see `reference_rows`."""
    rows = reference_rows(results, minimum=minimum, best=best)
    return list(results.references(rows.tolist()))


def reference_weights(results: Results, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the probability of each row; 1 without a classifier, or if readers accepted it."""
    if results.probabilities is None:
        return np.ones(len(rows))
    return np.where(verdict_rows(results, *ACCEPTED), 1.0, _values(results))[rows]


def _values(results: Results) -> NDArray[np.float64]:
    if results.probabilities is None:
        return results.candidates.score.astype(np.float64)
    probabilities: NDArray[np.float64] = results.probabilities.astype(np.float64)
    return probabilities[:, 1] + probabilities[:, 2]
