"""Which candidates count as references."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.results import Results

__all__ = ["choose", "weights_of"]

_PROBABLE = 0.5


def choose(
    results: Results, *, minimum: float | None = None, best: int | None = None
) -> NDArray[np.intp]:
    """Return the rows of the candidates that shall count as references.

    A search gives every query segment its best candidates, whether it refers to something or not.

    Parameters
    ----------
    results
        What was found.
    minimum
        The least probability, or the least score if no classifier was asked.
    best
        How many candidates a query segment may have.

    Notes
    -----
    If neither is given, those count that are probable (0.5) where a classifier was asked, and
    the best candidate of each query segment where none was.

    Examples
    --------
    >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
    >>> results = Pipeline(BM25()).run(query=load_example_query(), source=load_example_source())
    >>> len(choose(results)) == len({reference.query.id for reference in results})
    True
    """
    if best is not None and best < 1:
        raise ParameterError(f"best={best} leaves no candidate", hint="1 is the least")
    if minimum is None and best is None:
        if results.probabilities is None:
            best = 1
        else:
            minimum = _PROBABLE
    kept = np.ones(len(results), bool)
    if best is not None:
        kept &= results.candidates.rank <= best
    if minimum is not None:
        kept &= _values(results) >= minimum
    return np.flatnonzero(kept)


def weights_of(results: Results, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return what each row weighs: its probability, or 1 if no classifier was asked."""
    if results.probabilities is None:
        return np.ones(len(rows))
    return _values(results)[rows]


def _values(results: Results) -> NDArray[np.float64]:
    if results.probabilities is None:
        return results.candidates.score.astype(np.float64)
    judged: NDArray[np.float64] = results.probabilities.astype(np.float64)
    return judged[:, 1] + judged[:, 2]
