"""What the ensemble learns from: pairs, all that is known of them, and what they are.

There are two kinds: all pairs of the fold documents, as small documents are compared, and the first
hundred candidates of each query in the whole source, as a library is searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.learned_default import LearnedDefault
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.classify.base import every_pair
from locisimiles.classify.logistic import fit_logistic, predict_logistic
from locisimiles.classify.pair_features import (
    PAIR_FEATURES,
    PairFeatures,
    column_names,
    expanded,
    habit_columns,
)
from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.retrieve.habits import Readings, SourceFacts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.benchmark.sets.references import References
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.base import Index
    from locisimiles.retrieve.combined import Combined
    from locisimiles.retrieve.habits import Habits
    from locisimiles.retrieve.late_words import PieceWeights

__all__ = [
    "CANDIDATES",
    "RIDGE",
    "Examples",
    "Reading",
    "TrainingExamples",
    "collect_examples",
    "labels_of",
]

CANDIDATES = 100
"""How many candidates of a query in the whole source are learnt from."""
RIDGE = 10.0
# Of pairs that are no references, those that look likely are many, and others nearly all alike.
_LIKELY_PLACE = 50
_KEPT_LIKELY, _KEPT_OTHERS = 3, 30
_PLACES = [PAIR_FEATURES.index(f"place of {name}") for name in ("late window", "near pair")]


def collect_examples(
    training: Benchmark, combined: Combined, *, seed: int = 0, progress: Progress = silent
) -> TrainingExamples:
    """Return what the ensemble learns from.

    Parameters
    ----------
    training
        What may be seen; it must have folds.
    combined
        Searches the whole source; without priors, so that no query finds its own references by
        habit.
    seed
        Of the fold documents.
    progress
        Called while the work goes on.

    Raises
    ------
    ParameterError
        If the set has fewer than two folds.
    """
    if len(training.folds) < 2:  # noqa: PLR2004 - one to learn from, one to tune on
        raise ParameterError("the training set has fewer than two folds", hint="make some")
    retriever = LearnedDefault(combined).fit(training, progress=progress)
    index = retriever.index(training.source, progress=progress)
    late = combined.late_search()
    in_source = late.alive(training.source) or late.index(training.source, progress=progress)
    features = PairFeatures(in_source.weights, late)
    library = [
        _library_examples(training, fold, index, features, progress) for fold in training.folds
    ]
    documents = [
        _document_examples(fold_pool(training, fold, seed=seed), fold, features, progress)
        for fold in training.folds
    ]
    return TrainingExamples(training, library, documents, in_source.weights)


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Pairs of a fold, what is known of them, and what they are."""

    fold: int
    query: Document
    source: Document
    asked: NDArray[np.int64]
    given: NDArray[np.int64]
    columns: NDArray[np.float32]
    label: NDArray[np.uint8]

    def looks_likely(self) -> NDArray[np.bool_]:
        """Tell which pairs are among the first of their query by late interaction or words."""
        places = self.columns[:, _PLACES]
        found: NDArray[np.bool_] = (places <= np.log1p(_LIKELY_PLACE)).any(axis=1)
        return found

    def chosen(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return which pairs are learnt from, and how many each stands for."""
        random = np.random.default_rng(self.fold)
        times = np.where(self.looks_likely(), _KEPT_LIKELY, _KEPT_OTHERS)
        times[self.label > 0] = 1
        rows = np.flatnonzero(random.random(len(times)) * times < 1)
        return rows, times[rows].astype(np.float64)


def _document_examples(
    pool: Benchmark, fold: int, features: PairFeatures, progress: Progress
) -> Examples:
    return _examples(pool, fold, every_pair(pool.query, pool.source), features, progress)


def _library_examples(
    training: Benchmark, fold: int, index: Index, features: PairFeatures, progress: Progress
) -> Examples:
    references = training.references
    queries = references.select(references.fold == fold).queries
    asked_document = training.query.select(queries.tolist())
    found = index.search(asked_document, CANDIDATES, progress=progress)
    asked = queries[found.query].astype(np.int64)
    pairs = asked, found.source.astype(np.int64)
    return _examples(training, fold, pairs, features, progress)


def _examples(
    benchmark: Benchmark,
    fold: int,
    pairs: tuple[NDArray[np.int64], NDArray[np.int64]],
    features: PairFeatures,
    progress: Progress,
) -> Examples:
    query, source = benchmark.query, benchmark.source
    asked, given = pairs
    columns = features.columns(query, source, asked, given, progress=progress)
    label = labels_of(benchmark.references, asked, given, len(source))
    return Examples(fold, query, source, asked, given, columns, label)


def labels_of(
    references: References, asked: NDArray[np.int64], given: NDArray[np.int64], sources: int
) -> NDArray[np.uint8]:
    """Return what pairs are, by the references of the set."""
    keys = references.query.astype(np.int64) * sources + references.source
    order = np.argsort(keys)
    wanted = asked * sources + given
    place = np.minimum(np.searchsorted(keys[order], wanted), max(len(keys) - 1, 0))
    found = keys[order][place] == wanted
    return np.where(found, references.label[order][place], 0).astype(np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingExamples:
    """Pairs to learn from, with all that is known of them.

    Attributes
    ----------
    training
        The set they are of.
    library
        For each fold, candidates in the whole source.
    documents
        For each fold, all pairs of its document.
    pieces
        How much pieces of words count.
    """

    training: Benchmark
    library: Sequence[Examples]
    documents: Sequence[Examples]
    pieces: PieceWeights

    def left_out(self, fold: int, *, priors: bool) -> list[tuple[Examples, NDArray[np.float64]]]:
        """Judge the pairs of a fold, document and library, with weights learnt on the others."""
        others = [other for other in self.training.folds if other != fold]
        weights = self.fit(others, priors=priors)
        reading = Reading(self.training, others) if priors else None
        return [
            (own, predict_logistic(_wide(own, np.arange(len(own.asked)), reading), weights))
            for own in (*self.documents, *self.library)
            if own.fold == fold
        ]

    def fit(
        self, folds: Sequence[int], *, priors: bool, without: Sequence[str] = ()
    ) -> NDArray[np.float64]:
        """Return weights learnt on some folds; columns that are left out weigh nothing.

        Parameters
        ----------
        folds
            Whose pairs are learnt from.
        priors
            Whether it is known what authors read.
        without
            Names of columns.
        """
        reading = Reading(self.training, folds) if priors else None
        columns, labels, weights = [], [], []
        for examples in (*self.documents, *self.library):
            if examples.fold in folds:
                rows, times = examples.chosen()
                columns.append(_wide(examples, rows, reading))
                labels.append(examples.label[rows])
                weights.append(times)
        wide = np.concatenate(columns)
        names = column_names(priors=priors)
        left_out = [at for at, name in enumerate(names) if name in without]
        wide[:, [*left_out, *(len(names) + 1 + at for at in left_out)]] = 0.0
        return fit_logistic(
            wide,
            np.concatenate(labels),
            classes=3,
            weight=np.concatenate(weights),
            ridge=RIDGE,
        )


def _wide(
    examples: Examples, rows: NDArray[np.int64], reading: Reading | None
) -> NDArray[np.float64]:
    """Return the expanded columns of some pairs."""
    columns = examples.columns[rows]
    if reading is not None:
        habits = habit_columns(
            reading.readers(examples.query),
            SourceFacts.of(examples.source),
            examples.asked[rows],
            examples.given[rows],
        )
        columns = np.concatenate([columns, habits], axis=1)
    return expanded(columns, len(examples.source))


class Reading:
    """What the references of some folds say of authors' reading."""

    def __init__(self, training: Benchmark, folds: Sequence[int]) -> None:
        references = training.references.select(np.isin(training.references.fold, folds))
        queries = references.queries.tolist()
        sources = [
            references.source[references.query == query].astype(np.int64) for query in queries
        ]
        authors = [training.query[query].author or "" for query in queries]
        self._readings = Readings(SourceFacts.of(training.source), authors, sources)
        self._place = {training.query.ids[query]: at for at, query in enumerate(queries)}
        self.habits = self._readings.habits()

    def readers(self, query: Document) -> list[tuple[str, Habits]]:
        """Return for each segment its author, and habits; none knows its own references."""
        return [(segment.author or "", self._without(segment.id)) for segment in query]

    def _without(self, name: str) -> Habits:
        place = self._place.get(name)
        return self.habits if place is None else self._readings.habits(without=place)
