"""The methods ``logreg`` and ``gbdt``: the paper's lexical classifiers, over its ten features.

Both learn from the references of the training folds and ten negatives for each, half of them hard
negatives of BM25, half random. Class weights are the paper's: 80 % no match, 10 % *cit.*, 10 %
*cf.* Thresholds, and the number and size of trees, are tuned by leaving out one training fold after
another: training pairs are too easy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from locisimiles.benchmark.protocols import PairGrid, judge_all
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.classify.calibration import Calibration
from locisimiles.classify.logistic import fit_logistic, predict_logistic
from locisimiles.classify.paper_features import PAPER_FEATURES
from locisimiles.classify.thresholds import Thresholds
from locisimiles.errors import MissingDependencyError
from locisimiles.installation import install_command
from locisimiles.learn.feature_classifier import FeatureClassifier
from locisimiles.learn.lexical_sample import NEGATIVES, LexicalSample
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from numpy.typing import NDArray
    from sklearn.ensemble import HistGradientBoostingClassifier

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.index import PreparedDocument
    from locisimiles.learn.lexical_sample import LexicalPart
    from locisimiles.progress import Progress

__all__ = ["LearnedLexical"]

_SHARES = (0.8, 0.1, 0.1)
# F1 for allusions is a few hundredths, of which the usual 0.01 would be a large part.
_TOLERANCE = 0.001
# There are only a few hundred allusions, so smaller trees and a lower rate are tried too.
_TREES: tuple[dict[str, Any], ...] = (
    {},
    {
        "max_leaf_nodes": 7,
        "min_samples_leaf": 50,
        "learning_rate": 0.05,
        "l2_regularization": 10.0,
    },
)


@dataclass(frozen=True, slots=True)
class LearnedLexical:
    """A classifier over the paper's ten features, to be trained.

    ``logreg`` is a multinomial logistic regression; ``gbdt`` are gradient-boosted trees, which need
    scikit-learn. The seed draws the negatives.
    """

    model: Literal["logreg", "gbdt"] = "logreg"
    seed: int = 0

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "classifier": self.model,
            "features": list(PAPER_FEATURES),
            "ratio": NEGATIVES,
            "shares": list(_SHARES),
            "seed": self.seed,
        }

    def fit(
        self,
        training: Benchmark,
        source: PreparedDocument,  # noqa: ARG002 - samples need few of the sources
        *,
        progress: Progress = silent,
    ) -> FeatureClassifier:
        """Learn from references and negatives of the training folds."""
        sample = LexicalSample.draw(training, seed=self.seed, progress=progress)
        parts = _left_out(sample, progress)
        trees = self._best_trees(parts.values())
        classifier = self._learnt(sample.part(progress=progress), trees)
        if not parts:
            return classifier
        judged = self._judge(training, parts, trees, progress)
        tuned = Thresholds.tuned_by_queries(judged, tolerance=_TOLERANCE)
        return replace(classifier, calibration=Calibration(tuned))

    def judge_left_out(
        self, training: Benchmark, *, progress: Progress = silent
    ) -> list[tuple[NDArray[np.float32], NDArray[np.uint8]]]:
        """Judge each training fold with a classifier learnt from the others, to tune thresholds.

        Return probabilities and labels of all pairs of each fold's document: shapes (queries,
        sources, 3) and (queries, sources). With a single fold, nothing is returned.
        """
        parts = _left_out(LexicalSample.draw(training, seed=self.seed, progress=progress), progress)
        return self._judge(training, parts, self._best_trees(parts.values()), progress)

    def _judge(
        self,
        training: Benchmark,
        parts: Mapping[int, LexicalPart],
        trees: dict[str, Any],
        progress: Progress,
    ) -> list[tuple[NDArray[np.float32], NDArray[np.uint8]]]:
        judged = []
        for fold, part in parts.items():
            pool = fold_pool(training, fold, seed=self.seed)
            found = judge_all(self._learnt(part, trees), pool.query, pool.source, progress)
            judged.append((found, PairGrid.from_references(found, pool.references).label))
        return judged

    def _learnt(self, part: LexicalPart, trees: dict[str, Any]) -> FeatureClassifier:
        return FeatureClassifier(
            {"classifier": self.model, "features": list(PAPER_FEATURES)},
            part.features.columns,
            self._fit(part.columns, part.label, trees),
        )

    def _best_trees(self, parts: Collection[LexicalPart]) -> dict[str, Any]:
        """Return the settings and number of trees with the lowest loss on left-out folds."""
        if self.model != "gbdt" or not parts:
            return {}
        losses = [np.sum([self._losses(part, trees) for part in parts], axis=0) for trees in _TREES]
        kind = int(np.argmin([own.min() for own in losses]))
        return {**_TREES[kind], "max_iter": int(losses[kind].argmin()) + 1}

    def _losses(self, part: LexicalPart, trees: dict[str, Any]) -> NDArray[np.float64]:
        """Return the loss on the left-out fold, by the number of trees."""
        grown = self._grow(part.columns, part.label, trees)
        rows, weight = np.arange(len(part.left_label)), _weights(part.left_label)
        return np.array(
            [
                -(weight * np.log(np.maximum(judged[rows, part.left_label], 1e-9))).sum()
                for judged in grown.staged_predict_proba(part.left_columns)
            ]
        )

    def _fit(
        self, columns: NDArray[np.float64], label: NDArray[np.uint8], trees: dict[str, Any]
    ) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
        if self.model == "logreg":
            weights = fit_logistic(columns, label, classes=3, weight=_weights(label))
            return partial(predict_logistic, weights=weights)
        grown = self._grow(columns, label, trees)
        return lambda rows: np.asarray(grown.predict_proba(rows), np.float64)

    def _grow(
        self, columns: NDArray[np.float64], label: NDArray[np.uint8], trees: dict[str, Any]
    ) -> HistGradientBoostingClassifier:
        try:
            from sklearn.ensemble import HistGradientBoostingClassifier
        except ImportError as error:
            raise MissingDependencyError(
                "learn.no_scikit_learn", install=install_command(library="scikit-learn")
            ) from error
        # By default, training on more than 10,000 rows stops early, validated on pairs of the same
        # queries.
        grown = HistGradientBoostingClassifier(
            random_state=self.seed, early_stopping=False, **trees
        )
        grown.fit(columns, label, sample_weight=_weights(label))
        return grown


def _weights(label: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the weight of each pair that gives the classes their shares."""
    counts = np.maximum(np.bincount(label, minlength=3), 1)
    weights: NDArray[np.float64] = (np.array(_SHARES) / counts * len(label))[label]
    return weights


def _left_out(sample: LexicalSample, progress: Progress) -> dict[int, LexicalPart]:
    """Leave out each fold, except those without which a class is missing."""
    return {
        fold: sample.part(without=fold, progress=progress)
        for fold in sample.training.folds
        if sample.can_spare(fold)
    }
