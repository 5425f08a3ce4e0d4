"""The density of references along a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_at_least
from locisimiles.networks.references import reference_rows, reference_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.results import Results

__all__ = ["Density", "measure_density"]


@dataclass(frozen=True, slots=True, eq=False)
class Density:
    """References along a text, in bins of equally many segments, as columns.

    Attributes
    ----------
    first, last
        The ids of the first and the last segment of each bin.
    weight
        The sum of the references' probabilities; their number without a classifier.
    """

    first: tuple[str, ...]
    last: tuple[str, ...]
    segments: NDArray[np.int64]
    references: NDArray[np.int64]
    weight: NDArray[np.float64]


def measure_density(
    results: Results,
    *,
    bins: int = 40,
    minimum: float | None = None,
    best: int | None = None,
) -> Density:
    """Count references along the query text.

    Parameters
    ----------
    results
        The results of a search. Results read from a file lack segments without a candidate, unless
        `read_results` was given the document.
    bins
        Number of bins; at most the number of segments.
    minimum, best
        Which candidates count; see `reference_rows`.

    Examples
    --------
    >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
    >>> results = Pipeline(BM25()).run(query=load_example_query(), source=load_example_source())
    >>> density = measure_density(results, bins=4)
    >>> int(density.segments.sum()) == len(results.query)
    True
    """
    check_at_least(1, bins=bins)
    total = len(results.query)
    bins = min(bins, total)
    rows = reference_rows(results, minimum=minimum, best=best)
    weights = reference_weights(results, rows)
    edges = np.linspace(0, total, bins + 1).round().astype(np.int64)
    places = np.searchsorted(edges, results.candidates.query[rows], side="right") - 1
    return Density(
        first=tuple(results.query.ids[edge] for edge in edges[:-1].tolist()),
        last=tuple(results.query.ids[edge - 1] for edge in edges[1:].tolist()),
        segments=np.diff(edges),
        references=np.bincount(places, minlength=bins).astype(np.int64),
        weight=np.bincount(places, weights, minlength=bins).astype(np.float64),
    )
