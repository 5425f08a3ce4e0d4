"""Let a method work on a benchmark, and measure what it did by a protocol."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from locisimiles.benchmark.metrics.classification import F1, PRECISION, RECALL
from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.benchmark.protocols import (
    AuthorFold,
    PairGrid,
    evaluate_author_pairs,
    evaluate_calibration,
    evaluate_classification,
    evaluate_overlap,
    evaluate_rerank,
    evaluate_retrieval,
    shared_lemmas,
)
from locisimiles.benchmark.runs.methods import training_set
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.classify.base import every_pair
from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds
from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.retrieve import Candidates, make_retriever

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.protocols import AuthorPair
    from locisimiles.benchmark.runs.fold_files import FoldFiles
    from locisimiles.benchmark.runs.methods import BenchmarkMethod, LearningMethod
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.classify.base import Classifier
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Retriever

__all__ = [
    "FIRST_STAGE",
    "Ground",
    "JudgedFold",
    "judge_all",
    "judge_folds",
    "measure",
    "rank",
    "shipped_or_made",
]

FIRST_STAGE = "bm25"
"""The retriever before the classifier in ``retrieve-and-rerank``, as in the paper."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A benchmark with the documents of its folds, which are made when they are needed.

    Attributes
    ----------
    benchmark
        The whole set.
    seed
        Of the distractors in the fold documents.
    train
        Whether methods that learn are trained; otherwise they are taken as they are shipped.
    k
        How many candidates a query gets in the protocol ``retrieval``.
    """

    benchmark: Benchmark
    seed: int = 0
    train: bool = True
    k: int = 1000
    _pools: dict[int, Benchmark] = field(default_factory=dict)

    def pool(self, fold: int) -> Benchmark:
        """Return the reduced documents of a fold."""
        if fold not in self._pools:
            self._pools[fold] = fold_pool(self.benchmark, fold, seed=self.seed)
        return self._pools[fold]

    def folds(self) -> tuple[int, ...]:
        """Return the folds.

        Raises
        ------
        ParameterError
            If there are none, or one only: then there is nothing to train on.
        """
        folds = self.benchmark.folds
        if not folds or (self.train and len(folds) == 1):
            raise ParameterError(
                f"the set {self.benchmark.name!r} has {'one fold' if folds else 'no folds'} only"
                if folds
                else f"the set {self.benchmark.name!r} has no folds",
                hint="make some: --folds 5, or Benchmark.with_folds()",
            )
        return folds


def rank(
    method: BenchmarkMethod, ground: Ground, files: FoldFiles, progress: Progress = silent
) -> Candidates:
    """Let a retriever rank all sources for the queries that have references.

    One that learns ranks the queries of each fold after training on the others.
    """
    made = shipped_or_made(method, ground)
    if not hasattr(made, "fit"):
        return _search(
            cast("Retriever", made), ground, ground.benchmark.references.queries, progress
        )
    found = []
    for fold in ground.folds():
        columns = files.read(fold)
        if columns is None:
            training = training_set(ground.benchmark, fold, seed=ground.seed)
            retriever = cast("Retriever", made.fit(training, progress=_of_fold(progress, fold)))
            rows = ground.benchmark.references.fold == fold
            queries = ground.benchmark.references.select(rows).queries
            part = _search(retriever, ground, queries, _of_fold(progress, fold))
            columns = {"query": part.query, "source": part.source, "score": part.score}
            files.write(fold, columns)
        found.append(columns)
    joined = {name: np.concatenate([part[name] for part in found]) for name in found[0]}
    order = np.argsort(joined["query"], kind="stable")
    return Candidates(**{name: column[order] for name, column in joined.items()})


def _search(
    retriever: Retriever, ground: Ground, queries: NDArray[np.int32], progress: Progress
) -> Candidates:
    index = retriever.index(ground.benchmark.source, progress=progress)
    asked = ground.benchmark.query.select(queries.tolist())
    found = index.search(asked, ground.k, progress=progress)
    return replace(found, query=queries[found.query])


class JudgedFold(NamedTuple):
    """What a classifier thinks of a fold document, and how it decides.

    Attributes
    ----------
    pool
        The fold document.
    grid
        What is thought of its pairs.
    rule
        Decides of each type.
    detection
        Decides whether a pair is a reference of any type, for reranking; None if the first does.
    """

    pool: Benchmark
    grid: PairGrid
    rule: Thresholds
    detection: ReferenceThreshold | None = None


def judge_folds(
    method: BenchmarkMethod, ground: Ground, files: FoldFiles, progress: Progress = silent
) -> list[JudgedFold]:
    """Let a classifier judge all pairs of each fold document.

    One that learns is trained on the other folds. Thresholds are its own, if it has any; else they
    are tuned on the documents of the other folds, or 0.5 where nothing may be learned.
    """
    made = shipped_or_made(method, ground)
    judged = []
    for fold in ground.folds():
        told = _of_fold(progress, fold)
        pool = ground.pool(fold)
        columns = files.read(fold)
        if columns is None:
            classifier = _trained(made, ground, fold, told)
            # Kept with fewer digits, so these must be what is measured at first as well.
            probabilities = judge_all(classifier, pool.query, pool.source, told)
            rule = getattr(classifier, "thresholds", None) or _tuned(classifier, ground, fold, told)
            columns = {
                "probabilities": probabilities,
                "thresholds": np.array([rule.cit, rule.cf]),
                "detection": np.array([own.least for own in _detection(classifier)]),
            }
            files.write(fold, columns)
        positions = [ground.benchmark.query.index(name) for name in pool.query.ids]
        grid = PairGrid.from_references(
            cast("NDArray[np.float32]", columns["probabilities"]),
            pool.references,
            fold=fold,
            query=np.array(positions, np.int32),
        )
        cit, cf = np.asarray(columns["thresholds"], np.float32).tolist()
        detection = [ReferenceThreshold(least) for least in columns["detection"].tolist()]
        judged.append(JudgedFold(pool, grid, Thresholds(cit, cf), *detection))
    return judged


def _detection(classifier: Classifier) -> list[ReferenceThreshold]:
    """Return how a classifier decides whether a pair is any reference, if it has an own way."""
    found = getattr(classifier, "detection", None)
    return [] if found is None else [found]


def judge_all(
    classifier: Classifier, query: Document, source: Document, progress: Progress = silent
) -> NDArray[np.float32]:
    """Return the probabilities of every pair, shape (queries, sources, 3)."""
    pairs = every_pair(query, source)
    found = classifier.probabilities(query, source, *pairs, progress=progress)
    return np.asarray(found, np.float32).reshape(len(query), len(source), -1)


def shipped_or_made(
    method: BenchmarkMethod, ground: Ground
) -> Retriever | Classifier | LearningMethod:
    """Return a method, as it is shipped if it learns and is not to be trained.

    Raises
    ------
    ParameterError
        If none is shipped.
    """
    made = method.make()
    if ground.train or not hasattr(made, "fit"):
        return made
    if method.shipped is None:
        raise ParameterError(
            f"{method.name} must be trained, and comes without a trained model",
            hint="leave out --no-train, or the method",
        )
    return method.shipped()


def _trained(
    made: Retriever | Classifier | LearningMethod, ground: Ground, fold: int, progress: Progress
) -> Classifier:
    if hasattr(made, "fit"):
        made = made.fit(training_set(ground.benchmark, fold, seed=ground.seed), progress=progress)
    return cast("Classifier", made)


def _tuned(classifier: Classifier, ground: Ground, fold: int, progress: Progress) -> Thresholds:
    if not ground.train:
        return Thresholds()
    probabilities, labels = [], []
    for other in ground.folds():
        if other != fold:
            pool = ground.pool(other)
            found = judge_all(classifier, pool.query, pool.source, progress)
            probabilities.append(found.reshape(-1, found.shape[-1]))
            labels.append(PairGrid.from_references(found, pool.references).label.ravel())
    return Thresholds.tuned(np.concatenate(probabilities), np.concatenate(labels))


def _of_fold(progress: Progress, fold: int) -> Progress:
    return lambda task, done, total: progress(f"fold {fold}: {task}", done, total)


def measure(protocol: str, folds: Sequence[JudgedFold]) -> tuple[Measurement, ...]:
    """Measure a classifier by one of the protocols that fold documents are for."""
    return _MEASURES[protocol](folds)


def _classification(folds: Sequence[JudgedFold]) -> tuple[Measurement, ...]:
    grids, rules = [fold.grid for fold in folds], [fold.rule for fold in folds]
    strict = evaluate_classification(
        grids, rules, reading="strict", metrics=(PRECISION, RECALL, F1)
    )
    return (
        *evaluate_classification(grids, rules),
        *(replace(found, metric=f"strict {found.metric}") for found in strict),
        *(
            Measurement.over_folds(
                kind,
                "threshold",
                [grid.fold for grid in grids],
                [_finite(getattr(rule, kind)) for rule in rules],
                sum(len(grid.query) for grid in grids),
            )
            for kind in ("cit", "cf")
        ),
    )


def _finite(threshold: float) -> float:
    """Return a threshold; NaN if a type is never decided for, which has no mean."""
    return threshold if math.isfinite(threshold) else math.nan


def _rerank(folds: Sequence[JudgedFold]) -> tuple[Measurement, ...]:
    retriever = make_retriever(FIRST_STAGE)
    candidates = [
        retriever.index(fold.pool.source).search(fold.pool.query, len(fold.pool.source))
        for fold in folds
    ]
    rules = [fold.detection or fold.rule for fold in folds]
    return evaluate_rerank([fold.grid for fold in folds], candidates, rules)


def _author_pairs(folds: Sequence[JudgedFold]) -> tuple[Measurement, ...]:
    pairs = evaluate_author_pairs(
        [
            AuthorFold(
                fold.grid,
                fold.pool.query.authors,
                fold.pool.source.authors,
                shared_lemmas(fold.pool.query, fold.pool.source),
            )
            for fold in folds
        ],
        [fold.rule for fold in folds],
    )
    return tuple(found for pair in pairs for found in _of_pair(pair))


def _of_pair(pair: AuthorPair) -> tuple[Measurement, ...]:
    totals = {"references": float(pair.references), "shared lemmas": pair.overlap}
    return (
        *pair.named_measurements(),
        *(
            Measurement.over_folds(
                pair.group, f"{name} ({pair.query}, {pair.source})", [-1], [value], pair.references
            )
            for name, value in totals.items()
        ),
    )


def _overlap(folds: Sequence[JudgedFold]) -> tuple[Measurement, ...]:
    correlations = evaluate_overlap(
        [fold.grid for fold in folds],
        [shared_lemmas(fold.pool.query, fold.pool.source) for fold in folds],
        [fold.rule for fold in folds],
    )
    return tuple(
        found
        for correlation in correlations
        for found in (
            correlation.by_fold,
            *(
                Measurement.over_folds(
                    correlation.group, f"{name}, all folds", [-1], [value], correlation.n
                )
                for name, value in (("Spearman", correlation.rho), ("p", correlation.p_value))
            ),
        )
    )


def _calibration(folds: Sequence[JudgedFold]) -> tuple[Measurement, ...]:
    return evaluate_calibration([fold.grid for fold in folds])


_MEASURES: dict[str, Callable[[Sequence[JudgedFold]], tuple[Measurement, ...]]] = {
    "classification": _classification,
    "retrieve-and-rerank": _rerank,
    "author-pairs": _author_pairs,
    "overlap": _overlap,
    "calibration": _calibration,
}


def measure_ranking(candidates: Candidates, ground: Ground) -> tuple[Measurement, ...]:
    """Measure a retriever."""
    return evaluate_retrieval(candidates, ground.benchmark.references)
