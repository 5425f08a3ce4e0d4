"""The method ``fusion-learned``: score fusion with weights learnt from the training folds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.learn.listwise import fit_listwise
from locisimiles.progress import silent
from locisimiles.retrieve.fusion import Fusion, channel_scores
from locisimiles.retrieve.methods import MethodOptions, sparse_channels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.index import PreparedDocument
    from locisimiles.progress import Progress
    from locisimiles.retrieve.base import Retriever

__all__ = ["LearnedFusion"]


@dataclass(frozen=True, slots=True)
class LearnedFusion:
    """A fusion of retrievers by standardised scores, whose weights are to be learnt.

    `depth` is the number of candidates per retriever; ``fusion`` has the same retrievers.
    """

    depth: int = 1000
    retrievers: tuple[Retriever, ...] = field(
        default_factory=lambda: sparse_channels(MethodOptions()), repr=False
    )

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {**self._fusion().parameters(), "name": "fusion-learned"}

    def fit(
        self, training: Benchmark, source: PreparedDocument, *, progress: Progress = silent
    ) -> Retriever:
        """Search the training queries with each retriever, and fit the weights."""
        references = training.references
        queries = training.query.select(references.queries.tolist())
        found = [
            channel.search(queries, self.depth, progress=progress)
            for channel in self._fusion().channels(source, progress=progress)
        ]
        columns, right = [], []
        for row, query in enumerate(references.queries):
            candidates = [channel.of_query(row) for channel in found]
            segments, scores = channel_scores(candidates, "score")
            columns.append(scores.astype(np.float32))
            right.append(np.isin(segments, references.source[references.query == query]))
        weights = fit_listwise(columns, right)
        return replace(self._fusion(), weights=tuple(weights.tolist()))

    def _fusion(self) -> Fusion:
        return Fusion(self.retrievers, rule="score", depth=self.depth)
