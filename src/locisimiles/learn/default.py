"""Learn the weights of the default search from known references."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.index import PreparedDocument
from locisimiles.learn.listwise import fit_listwise
from locisimiles.learn.priors import ReferenceCounts
from locisimiles.learn.ranker import fit_ranker
from locisimiles.models.identity import model_sha256
from locisimiles.progress import silent
from locisimiles.retrieve.combined.priors import PRIOR_COLUMNS, AuthorPriors
from locisimiles.retrieve.combined.ranker import Ranker
from locisimiles.retrieve.combined.search import (
    Combined,
    CombinedIndex,
    first_stage,
    second_stage,
)
from locisimiles.retrieve.combined.weights import (
    CHANNELS,
    SECOND_STAGE,
    CombinedWeights,
    StageWeights,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.combined.parts import (
        CandidateSource,
        CombinedParts,
        StageCandidates,
    )

__all__ = [
    "UNTRAINED",
    "LearnedDefault",
    "RecordedParts",
    "TrainedDefault",
    "TrainingQueries",
    "learn_weights",
    "training_queries",
]

_MOST_EXAMPLES = 300  # candidates of a query that the ranker learns from, besides the right ones
_NO_WEIGHTS = StageWeights({}, Ranker((), *(np.empty(0, np.float32),) * 4))
UNTRAINED = CombinedWeights(_NO_WEIGHTS, _NO_WEIGHTS, AuthorPriors({}, {}))
"""Weights of a search that has not been trained yet."""


class RecordedParts:
    """The parts of a search that remember the candidates of every query.

    Each query of a benchmark is trained on in all folds but one. Its candidates do not depend on
    weights, so they are found once.
    """

    def __init__(self, parts: CombinedParts) -> None:
        self._parts = parts
        self.late, self.works = parts.late, parts.works
        self.ties, self.lengths = parts.ties, parts.lengths
        self._candidates: dict[tuple[str, int], StageCandidates] = {}
        self._views: dict[str, tuple[NDArray[np.int64], NDArray[np.float32]]] = {}

    def candidates(
        self, queries: PreparedDocument, depth: int, *, progress: Progress = silent
    ) -> list[StageCandidates]:
        """Return the candidates of each query, searching only for new ones."""
        texts = queries.texts
        new = [row for row, text in enumerate(texts) if (text, depth) not in self._candidates]
        if new:
            asked = queries if len(new) == len(queries) else queries.select(new)
            found = self._parts.candidates(asked, depth, progress=progress)
            views = self._parts.views(asked, [own.segments for own in found], progress=progress)
            for text, own, seen in zip(asked.texts, found, views, strict=True):
                self._candidates[text, depth] = own
                # The greatest depth has the views of all.
                if text not in self._views or len(own.segments) > len(self._views[text][0]):
                    self._views[text] = own.segments, seen
        return [self._candidates[text, depth] for text in texts]

    def views(
        self,
        queries: PreparedDocument,
        segments: Sequence[NDArray[np.int64]],
        *,
        progress: Progress = silent,  # noqa: ARG002 - a lookup
    ) -> list[NDArray[np.float32]]:
        """Return the views of candidates that were found before."""
        recorded = (self._views[text] for text in queries.texts)
        return [
            views[:, np.searchsorted(known, own)]
            for (known, views), own in zip(recorded, segments, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class LearnedDefault:
    """The default search, to be trained; the weights of `combined` are not used."""

    combined: Combined = field(default_factory=lambda: Combined(weights=UNTRAINED))

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        parameters = dict(self.combined.parameters())
        parameters.pop("weights_sha256")
        return parameters

    def fit(
        self, training: Benchmark, source: PreparedDocument, *, progress: Progress = silent
    ) -> TrainedDefault:
        """Search the training queries, and learn the weights.

        The prepared source remembers indexes and weights, so that folds, and searches with and
        without priors, share them.
        """
        parts = self.combined.parts(source, progress=progress)
        recorded = source.derive(("recorded", id(parts)), lambda: RecordedParts(parts))
        references = training.references
        queries = tuple(training.query.ids[query] for query in references.query.tolist())
        key = "weights", id(parts), queries, references.source.tobytes(), self.combined.depth
        weights = source.derive(
            key, lambda: learn_weights(self.combined, recorded, training, progress=progress)
        )
        return TrainedDefault(replace(self.combined, weights=weights), source, recorded)


@dataclass(frozen=True, slots=True)
class TrainedDefault:
    """The default search with learnt weights: a retriever."""

    combined: Combined
    source: PreparedDocument
    parts: RecordedParts

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return self.combined.parameters()

    def index(self, source: Document, *, progress: Progress = silent) -> CombinedIndex:
        """Return the index of the sources; the training sources are indexed already."""
        if self.source.is_of(source):
            return CombinedIndex(self.combined, self.parts, self.combined.loaded_weights())
        return self.combined.index(source, progress=progress)


def learn_weights(
    combined: Combined,
    parts: CandidateSource,
    training: Benchmark,
    *,
    progress: Progress = silent,
) -> CombinedWeights:
    """Return weights learnt from the references of a set; `parts` index its sources."""
    queries = training_queries(parts, training, combined.depth, progress=progress)
    with_priors, without_priors = (
        _fit_stages(parts, queries, combined.depth, names, progress)
        for names in (PRIOR_COLUMNS, ())
    )
    encoder = model_sha256(combined.late_search().encoder())
    return CombinedWeights(with_priors, without_priors, queries.priors, encoder)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingQueries:
    """Queries with known references: their candidates, which of these are right, and all priors."""

    queries: PreparedDocument
    candidates: list[StageCandidates]
    right: list[NDArray[np.bool_]]
    priors: AuthorPriors

    def passed(self, first: Mapping[str, float], depth: int) -> TrainingQueries:
        """Keep the candidates that the first stage passes on."""
        candidates, right = [], []
        for own, is_right in zip(self.candidates, self.right, strict=True):
            kept = np.sort(np.argsort(-own.scores(first), kind="stable")[:depth])
            candidates.append(own.rows(kept))
            right.append(is_right[kept])
        return replace(self, candidates=candidates, right=right)


def training_queries(
    parts: CandidateSource, training: Benchmark, depth: int, *, progress: Progress = silent
) -> TrainingQueries:
    """Search the queries of a set that have references.

    The priors of each query are learnt without its own references.
    """
    references = training.references
    queries = PreparedDocument(training.query.select(references.queries.tolist()))
    sources = [
        references.source[references.query == query].astype(np.int64)
        for query in references.queries
    ]
    counts = ReferenceCounts(parts.works, queries.authors, sources)
    priors = [counts.priors(without=query) for query in range(len(queries))]
    found = first_stage(parts, queries, priors, depth, progress=progress)
    right = [np.isin(own.segments, known) for own, known in zip(found, sources, strict=True)]
    return TrainingQueries(queries, found, right, counts.priors())


def _fit_stages(
    parts: CandidateSource,
    queries: TrainingQueries,
    depth: int,
    priors: tuple[str, ...],
    progress: Progress,
) -> StageWeights:
    """Fit the first stage, and the second on the candidates that it passes on."""
    names = (*CHANNELS, *priors)
    channels = [own.features.select(names) for own in queries.candidates]
    weights = fit_listwise(channels, queries.right).round(4).tolist()
    first = dict(zip(names, weights, strict=True))
    passed = queries.passed(first, depth)
    names = (*SECOND_STAGE, *priors)
    columns, right = [], []
    second = second_stage(parts, passed.queries, passed.candidates, progress=progress)
    for own, own_second, is_right in zip(passed.candidates, second, passed.right, strict=True):
        # Candidates far down teach little and take most of the time.
        order = np.argsort(-own.scores(first), kind="stable")
        kept = np.union1d(order[:_MOST_EXAMPLES], np.flatnonzero(is_right))
        columns.append(own_second.features.select(names)[kept])
        right.append(is_right[kept])
    return StageWeights(first, fit_ranker(names, columns, right))
