"""Apply a method to a benchmark, and measure the result by a protocol."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from locisimiles.benchmark.metrics.classification import F1, PRECISION, RECALL
from locisimiles.benchmark.protocols import (
    AuthorFold,
    JudgedFold,
    PairGrid,
    evaluate_author_pairs,
    evaluate_calibration,
    evaluate_classification,
    evaluate_overlap,
    evaluate_rerank,
    evaluate_retrieval,
    judge_all,
    shared_lemmas,
)
from locisimiles.benchmark.protocols.grid import measure_folds
from locisimiles.benchmark.sets.parallels import as_noted
from locisimiles.candidates import Candidates
from locisimiles.classify.calibration import Calibration
from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds
from locisimiles.progress import silent
from locisimiles.retrieve import make_retriever

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.benchmark.runs.fold_files import FoldFiles
    from locisimiles.benchmark.runs.methods import BenchmarkMethod
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.benchmark.sets.pools import FoldPools
    from locisimiles.classify.base import Classifier
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Retriever

__all__ = [
    "DEFAULT_K",
    "FIRST_STAGE",
    "Evaluation",
    "judge_folds",
    "measure",
    "measure_ranking",
    "rank",
]

DEFAULT_K = 1000
"""The number of candidates per query in the protocol ``retrieval``."""

FIRST_STAGE = "bm25"
"""The retriever before the classifier in ``retrieve-and-rerank``, as in the paper."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What methods are measured on, and how.

    Attributes
    ----------
    pools
        The benchmark and its fold documents.
    train
        Whether methods that learn are trained, or measured as shipped.
    k
        The number of candidates per query in the protocol ``retrieval``.
    """

    pools: FoldPools
    train: bool = True
    k: int = DEFAULT_K

    @property
    def benchmark(self) -> Benchmark:
        """The whole set."""
        return self.pools.benchmark

    def folds(self) -> tuple[int, ...]:
        """Return the folds, or raise a ParameterError if there are too few: training needs two."""
        return self.pools.folds(least=2 if self.train else 1)

    def learns(self, method: BenchmarkMethod) -> bool:
        """Tell whether a method is trained."""
        return self.train and method.learn is not None

    def parameters(self, method: BenchmarkMethod) -> Mapping[str, object]:
        """Return the parameters of a method."""
        if self.train and method.learn is not None:
            return method.learn().parameters()
        return method.shipped().parameters()

    def fitted(
        self, method: BenchmarkMethod, fold: int, progress: Progress
    ) -> Retriever | Classifier:
        """Return a method, trained without a fold if it learns."""
        if self.train and method.learn is not None:
            training = self.pools.training(fold)
            return method.learn().fit(training, self.pools.source, progress=progress)
        return method.shipped()


def rank(
    method: BenchmarkMethod, evaluation: Evaluation, files: FoldFiles, progress: Progress = silent
) -> Candidates:
    """Rank all sources for the queries that have references.

    A retriever that learns ranks the queries of each fold after training on the others.
    """
    references = evaluation.benchmark.references
    if not evaluation.learns(method):
        retriever = cast("Retriever", method.shipped())
        return _search(retriever, evaluation, references.queries, progress)
    found = []
    for fold in evaluation.folds():
        columns = files.read(fold)
        if columns is None:
            report = _of_fold(progress, fold)
            retriever = cast("Retriever", evaluation.fitted(method, fold, report))
            queries = references.select(references.fold == fold).queries
            part = _search(retriever, evaluation, queries, report)
            columns = {"query": part.query, "source": part.source, "score": part.score}
            files.write(fold, columns)
        found.append(columns)
    joined = {name: np.concatenate([part[name] for part in found]) for name in found[0]}
    order = np.argsort(joined["query"], kind="stable")
    return Candidates(**{name: column[order] for name, column in joined.items()})


def measure_ranking(candidates: Candidates, benchmark: Benchmark) -> tuple[Measurement, ...]:
    """Measure a ranking, and, if the set has parallels, its lenient reading (``lenient R@10``)."""
    strict = evaluate_retrieval(candidates, benchmark.references)
    if benchmark.parallels is None:
        return strict
    lenient = as_noted(candidates, benchmark.references, benchmark.parallels)
    return (
        *strict,
        *(
            replace(found, metric=f"lenient {found.metric}")
            for found in evaluate_retrieval(lenient, benchmark.references)
        ),
    )


def _search(
    retriever: Retriever, evaluation: Evaluation, queries: NDArray[np.int32], progress: Progress
) -> Candidates:
    index = retriever.index(evaluation.pools.source, progress=progress)
    document = evaluation.benchmark.query.select(queries.tolist())
    found = index.search(document, evaluation.k, progress=progress)
    return replace(found, query=queries[found.query])


def judge_folds(
    method: BenchmarkMethod, evaluation: Evaluation, files: FoldFiles, progress: Progress = silent
) -> list[JudgedFold]:
    """Judge all pairs of each fold document.

    A classifier that learns is trained on the other folds. Thresholds are those of its calibration;
    if it has none, they are tuned on the other folds' documents, or 0.5 without training.
    """
    judged = []
    for fold in evaluation.folds():
        pool = evaluation.pools.pool(fold)
        columns = files.read(fold)
        if columns is None:
            report = _of_fold(progress, fold)
            classifier = cast("Classifier", evaluation.fitted(method, fold, report))
            # In float32, as they are saved: a resumed run must measure the same numbers.
            probabilities = judge_all(classifier, pool.query, pool.source, report)
            calibration = classifier.calibration
            rule = calibration.thresholds or _tuned(classifier, evaluation, fold, report)
            detection = [] if calibration.detection is None else [calibration.detection.least]
            columns = {
                "probabilities": probabilities,
                "thresholds": np.array([rule.cit, rule.cf]),
                "detection": np.array(detection),
            }
            files.write(fold, columns)
        positions = [evaluation.benchmark.query.index(name) for name in pool.query.ids]
        grid = PairGrid.from_references(
            cast("NDArray[np.float32]", columns["probabilities"]),
            pool.references,
            fold=fold,
            query=np.array(positions, np.int32),
        )
        thresholds = Thresholds(*np.asarray(columns["thresholds"], np.float32).tolist())
        least = columns["detection"].tolist()
        rule_of_any = ReferenceThreshold(least[0]) if least else None
        judged.append(JudgedFold.of(pool, grid, Calibration(thresholds, rule_of_any)))
    return judged


def _tuned(
    classifier: Classifier, evaluation: Evaluation, fold: int, progress: Progress
) -> Thresholds:
    if not evaluation.train:
        return Thresholds()
    probabilities, labels = [], []
    for other in evaluation.folds():
        if other != fold:
            pool = evaluation.pools.pool(other)
            chances = judge_all(classifier, pool.query, pool.source, progress)
            probabilities.append(chances.reshape(-1, chances.shape[-1]))
            labels.append(PairGrid.from_references(chances, pool.references).label.ravel())
    return Thresholds.tuned(np.concatenate(probabilities), np.concatenate(labels))


def _of_fold(progress: Progress, fold: int) -> Progress:
    return lambda task, done, total: progress(f"fold {fold}: {task}", done, total)


def measure(protocol: str, folds: Sequence[JudgedFold]) -> tuple[Measurement, ...]:
    """Measure a classifier by one of the protocols that use fold documents."""
    return _MEASURES[protocol](folds)


def _classification(folds: Sequence[JudgedFold]) -> tuple[Measurement, ...]:
    grids, rules = [fold.grid for fold in folds], [fold.rule for fold in folds]
    strict = evaluate_classification(
        grids, rules, reading="strict", metrics=(PRECISION, RECALL, F1)
    )
    return (
        *evaluate_classification(grids, rules),
        *(replace(found, metric=f"strict {found.metric}") for found in strict),
        *measure_folds("cit", grids, [_threshold(rule.cit) for rule in rules]),
        *measure_folds("cf", grids, [_threshold(rule.cf) for rule in rules]),
    )


def _threshold(value: float) -> dict[str, float]:
    """Return a threshold by name; an infinite one has no mean, so it counts as undefined."""
    return {"threshold": value if math.isfinite(value) else math.nan}


def _rerank(folds: Sequence[JudgedFold]) -> tuple[Measurement, ...]:
    retriever = make_retriever(FIRST_STAGE)
    candidates = [
        retriever.index(fold.pool.source).search(fold.pool.query, len(fold.pool.source))
        for fold in folds
    ]
    rules = [fold.detection or fold.rule for fold in folds]
    return evaluate_rerank([fold.grid for fold in folds], candidates, rules)


def _author_pairs(folds: Sequence[JudgedFold]) -> tuple[Measurement, ...]:
    with_authors = [
        AuthorFold(
            fold.grid,
            fold.pool.query.authors,
            fold.pool.source.authors,
            shared_lemmas(fold.pool.query, fold.pool.source),
        )
        for fold in folds
    ]
    return evaluate_author_pairs(with_authors, [fold.rule for fold in folds])


def _overlap(folds: Sequence[JudgedFold]) -> tuple[Measurement, ...]:
    return evaluate_overlap(
        [fold.grid for fold in folds],
        [shared_lemmas(fold.pool.query, fold.pool.source) for fold in folds],
        [fold.rule for fold in folds],
    )


_MEASURES: dict[str, Callable[[Sequence[JudgedFold]], tuple[Measurement, ...]]] = {
    "classification": _classification,
    "retrieve-and-rerank": _rerank,
    "author-pairs": _author_pairs,
    "overlap": _overlap,
    "calibration": lambda folds: evaluate_calibration([fold.grid for fold in folds]),
}
