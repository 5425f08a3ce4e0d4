"""What every retriever can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.candidates import Candidates

__all__ = ["Index", "Retriever"]


class Index(Protocol):
    """Source segments, prepared for searching."""

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment.

        Parameters
        ----------
        queries
            The query segments.
        k
            How many candidates a query gets at most. Segments that score nothing are not
            candidates, so there may be fewer.
        progress
            Called after each batch of queries.

        Returns
        -------
        Candidates
            Ordered by query, then by falling score, then by source id.
        """


class Retriever(Protocol):
    """A way of finding candidates."""

    def index(self, source: Document, *, progress: Progress = silent) -> Index:
        """Prepare source segments for searching."""

    def parameters(self) -> Mapping[str, object]:
        """Return what makes this retriever what it is, for the manifest of a run."""
