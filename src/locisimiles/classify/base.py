"""What every classifier can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["Classifier", "check_pairs", "every_pair"]


class Classifier(Protocol):
    """Says how probable it is that pairs are no match, *cit.*, or *cf.*."""

    def probabilities(
        self,
        query: Document,
        source: Document,
        pairs_query: NDArray[np.integer[Any]],
        pairs_source: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return the probabilities of the three classes, a row a pair.

        Parameters
        ----------
        query, source
            The documents.
        pairs_query, pairs_source
            The pairs, as positions of their segments. What a query is compared with may count:
            all its candidates should be asked about at once.
        progress
            Called while the work goes on.
        """

    def parameters(self) -> Mapping[str, object]:
        """Return what makes this classifier what it is, for the manifest of a run."""


def every_pair(query: Document, source: Document) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all pairs of two documents as columns, query by query.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> two = Document.from_segments([Segment("a", "arma"), Segment("b", "cano")])
    >>> [column.tolist() for column in every_pair(two, two)]
    [[0, 0, 1, 1], [0, 1, 0, 1]]
    """
    queries, sources = len(query), len(source)
    return np.repeat(np.arange(queries), sources), np.tile(np.arange(sources), queries)


def check_pairs(
    query: Document,
    source: Document,
    pairs_query: NDArray[np.integer[Any]],
    pairs_source: NDArray[np.integer[Any]],
) -> None:
    """Raise a ParameterError if pairs are not pairs of segments of these documents."""
    if len(pairs_query) != len(pairs_source):
        raise ParameterError(
            f"{len(pairs_query)} queries and {len(pairs_source)} sources are no pairs"
        )
    for name, column, document in (
        ("query", pairs_query, query),
        ("source", pairs_source, source),
    ):
        if len(column) and not 0 <= column.min() <= column.max() < len(document):
            raise ParameterError(f"a pair points beyond the {len(document)} {name} segments")
