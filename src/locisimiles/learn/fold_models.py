"""Learn the ensemble for a fold from the others, and let it judge document and library."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.benchmark.learned_default import UNTRAINED, LearnedDefault
from locisimiles.benchmark.protocols import PairGrid
from locisimiles.benchmark.runs.evaluation import Ground, JudgedFold, judge_all
from locisimiles.benchmark.runs.methods import training_set
from locisimiles.classify.ensemble import Ensemble
from locisimiles.learn.ensemble import learn_from_examples
from locisimiles.learn.ensemble_examples import CANDIDATES, collect_examples
from locisimiles.progress import silent
from locisimiles.retrieve.combined import Combined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.learned_default import TrainedDefault
    from locisimiles.learn.ensemble_examples import TrainingExamples
    from locisimiles.learn.predictions import Opinions
    from locisimiles.progress import Progress

__all__ = ["FoldJudge", "learn_for_fold"]


@dataclass(frozen=True, slots=True, eq=False)
class FoldJudge:
    """What was learnt for a fold, without having seen it.

    Attributes
    ----------
    ground
        The benchmark and its fold documents.
    fold
        Which fold.
    examples
        What was learnt from.
    ensemble
        The classifier; it asks a cross-encoder that has not seen the fold, if there are any.
    search
        The default search, learnt from the same folds.
    """

    ground: Ground
    fold: int
    examples: TrainingExamples
    ensemble: Ensemble
    search: TrainedDefault

    def document(self, ensemble: Ensemble | None = None) -> JudgedFold:
        """Judge all pairs of the fold's document, by another ensemble if one is given."""
        judge = ensemble or self.ensemble
        pool = self.ground.pool(self.fold)
        query = self.ground.benchmark.query
        positions = np.array([query.index(name) for name in pool.query.ids], np.int32)
        grid = PairGrid.from_references(
            judge_all(judge, pool.query, pool.source),
            pool.references,
            fold=self.fold,
            query=positions,
        )
        return JudgedFold(pool, grid, judge.thresholds, judge.detection)

    def library(self, ensemble: Ensemble | None = None) -> dict[str, NDArray[Any]]:
        """Judge the first candidates of the fold's queries in the whole source.

        Returns
        -------
        dict
            Columns, a row a pair: ``query`` and ``source`` (positions in the benchmark) and
            ``probability`` of any reference.
        """
        benchmark = self.ground.benchmark
        references = benchmark.references
        asked = np.unique(references.select(references.fold == self.fold).query)
        queries = benchmark.query.select(asked.tolist())
        found = self.search.index(benchmark.source).search(queries, CANDIDATES)
        chances = (ensemble or self.ensemble).probabilities(
            queries, benchmark.source, found.query, found.source
        )
        return {
            "query": asked[found.query],
            "source": found.source,
            "probability": chances[:, 1:].sum(axis=1),
        }


def learn_for_fold(
    ground: Ground,
    fold: int,
    opinions: Opinions | None = None,
    *,
    combined: Combined | None = None,
    progress: Progress = silent,
) -> FoldJudge:
    """Learn search and classifier from all folds but one.

    Parameters
    ----------
    ground
        The benchmark.
    fold
        The one that is not seen.
    opinions
        Cross-encoders that have not seen it, nor a second fold; none if nobody is to be asked.
    combined
        The search, not yet learnt; the default one if none is given.
    progress
        Called while the work goes on.
    """
    training = training_set(ground.benchmark, fold, seed=ground.seed)
    search = combined or Combined(weights=UNTRAINED)
    plain = replace(search, priors=False)
    examples = collect_examples(training, plain, seed=ground.seed, progress=progress)
    second = (
        None
        if opinions is None
        else {other: opinions.without((fold, other)) for other in training.folds}
    )
    ensemble = Ensemble(
        weights=learn_from_examples(examples, second, progress=progress),
        late=search.late,
        cross_encoder=None if opinions is None else opinions.without((fold,)),
    )
    learnt = LearnedDefault(search).fit(training, progress=progress)
    return FoldJudge(ground, fold, examples, ensemble, learnt)
