"""The method ``fusion-learned``: fusion whose weights are learnt on the training folds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.remembering import Remembering
from locisimiles.learn.listwise import fit_listwise
from locisimiles.progress import silent
from locisimiles.retrieve.fusion import Fusion, channel_scores
from locisimiles.retrieve.methods import MethodOptions, sparse_channels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.progress import Progress
    from locisimiles.retrieve.base import Retriever

__all__ = ["LearnedFusion"]


def _remembering() -> tuple[Remembering, ...]:
    return tuple(Remembering(retriever) for retriever in sparse_channels(MethodOptions()))


@dataclass(frozen=True, slots=True)
class LearnedFusion:
    """Learns how much each retriever's standardised scores count.

    Parameters
    ----------
    depth
        How many candidates of each retriever are looked at.
    retrievers
        What is brought together; by default what ``fusion`` has.
    """

    depth: int = 1000
    retrievers: tuple[Retriever, ...] = field(default_factory=_remembering, repr=False)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {**self._fusion().parameters(), "name": "fusion-learned"}

    def fit(self, training: Benchmark, *, progress: Progress = silent) -> Retriever:
        """Search the training queries with each retriever, and weigh the retrievers."""
        references = training.references
        queries = references.queries
        document = training.query.select(queries.tolist())
        found = [
            retriever.index(training.source, progress=progress).search(
                document, self.depth, progress=progress
            )
            for retriever in self.retrievers
        ]
        columns, right = [], []
        for place, query in enumerate(queries):
            own = [candidates.of_query(place) for candidates in found]
            segments, scores = channel_scores(own, "score")
            columns.append(scores.astype(np.float32))
            right.append(np.isin(segments, references.source[references.query == query]))
        weights = fit_listwise(columns, right)
        return replace(self._fusion(), weights=tuple(weights.tolist()))

    def _fusion(self) -> Fusion:
        return Fusion(self.retrievers, rule="score", depth=self.depth)
