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
# Their F1 of allusions is a few hundredths, of which the usual 0.01 would give away a good part.
_TOLERANCE = 0.001
# Of allusions there are a few hundred: it is tried on the training folds whether smaller trees, in
# smaller steps, do better than the usual ones.
_TREES: tuple[dict[str, Any], ...] = (
    {},
    {
        "max_leaf_nodes": 7,
        "min_samples_leaf": 50,
        "learning_rate": 0.05,
        "l2_regularization": 10.0,
    },
)


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
            predict = self._fit(columns[rows], label[rows], trees)
            return LexicalClassifier(self.model, features, predict)

        trees = self._best_trees(columns, label, folds) if self.model == "gbdt" else {}
        whole = learnt(np.ones(len(pairs), np.bool_))
        if len(training.folds) == 1:  # nothing to tune on that was not learnt from
            return whole
        judged = [
            _judged(learnt(folds != fold), fold_pool(training, fold, seed=self.seed), progress)
            for fold in training.folds
        ]
        return replace(whole, thresholds=Thresholds.tuned_by_queries(judged, tolerance=_TOLERANCE))

    def _best_trees(
        self, columns: NDArray[np.float64], label: NDArray[np.uint8], folds: NDArray[np.int64]
    ) -> dict[str, Any]:
        """Return how trees are grown that best foresee folds they were not learnt from."""
        losses = []
        for trees in _TREES:
            right = np.ones(len(label))
            for fold in np.unique(folds) if len(np.unique(folds)) > 1 else ():
                out = folds == fold
                judged = self._fit(columns[~out], label[~out], trees)(columns[out])
                right[out] = judged[np.arange(len(judged)), label[out]]
            losses.append(-(_weights(label) * np.log(np.maximum(right, 1e-9))).sum())
        return _TREES[int(np.argmin(losses))]

    def _fit(
        self, columns: NDArray[np.float64], label: NDArray[np.uint8], trees: dict[str, Any]
    ) -> _Predicts:
        weight = _weights(label)
        if self.model == "logreg":
            weights = fit_logistic(columns, label, classes=3, weight=weight)
            return lambda rows: predict_logistic(rows, weights)
        try:
            from sklearn.ensemble import HistGradientBoostingClassifier
        except ImportError as error:
            raise MissingDependencyError(
                "scikit-learn is not installed", hint="pip install 'locisimiles[train]'"
            ) from error
        grown = HistGradientBoostingClassifier(random_state=self.seed, **trees)
        grown.fit(columns, label, sample_weight=weight)
        return lambda rows: np.asarray(grown.predict_proba(rows), np.float64)


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


def _weights(label: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return how much each pair counts, so that the classes have their shares."""
    counts = np.maximum(np.bincount(label, minlength=3), 1)
    weights: NDArray[np.float64] = (np.array(_SHARES) / counts * len(label))[label]
    return weights


def _judged(
    classifier: LexicalClassifier, pool: Benchmark, progress: Progress
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Return probabilities and labels of all pairs of a fold's document."""
    pairs = every_pair(pool.query, pool.source)
    found = classifier.probabilities(pool.query, pool.source, *pairs, progress=progress)
    shaped = found.reshape(len(pool.query), len(pool.source), 3)
    return shaped, PairGrid.from_references(shaped, pool.references).label
