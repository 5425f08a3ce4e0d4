"""Learn search and ensemble without a fold, and judge the fold's document and the library."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.benchmark.protocols import JudgedFold, PairGrid, judge_all
from locisimiles.classify.base import Pairs
from locisimiles.classify.ensemble import Ensemble
from locisimiles.learn.default import UNTRAINED, LearnedDefault
from locisimiles.learn.ensemble import learn_from_examples
from locisimiles.learn.ensemble_examples import CANDIDATES, collect_examples
from locisimiles.progress import silent
from locisimiles.retrieve.combined import Combined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.pools import FoldPools
    from locisimiles.learn.default import TrainedDefault
    from locisimiles.learn.ensemble_examples import TrainingExamples
    from locisimiles.learn.predictions import HeldOutPredictions
    from locisimiles.progress import Progress

__all__ = ["FoldModels", "learn_for_fold"]


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

    def document(self, ensemble: Ensemble | None = None) -> JudgedFold:
        """Judge all pairs of the fold's document; by default with the learnt ensemble."""
        ensemble = ensemble or self.ensemble
        pool = self.pools.pool(self.fold)
        query = self.pools.benchmark.query
        grid = PairGrid.from_references(
            judge_all(ensemble, pool.query, pool.source),
            pool.references,
            fold=self.fold,
            query=np.array([query.index(name) for name in pool.query.ids], np.int32),
        )
        return JudgedFold.of(pool, grid, ensemble.calibration)

    def library(self, ensemble: Ensemble | None = None) -> dict[str, NDArray[Any]]:
        """Judge the first candidates of the fold's queries in the whole source.

        Return columns with a row per pair: ``query`` and ``source`` (positions in the benchmark)
        and the ``probability`` of any reference.
        """
        benchmark, source = self.pools.benchmark, self.pools.source
        references = benchmark.references
        positions = references.select(references.fold == self.fold).queries
        queries = benchmark.query.select(positions.tolist())
        found = self.search.index(source).search(queries, CANDIDATES)
        pairs = Pairs(queries, source, found.query, found.source)
        chances = (ensemble or self.ensemble).probabilities(pairs)
        return {
            "query": positions[found.query],
            "source": found.source,
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
    training, source = pools.training(fold), pools.source
    search = combined or Combined(weights=UNTRAINED)
    plain = replace(search, priors=False)
    examples = collect_examples(training, source, plain, seed=pools.seed, progress=progress)
    second = cross_encoder = None
    if predictions is not None:
        second = {other: predictions.without((fold, other)) for other in training.folds}
        cross_encoder = predictions.without((fold,))
    weights = learn_from_examples(examples, second, progress=progress)
    ensemble = Ensemble(weights=weights, late=search.late, cross_encoder=cross_encoder)
    trained = LearnedDefault(search).fit(training, source, progress=progress)
    return FoldModels(pools, fold, examples, ensemble, trained)
