"""The method ``ensemble``: what counts in a pair, learnt on the training folds.

How its probabilities are read, and how much a cross-encoder counts, is found by leaving out one
training fold after another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.learned_default import UNTRAINED
from locisimiles.classify.ensemble import Ensemble
from locisimiles.classify.ensemble_weights import EnsembleWeights, Weighing
from locisimiles.classify.second_opinion import SecondOpinion, learn_opinion, likely, revise
from locisimiles.classify.standards import Standards
from locisimiles.learn.ensemble_examples import (
    CANDIDATES,
    RIDGE,
    Examples,
    Reading,
    TrainingExamples,
    collect_examples,
)
from locisimiles.progress import silent
from locisimiles.retrieve.combined import Combined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.classify.base import Classifier
    from locisimiles.progress import Progress

__all__ = ["LearnedEnsemble", "learn_ensemble", "learn_from_examples"]

_Judged = list[tuple[Examples, "NDArray[np.float64]"]]


@dataclass(frozen=True, slots=True)
class LearnedEnsemble:
    """Learns what the columns of a pair count, and what authors read; without cross-encoder.

    Parameters
    ----------
    priors
        As in `Ensemble`.
    combined
        Searches the whole source for candidates; its weights are learnt too.
    seed
        Of the fold documents it learns from.
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

    def fit(self, training: Benchmark, *, progress: Progress = silent) -> Ensemble:
        """Learn from pairs of the training folds."""
        asked = self.seed, repr(self.combined.parameters()), *_facts(training)
        learnt = _learnt()
        if asked not in learnt:
            learnt[asked] = learn_ensemble(
                training, self.combined, seed=self.seed, progress=progress
            )
        return Ensemble(priors=self.priors, weights=learnt[asked], late=self.combined.late)


def _facts(training: Benchmark) -> Iterator[object]:
    """Yield all that can be learnt from."""
    for document in (training.query, training.source):
        yield document.fingerprint()
        yield tuple((segment.author, segment.work) for segment in document)
    references = training.references
    for column in (references.query, references.source, references.label, references.fold):
        yield column.tobytes()


@cache
def _learnt() -> dict[object, EnsembleWeights]:
    """Return what was learnt already: with and without priors it is the same."""
    return {}


def learn_ensemble(
    training: Benchmark,
    combined: Combined,
    *,
    seed: int = 0,
    second: Mapping[int, Classifier] | None = None,
    progress: Progress = silent,
) -> EnsembleWeights:
    """Return what columns count, learnt from the references of a set.

    Parameters
    ----------
    training, combined, seed
        As in `collect_examples`.
    second
        As in `learn_from_examples`.
    progress
        Called while the work goes on.
    """
    examples = collect_examples(training, combined, seed=seed, progress=progress)
    return learn_from_examples(examples, second, progress=progress)


def learn_from_examples(
    examples: TrainingExamples,
    second: Mapping[int, Classifier] | None = None,
    *,
    progress: Progress = silent,
) -> EnsembleWeights:
    """Learn weights, and how probabilities are read, with and without priors.

    Parameters
    ----------
    examples
        What is learnt from.
    second
        For each fold a cross-encoder that has not seen it, to learn how much its opinion counts;
        rows of NaN are pairs of which it thinks nothing. None if there is none.
    progress
        Called while the work goes on.
    """
    training = examples.training
    weighings: dict[bool, Weighing] = {}
    for done, priors in enumerate((True, False)):
        progress("weighing pairs", done, 2)
        judged = {fold: examples.left_out(fold, priors=priors) for fold in training.folds}
        weighings[priors] = Weighing(
            examples.fit(training.folds, priors=priors),
            Standards.learnt([_document_grid(own) for own in judged.values()]),
            None if second is None else _learn_second(judged, second, progress),
        )
    progress("weighing pairs", 2, 2)
    habits = Reading(training, training.folds).habits
    return EnsembleWeights(weighings[True], weighings[False], habits, examples.pieces)


def _document_grid(judged: _Judged) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Return probabilities and labels of all pairs of a fold's document."""
    own, chances = judged[0]
    shape = len(own.query), len(own.source)
    return chances.reshape(*shape, 3), own.label.reshape(shape)


def _learn_second(
    judged: Mapping[int, _Judged], second: Mapping[int, Classifier], progress: Progress
) -> SecondOpinion:
    heard = {
        fold: [_hear(*part, second[fold], progress) for part in own] for fold, own in judged.items()
    }

    def learnt(without: int | None = None) -> NDArray[np.float64]:
        return learn_opinion(
            [
                (first[rows], opinion, len(own.source), own.label[rows])
                for fold in judged
                if fold != without
                for (own, first), (rows, opinion) in zip(judged[fold], heard[fold], strict=True)
            ]
        )

    grids = []
    for fold, own in judged.items():
        chances, label = _document_grid(own)
        revised = chances.reshape(-1, 3).copy()
        rows, opinion = heard[fold][0]
        weights = learnt(without=fold)
        sources = len(own[0][0].source)
        revised[rows] = revise(revised[rows], opinion, sources, weights)
        grids.append((revised.reshape(chances.shape), label))
    return SecondOpinion(learnt(), Standards.learnt(grids))


def _hear(
    own: Examples, first: NDArray[np.float64], reader: Classifier, progress: Progress
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return which pairs a cross-encoder has an opinion on, and which."""
    rows = likely(first)
    opinion = np.asarray(
        reader.probabilities(
            own.query, own.source, own.asked[rows], own.given[rows], progress=progress
        ),
        np.float64,
    )
    heard = ~np.isnan(opinion[:, 0])
    return rows[heard], opinion[heard]
