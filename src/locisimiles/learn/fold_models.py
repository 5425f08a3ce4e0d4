"""Learn search and ensemble without a fold, and judge the fold's document and the library."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.benchmark.protocols import JudgedFold, PairGrid
from locisimiles.classify.base import Pairs
from locisimiles.classify.ensemble import Ensemble
from locisimiles.learn.default import UNTRAINED, LearnedDefault
from locisimiles.learn.ensemble import learn_with_each
from locisimiles.learn.ensemble_examples import CANDIDATES, collect_examples
from locisimiles.progress import silent
from locisimiles.retrieve.combined import Combined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.pools import FoldPools
    from locisimiles.learn.default import TrainedDefault
    from locisimiles.learn.ensemble_examples import TrainingExamples
    from locisimiles.learn.predictions import HeldOutPredictions
    from locisimiles.progress import Progress

__all__ = ["FoldModels", "learn_each_for_fold", "learn_for_fold"]


@dataclass(frozen=True, slots=True, eq=False)
class FoldModels:
    """Search and classifier learnt without a fold, and the examples they were learnt from.

    If the ensemble reranks, its cross-encoder has not seen the fold either.
    """

    pools: FoldPools
    fold: int
    examples: TrainingExamples
    ensemble: Ensemble
    search: TrainedDefault

    def with_each(
        self, predictions: Sequence[HeldOutPredictions | None], *, progress: Progress = silent
    ) -> list[FoldModels]:
        """Return the same models with each of several cross-encoders, whose weight is learnt."""
        seconds = [
            None
            if own is None
            else {other: own.without((self.fold, other)) for other in self.examples.training.folds}
            for own in predictions
        ]
        learnt = learn_with_each(self.examples, seconds, progress=progress)
        return [
            replace(
                self,
                ensemble=replace(
                    self.ensemble,
                    weights=weights,
                    cross_encoder=None if own is None else own.without((self.fold,)),
                ),
            )
            for own, weights in zip(predictions, learnt, strict=True)
        ]

    def document_pairs(self) -> Pairs:
        """Return all pairs of the fold's document."""
        pool = self.pools.pool(self.fold)
        return Pairs.every(pool.query, pool.source)

    def document(
        self, ensemble: Ensemble | None = None, first: NDArray[np.float64] | None = None
    ) -> JudgedFold:
        """Judge all pairs of the fold's document; by default with the learnt ensemble.

        `first` are the probabilities by features, if known.
        """
        ensemble = ensemble or self.ensemble
        pool, pairs = self.pools.pool(self.fold), self.document_pairs()
        query = self.pools.benchmark.query
        chances = ensemble.judged_again(
            pairs, ensemble.by_features(pairs) if first is None else first
        )
        grid = PairGrid.from_references(
            chances.reshape(len(pool.query), len(pool.source), -1),
            pool.references,
            fold=self.fold,
            query=np.array([query.index(name) for name in pool.query.ids], np.int32),
        )
        return JudgedFold.of(pool, grid, ensemble.calibration)

    def library_pairs(self) -> tuple[NDArray[np.int32], Pairs]:
        """Return the first candidates of the fold's queries in the whole source.

        The first array has the positions of these queries in the benchmark.
        """
        benchmark, source = self.pools.benchmark, self.pools.source
        references = benchmark.references
        positions = references.select(references.fold == self.fold).queries
        queries = benchmark.query.select(positions.tolist())
        found = self.search.index(source).search(queries, CANDIDATES)
        return positions, Pairs(queries, source, found.query, found.source)

    def library(self, ensemble: Ensemble | None = None) -> dict[str, NDArray[Any]]:
        """Judge the first candidates of the fold's queries in the whole source.

        Return columns with a row per pair: ``query`` and ``source`` (positions in the benchmark)
        and the ``probability`` of any reference.
        """
        positions, pairs = self.library_pairs()
        chances = (ensemble or self.ensemble).probabilities(pairs)
        return {
            "query": positions[pairs.query_rows],
            "source": pairs.source_rows,
            "probability": chances[:, 1:].sum(axis=1),
        }


def learn_for_fold(
    pools: FoldPools,
    fold: int,
    predictions: HeldOutPredictions | None = None,
    *,
    combined: Combined | None = None,
    progress: Progress = silent,
) -> FoldModels:
    """Learn search and classifier from all folds but one.

    `predictions` of cross-encoders that have not seen this fold, nor a second one, are used to
    rerank; None disables reranking. `combined` is the untrained search, by default the default one.
    """
    return learn_each_for_fold(pools, fold, [predictions], combined=combined, progress=progress)[0]


def learn_each_for_fold(
    pools: FoldPools,
    fold: int,
    predictions: Sequence[HeldOutPredictions | None],
    *,
    combined: Combined | None = None,
    progress: Progress = silent,
) -> list[FoldModels]:
    """Learn as `learn_for_fold` with each of several predictions; they share all but these."""
    training, source = pools.training(fold), pools.source
    search = combined or Combined(weights=UNTRAINED)
    plain = replace(search, priors=False)
    examples = collect_examples(training, source, plain, seed=pools.seed, progress=progress)
    trained = LearnedDefault(search).fit(training, source, progress=progress)
    alone = Ensemble(late=search.late, cross_encoder=None)
    models = FoldModels(pools, fold, examples, alone, trained)
    return models.with_each(predictions, progress=progress)
