"""The examples that the ensemble learns from: pairs with features and labels.

There are two kinds: all pairs of the fold documents, as when small documents are compared, and the
first hundred candidates of each query in the whole source, as when a library is searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.classify.base import Pairs
from locisimiles.classify.logistic import fit_logistic, predict_logistic
from locisimiles.classify.pair_features import (
    PairFeatures,
    column_names,
    expanded,
    prior_columns,
)
from locisimiles.errors import ParameterError
from locisimiles.learn.default import LearnedDefault
from locisimiles.learn.priors import ReferenceCounts
from locisimiles.progress import silent
from locisimiles.retrieve.combined.priors import SourceWorks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.benchmark.sets.references import References
    from locisimiles.candidates import Features
    from locisimiles.corpus import Document
    from locisimiles.index import PreparedDocument
    from locisimiles.late.pieces import PieceWeights
    from locisimiles.progress import Progress
    from locisimiles.retrieve.combined import Combined
    from locisimiles.retrieve.combined.priors import AuthorPriors

__all__ = [
    "CANDIDATES",
    "RIDGE",
    "Examples",
    "FoldPriors",
    "TrainingExamples",
    "collect_examples",
    "labels_of",
]

CANDIDATES = 100
"""The number of candidates per query in the whole source."""
RIDGE = 10.0
# Likely negatives are many, and unlikely ones nearly alike: one in 3, or one in 30, suffices.
_LIKELY_PLACE = 50
_LIKELY_STEP, _UNLIKELY_STEP = 3, 30
_PLACES = ("place of late window", "place of near pair")


def collect_examples(
    training: Benchmark,
    source: PreparedDocument,
    combined: Combined,
    *,
    seed: int = 0,
    progress: Progress = silent,
) -> TrainingExamples:
    """Return the examples of a training set with at least two folds; `source` are its sources.

    `combined` searches them, without priors, by which a query would find its own references. The
    seed draws the fold documents.
    """
    if len(training.folds) < 2:  # noqa: PLR2004 - one to learn from, one to tune on
        raise ParameterError("learn.too_few_folds")
    retriever = LearnedDefault(combined).fit(training, source, progress=progress)
    late = combined.late_search()
    pieces = late.index(source, progress=progress).weights
    features = PairFeatures(pieces, late)

    def examples(fold: int, pairs: Pairs, references: References) -> Examples:
        columns = features.columns(pairs, progress=progress)
        label = labels_of(references, pairs.query_rows, pairs.source_rows, len(pairs.source))
        return Examples(fold, pairs, columns, label)

    references = training.references
    library = []
    for fold in training.folds:
        queries = references.select(references.fold == fold).queries
        found = retriever.index(source, progress=progress).search(
            training.query.select(queries.tolist()), CANDIDATES, progress=progress
        )
        pairs = Pairs(training.query, source, queries[found.query], found.source)
        library.append(examples(fold, pairs, references))
    pools = {fold: fold_pool(training, fold, seed=seed) for fold in training.folds}
    documents = [
        examples(fold, Pairs.every(pool.query, pool.source), pool.references)
        for fold, pool in pools.items()
    ]
    return TrainingExamples(training, library, documents, pieces)


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Pairs of a fold, with their features and labels."""

    fold: int
    pairs: Pairs
    features: Features
    label: NDArray[np.uint8]

    def looks_likely(self) -> NDArray[np.bool_]:
        """Tell which pairs are among the first of their query by late interaction or by words."""
        places = self.features.select(_PLACES)
        likely: NDArray[np.bool_] = (places <= np.log1p(_LIKELY_PLACE)).any(axis=1)
        return likely

    def sampled(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return a sample of the pairs, and the number of pairs each stands for."""
        random = np.random.default_rng(self.fold)
        times = np.where(self.looks_likely(), _LIKELY_STEP, _UNLIKELY_STEP)
        times[self.label > 0] = 1
        rows = np.flatnonzero(random.random(len(times)) * times < 1)
        return rows, times[rows].astype(np.float64)


def labels_of(
    references: References,
    query_rows: NDArray[np.int64],
    source_rows: NDArray[np.int64],
    sources: int,
) -> NDArray[np.uint8]:
    """Return the labels of pairs by the references of a set."""
    keys = references.query.astype(np.int64) * sources + references.source
    order = np.argsort(keys)
    wanted = query_rows * sources + source_rows
    place = np.minimum(np.searchsorted(keys[order], wanted), max(len(keys) - 1, 0))
    found = keys[order][place] == wanted
    return np.where(found, references.label[order][place], 0).astype(np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingExamples:
    """The examples of a training set.

    Each fold has candidates in the whole source (in `library`), and all pairs of its document (in
    `documents`). `pieces` are the weights of pieces in late interaction.
    """

    training: Benchmark
    library: Sequence[Examples]
    documents: Sequence[Examples]
    pieces: PieceWeights

    def left_out(self, fold: int, *, priors: bool) -> list[tuple[Examples, NDArray[np.float64]]]:
        """Judge the pairs of a fold, document and library, with weights learnt from the others."""
        others = [other for other in self.training.folds if other != fold]
        weights = self.fit(others, priors=priors)
        known = FoldPriors(self.training, others) if priors else None
        return [
            (own, predict_logistic(_wide(own, np.arange(len(own.label)), known), weights))
            for own in (*self.documents, *self.library)
            if own.fold == fold
        ]

    def fit(
        self, folds: Sequence[int], *, priors: bool, without: Sequence[str] = ()
    ) -> NDArray[np.float64]:
        """Return weights learnt from some folds; the features `without` get none."""
        known = FoldPriors(self.training, folds) if priors else None
        columns, labels, weights = [], [], []
        for examples in (*self.documents, *self.library):
            if examples.fold in folds:
                rows, times = examples.sampled()
                columns.append(_wide(examples, rows, known))
                labels.append(examples.label[rows])
                weights.append(times)
        wide = np.concatenate(columns)
        names = column_names(priors=priors)
        left_out = [column for column, name in enumerate(names) if name in without]
        wide[:, [*left_out, *(len(names) + 1 + column for column in left_out)]] = 0.0
        return fit_logistic(
            wide, np.concatenate(labels), classes=3, weight=np.concatenate(weights), ridge=RIDGE
        )


def _wide(
    examples: Examples, rows: NDArray[np.int64], priors: FoldPriors | None
) -> NDArray[np.float64]:
    """Return the expanded features of some pairs."""
    features = examples.features.rows(rows)
    if priors is not None:
        authors = priors.of_queries(examples.pairs.query)
        features = features.beside(prior_columns(authors, examples.pairs.select(rows)))
    names = column_names(priors=priors is not None)
    return expanded(features.select(names), len(examples.pairs.source))


class FoldPriors:
    """Author priors learnt from the references of some folds."""

    def __init__(self, training: Benchmark, folds: Sequence[int]) -> None:
        references = training.references.select(np.isin(training.references.fold, folds))
        queries = references.queries.tolist()
        sources = [
            references.source[references.query == query].astype(np.int64) for query in queries
        ]
        authors = [training.query.authors[query] for query in queries]
        self._counts = ReferenceCounts(SourceWorks.of(training.source), authors, sources)
        self._rows = {training.query.ids[query]: row for row, query in enumerate(queries)}
        self.priors = self._counts.priors()

    def of_queries(self, query: Document) -> list[tuple[str, AuthorPriors]]:
        """Return author and priors of each segment, learnt without its own references."""
        rows = map(self._rows.get, query.ids)
        return [
            (author, self.priors if row is None else self._counts.priors(without=row))
            for author, row in zip(query.authors, rows, strict=True)
        ]
