"""How densely a text refers to others, along its course."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.networks.choosing import choose, weights_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.results import Results

__all__ = ["Density", "measure_density"]


@dataclass(frozen=True, slots=True, eq=False)
class Density:
    """References in stretches of equal numbers of segments.

    Attributes
    ----------
    first, last
        The ids of the segments that each stretch begins and ends with.
    segments
        How many segments each stretch has.
    references
        How many references begin in it.
    weight
        The sum of their probabilities; their number if no classifier was asked.
    """

    first: tuple[str, ...]
    last: tuple[str, ...]
    segments: NDArray[np.int64]
    references: NDArray[np.int64]
    weight: NDArray[np.float64]


def measure_density(
    results: Results,
    *,
    stretches: int = 40,
    minimum: float | None = None,
    best: int | None = None,
) -> Density:
    """Count references along the query text.

    Parameters
    ----------
    results
        What was found. If they were read from a file, segments without a candidate are missing
        from the text, unless the document was given to `read_results`.
    stretches
        Into how many parts the text is cut; never more than it has segments.
    minimum, best
        Which candidates count; see `choose`.

    Examples
    --------
    >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
    >>> results = Pipeline(BM25()).run(query=load_example_query(), source=load_example_source())
    >>> density = measure_density(results, stretches=4)
    >>> int(density.segments.sum()) == len(results.query)
    True
    """
    if stretches < 1:
        raise ParameterError(f"stretches={stretches} cuts the text into nothing")
    total = len(results.query)
    parts = min(stretches, total)
    rows = choose(results, minimum=minimum, best=best)
    edges = np.linspace(0, total, parts + 1).round().astype(np.int64)
    part = np.searchsorted(edges, results.candidates.query[rows], side="right") - 1
    return Density(
        first=tuple(results.query.ids[edge] for edge in edges[:-1].tolist()),
        last=tuple(results.query.ids[edge - 1] for edge in edges[1:].tolist()),
        segments=np.diff(edges),
        references=np.bincount(part, minlength=parts).astype(np.int64),
        weight=np.bincount(part, weights_of(results, rows), minlength=parts).astype(np.float64),
    )
