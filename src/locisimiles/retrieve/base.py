"""The protocols of retrieval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.candidates import Candidates
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

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
            Maximum number of candidates per query. Segments that score 0 are no candidates, so
            there may be fewer.
        progress
            Called after each batch of queries.
        """


class Retriever(Protocol):
    """A method that ranks source segments."""

    def index(self, source: Document, *, progress: Progress = silent) -> Index:
        """Prepare source segments for searching."""

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
