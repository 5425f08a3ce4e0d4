"""The protocol of classifiers, and the pairs that they judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from locisimiles.candidates import check_pairs
from locisimiles.index import PreparedDocument
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from locisimiles.classify.calibration import Calibration
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["Classifier", "Pairs"]


class Pairs:
    """Pairs of query and source segments to judge.

    Parameters
    ----------
    query, source
        The documents.
    query_rows, source_rows
        The pairs, as positions of their segments. Pass all candidates of a query at once: how a
        pair compares with the others may matter.

    Raises
    ------
    ParameterError
        If a position is beyond its document, or the columns differ in length.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> document = Document.from_segments([Segment("a", "arma"), Segment("b", "uox")])
    >>> Pairs(document, document, [0, 1], [1, 1]).ids
    [('a', 'b'), ('b', 'b')]
    >>> Pairs.every(document, document).ids
    [('a', 'a'), ('a', 'b'), ('b', 'a'), ('b', 'b')]
    """

    __slots__ = ("query", "query_rows", "source", "source_rows")

    def __init__(
        self, query: Document, source: Document, query_rows: ArrayLike, source_rows: ArrayLike
    ) -> None:
        # Prepared, so that several classifiers share tokens and vectors.
        self.query, self.source = PreparedDocument.of(query), PreparedDocument.of(source)
        self.query_rows = np.asarray(query_rows, np.int64)
        self.source_rows = np.asarray(source_rows, np.int64)
        check_pairs(self.query_rows, self.source_rows, len(query), len(source))

    @classmethod
    def every(cls, query: Document, source: Document) -> Pairs:
        """Pair each query segment with each source segment, query by query."""
        rows = np.indices((len(query), len(source))).reshape(2, -1)
        return cls(query, source, *rows)

    def __len__(self) -> int:
        return len(self.query_rows)

    @property
    def ids(self) -> list[tuple[str, str]]:
        """The ids of both segments of each pair."""
        query, source = self.query.ids, self.source.ids
        rows = zip(self.query_rows.tolist(), self.source_rows.tolist(), strict=True)
        return [(query[query_row], source[source_row]) for query_row, source_row in rows]

    def select(self, rows: NDArray[np.integer[Any]] | NDArray[np.bool_]) -> Pairs:
        """Return some of the pairs."""
        return Pairs(self.query, self.source, self.query_rows[rows], self.source_rows[rows])


class Classifier(Protocol):
    """Gives each pair the probabilities of no match, *cit.* and *cf.*, in this order."""

    @property
    def calibration(self) -> Calibration:
        """How its probabilities become decisions and expectations."""

    def probabilities(self, pairs: Pairs, *, progress: Progress = silent) -> NDArray[np.float32]:
        """Return the probabilities of the three classes, a row per pair."""

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
