"""The methods ``logreg`` and ``gbdt``: the paper's lexical classifiers, over its ten features.

Both learn from the references of the training folds and ten negatives for each, half of them drawn
from what BM25 finds, half at random. How often each class counts is as in the paper: 80 % no match,
10 % *cit.*, 10 % *cf.* Thresholds are tuned by leaving out one training fold after another: what
was learnt from is easy to tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from locisimiles.benchmark.pools import fold_pool
from locisimiles.benchmark.protocols import PairGrid
from locisimiles.classify.base import every_pair
from locisimiles.classify.logistic import fit_logistic, predict_logistic
from locisimiles.classify.paper_features import PAPER_FEATURES, PaperFeatures
from locisimiles.classify.thresholds import Thresholds
from locisimiles.errors import MissingDependencyError, ParameterError
from locisimiles.progress import silent
from locisimiles.retrieve.bm25 import BM25
from locisimiles.train.biencoder_pairs import hard_candidates
from locisimiles.train.sampling import sample_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.benchmark.dataset import Benchmark
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["LearnedLexical", "LexicalClassifier"]

LexicalModel = Literal["logreg", "gbdt"]
_RATIO = 10
_HARD_DEPTH = 100
_SHARES = (0.8, 0.1, 0.1)


class _Predicts(Protocol):
    def __call__(self, columns: NDArray[np.float64]) -> NDArray[np.float64]: ...


@dataclass(frozen=True, slots=True)
class LearnedLexical:
    """Learns to tell pairs apart by the paper's ten features.

    Parameters
    ----------
    model
        ``logreg``: multinomial logistic regression; ``gbdt``: gradient-boosted trees over
        histograms, which need scikit-learn.
    seed
        Of the negatives.
    """

    model: LexicalModel = "logreg"
    seed: int = 0

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "classifier": self.model,
            "features": list(PAPER_FEATURES),
            "ratio": _RATIO,
            "shares": list(_SHARES),
            "seed": self.seed,
        }

    def fit(self, training: Benchmark, *, progress: Progress = silent) -> LexicalClassifier:
        """Learn from references and negatives of the training folds.

        Raises
        ------
        MissingDependencyError
            If scikit-learn is needed and not there.
        ParameterError
            If one of the types does not occur.
        """
        references = training.references
        similar = hard_candidates(training, BM25(), _HARD_DEPTH, _RATIO, progress)
        pairs = sample_pairs(
            references,
            queries=references.queries,
            sources=len(training.source),
            strategy="qry,mix",
            ratio=_RATIO,
            seed=self.seed,
            similar=similar,
        )
        texts = [
            *(training.query.texts[row] for row in references.queries.tolist()),
            *(training.source.texts[row] for row in np.unique(pairs.source).tolist()),
        ]
        features = PaperFeatures.fit(texts)
        columns = features.columns(
            training.query, training.source, pairs.query, pairs.source, progress=progress
        )
        label = np.zeros(len(pairs), np.uint8)
        label[: len(references)] = references.label  # which come first
        if not np.bincount(label, minlength=3).all():
            raise ParameterError("the training set lacks references of one of the types")
        fold_of = dict(zip(references.query.tolist(), references.fold.tolist(), strict=True))
        folds = np.array([fold_of[query] for query in pairs.query.tolist()])

        def learnt(rows: NDArray[np.bool_]) -> LexicalClassifier:
            return LexicalClassifier(self.model, features, self._fit(columns[rows], label[rows]))

        whole = learnt(np.ones(len(pairs), np.bool_))
        if len(training.folds) == 1:  # nothing to tune on that was not learnt from
            return whole
        judged = [
            _judged(learnt(folds != fold), fold_pool(training, fold, seed=self.seed), progress)
            for fold in training.folds
        ]
        return replace(whole, thresholds=Thresholds.tuned_by_queries(judged))

    def _fit(self, columns: NDArray[np.float64], label: NDArray[np.uint8]) -> _Predicts:
        counts = np.maximum(np.bincount(label, minlength=3), 1)
        weight = (np.array(_SHARES) / counts * len(label))[label]
        if self.model == "logreg":
            weights = fit_logistic(columns, label, classes=3, weight=weight)
            return lambda rows: predict_logistic(rows, weights)
        try:
            from sklearn.ensemble import HistGradientBoostingClassifier
        except ImportError as error:
            raise MissingDependencyError(
                "scikit-learn is not installed", hint="pip install 'locisimiles[train]'"
            ) from error
        trees = HistGradientBoostingClassifier(random_state=self.seed)
        trees.fit(columns, label, sample_weight=weight)
        return lambda rows: np.asarray(trees.predict_proba(rows), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class LexicalClassifier:
    """What `LearnedLexical` has learned; without thresholds if there was nothing to tune on."""

    model: str
    features: PaperFeatures
    predict: _Predicts
    thresholds: Thresholds | None = None

    def parameters(self) -> Mapping[str, object]:
        """Return what it is, for the manifest of a run."""
        return {"classifier": self.model, "features": list(PAPER_FEATURES)}

    def probabilities(
        self,
        query: Document,
        source: Document,
        pairs_query: NDArray[np.integer[Any]],
        pairs_source: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return the probabilities of no match, *cit.* and *cf.*, a row a pair."""
        columns = self.features.columns(query, source, pairs_query, pairs_source, progress=progress)
        if not len(columns):
            return np.zeros((0, 3), np.float32)
        return self.predict(columns).astype(np.float32)


def _judged(
    classifier: LexicalClassifier, pool: Benchmark, progress: Progress
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Return probabilities and labels of all pairs of a fold's document."""
    pairs = every_pair(pool.query, pool.source)
    found = classifier.probabilities(pool.query, pool.source, *pairs, progress=progress)
    shaped = found.reshape(len(pool.query), len(pool.source), 3)
    return shaped, PairGrid.from_references(shaped, pool.references).label
