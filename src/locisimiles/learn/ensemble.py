"""Learn the weights of the ensemble from known references.

Calibration, and the weight of the cross-encoder, are learnt by leaving out one training fold after
another.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.classify.calibration import Calibration
from locisimiles.classify.ensemble import Ensemble
from locisimiles.classify.ensemble_weights import EnsembleWeights, PairModel
from locisimiles.classify.reranking import Reranking, fit_reranking, rerank, worth_reranking
from locisimiles.learn.default import UNTRAINED
from locisimiles.learn.ensemble_examples import (
    CANDIDATES,
    RIDGE,
    Examples,
    FoldPriors,
    TrainingExamples,
    collect_examples,
)
from locisimiles.models.identity import model_sha256
from locisimiles.progress import silent
from locisimiles.retrieve.combined import Combined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.classify.base import Classifier
    from locisimiles.index import PreparedDocument
    from locisimiles.progress import Progress

__all__ = ["LearnedEnsemble", "learn_ensemble", "learn_from_examples", "learn_with_each"]

_Judged = list[tuple[Examples, "NDArray[np.float64]"]]


@dataclass(frozen=True, slots=True)
class LearnedEnsemble:
    """The ensemble without a cross-encoder, to be trained.

    `combined` searches the whole source for candidates; its weights are learnt too. The seed draws
    the fold documents.
    """

    priors: bool = True
    combined: Combined = field(default_factory=lambda: Combined(priors=False, weights=UNTRAINED))
    seed: int = 0

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        retriever = dict(self.combined.parameters())
        retriever.pop("weights_sha256")
        return {
            "classifier": "ensemble",
            "priors": self.priors,
            "ridge": RIDGE,
            "candidates": CANDIDATES,
            "retriever": retriever,
            "seed": self.seed,
        }

    def fit(
        self, training: Benchmark, source: PreparedDocument, *, progress: Progress = silent
    ) -> Ensemble:
        """Learn from pairs of the training folds.

        The prepared source remembers the weights, which are the same with and without priors.
        """
        key = "ensemble", self.seed, repr(self.combined.parameters()), *_dependencies(training)
        weights = source.derive(
            key,
            lambda: learn_ensemble(
                training, source, self.combined, seed=self.seed, progress=progress
            ),
        )
        return Ensemble(priors=self.priors, weights=weights, late=self.combined.late)


def _dependencies(training: Benchmark) -> Iterator[object]:
    """Yield everything that weights depend on."""
    for document in (training.query, training.source):
        yield document.fingerprint()
        yield document.authors
        yield document.works
    references = training.references
    for column in (references.query, references.source, references.label, references.fold):
        yield column.tobytes()


def learn_ensemble(
    training: Benchmark,
    source: PreparedDocument,
    combined: Combined,
    *,
    seed: int = 0,
    second: Mapping[int, Classifier] | None = None,
    progress: Progress = silent,
) -> EnsembleWeights:
    """Return weights learnt from the references of a set.

    Parameters are those of `collect_examples` and `learn_from_examples`.
    """
    examples = collect_examples(training, source, combined, seed=seed, progress=progress)
    encoder = model_sha256(combined.late_search().encoder())
    return learn_from_examples(examples, second, encoder=encoder, progress=progress)


def learn_from_examples(
    examples: TrainingExamples,
    second: Mapping[int, Classifier] | None = None,
    *,
    encoder: str = "",
    progress: Progress = silent,
) -> EnsembleWeights:
    """Learn weights and calibration, with and without priors.

    `second` holds for each fold a cross-encoder that has not seen it, to learn its weight; it
    returns rows of NaN for pairs it does not judge. None disables reranking. `encoder` is the
    SHA-256 of the encoder that the features come from.
    """
    return learn_with_each(examples, [second], encoder=encoder, progress=progress)[0]


def learn_with_each(
    examples: TrainingExamples,
    seconds: Sequence[Mapping[int, Classifier] | None],
    *,
    encoder: str = "",
    progress: Progress = silent,
) -> list[EnsembleWeights]:
    """Learn as `learn_from_examples` with each of several cross-encoders, or without (None).

    Only the weight of the cross-encoder and the calibration differ; the rest is learnt once.
    """
    folds = examples.training.folds
    models: dict[bool, list[PairModel]] = {}
    for done, priors in enumerate((True, False)):
        progress("weighting pairs", done, 2)
        judged = {fold: examples.left_out(fold, priors=priors) for fold in folds}
        alone = PairModel(
            examples.fit(folds, priors=priors),
            Calibration.learn([_document_grid(own) for own in judged.values()]),
        )
        models[priors] = [
            alone
            if second is None
            else replace(alone, reranking=_learn_reranking(judged, second, progress))
            for second in seconds
        ]
    progress("weighting pairs", 2, 2)
    priors_of_all = FoldPriors(examples.training, folds).priors
    return [
        EnsembleWeights(with_priors, without_priors, priors_of_all, examples.pieces, encoder)
        for with_priors, without_priors in zip(models[True], models[False], strict=True)
    ]


def _document_grid(judged: _Judged) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Return probabilities and labels of all pairs of a fold's document."""
    examples, chances = judged[0]
    shape = len(examples.pairs.query), len(examples.pairs.source)
    return chances.reshape(*shape, 3), examples.label.reshape(shape)


def _learn_reranking(
    judged: Mapping[int, _Judged], second: Mapping[int, Classifier], progress: Progress
) -> Reranking:
    reranked = {
        fold: [_predict(*part, second[fold], progress) for part in parts]
        for fold, parts in judged.items()
    }

    def fitted(without: int | None = None) -> NDArray[np.float64]:
        return fit_reranking(
            [
                (first[rows], chances, len(examples.pairs.source), examples.label[rows])
                for fold in judged
                if fold != without
                for (examples, first), (rows, chances) in zip(
                    judged[fold], reranked[fold], strict=True
                )
            ]
        )

    grids = []
    for fold, parts in judged.items():
        grid, label = _document_grid(parts)
        combined = grid.reshape(-1, 3).copy()
        rows, chances = reranked[fold][0]
        sources = len(parts[0][0].pairs.source)
        combined[rows] = rerank(combined[rows], chances, sources, fitted(without=fold))
        grids.append((combined.reshape(grid.shape), label))
    return Reranking(fitted(), Calibration.learn(grids))


def _predict(
    examples: Examples,
    first: NDArray[np.float64],
    cross_encoder: Classifier,
    progress: Progress,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the pairs that a cross-encoder judges, and their probabilities."""
    rows = worth_reranking(first)
    predicted = cross_encoder.probabilities(examples.pairs.select(rows), progress=progress)
    chances = np.asarray(predicted, np.float64)
    judged = ~np.isnan(chances[:, 0])
    return rows[judged], chances[judged]
