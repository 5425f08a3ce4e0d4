"""Blocks of query segments: searched, explained, and made rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.app.search.result_rows import result_rows
from locisimiles.evidence import EvidenceFinder
from locisimiles.index import Index
from locisimiles.pipeline import kept_results, prepare_query

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from locisimiles.app.search.source_index import SourceIndex
    from locisimiles.corpus import Document
    from locisimiles.pipeline import Pipeline, Searcher
    from locisimiles.progress import Progress

__all__ = ["QueryBlocks"]

_OF_A_BLOCK = ("references", "selection")


class QueryBlocks:
    """Searches the query of a project block by block.

    Sources are read and prepared only if there is something to search for.
    """

    def __init__(
        self,
        query: Document,
        pipeline: Pipeline,
        sources: SourceIndex,
        progress: Progress,
    ) -> None:
        self._query, self._pipeline, self._sources = prepare_query(query), pipeline, sources
        self._progress = progress
        self._ready: tuple[Searcher, EvidenceFinder, NDArray[np.int64]] | None = None
        self._described = {"segments": len(query), "sha256": query.fingerprint()}

    def prepare(self) -> None:
        """Prepare the sources, once."""
        if self._ready is not None:
            return
        progress = self._progress
        source, positions = self._sources.open(progress)
        searcher = self._pipeline.prepare(source, progress=progress)
        progress("preparing evidence", 0, 0)
        self._ready = searcher, EvidenceFinder(self._query, source), positions

    def search(self, begin: int, end: int) -> tuple[list[tuple[object, ...]], Mapping[str, object]]:
        """Return the rows of some query segments, and the manifest of their search."""
        self.prepare()
        assert self._ready is not None  # noqa: S101 - for the type checker
        searcher, finder, positions = self._ready
        # What a pipeline leaves to its end, because it adapts probabilities to the whole text, a
        # project would have to store: a hundred pairs of each segment.
        results = kept_results(
            searcher.block(self._query, begin, end), self._pipeline.selection.of_a_block()
        )
        return list(result_rows(results, finder, positions)), results.manifest

    def described(self, manifest: Mapping[str, object]) -> dict[str, object]:
        """Return the manifest of a block as that of the whole query."""
        # Expected references and selection are those of the block; the end of a search has all.
        kept = {name: value for name, value in manifest.items() if name not in _OF_A_BLOCK}
        if self._ready is not None:
            kept["index"] = isinstance(self._ready[0].source, Index)
        return {**kept, "query": self._described}
