"""Learn to choose between analyses by context: a log-linear model over hashed features."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin.context import BOUNDARY, analysis_seeds, context_features, feature_slot

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.latin.guesser import Analysis
    from locisimiles.progress import Progress
    from locisimiles.train.lemmatizer.analyses import Sentence

    Analyses = Sequence[tuple[Analysis, float]]

__all__ = ["learn_choice"]

_SLOTS = 1 << 20
_EPOCHS = 2
_RATE = 0.1
_NEGLIGIBLE = 1e-3
_LARGEST = 127


def learn_choice(
    sentences: Sequence[Sentence],
    analyses: Mapping[str, Analyses],
    *,
    seed: int,
    progress: Progress,
) -> tuple[NDArray[np.int8], float]:
    """Learn the weights of the context model; return them as bytes, and their scale.

    `analyses` are those of each form with their probabilities, the most probable first; `seed`
    decides the order of `sentences`.
    """
    learner = _Learner(analyses)
    order = list(range(len(sentences)))
    shuffle = random.Random(seed).shuffle  # noqa: S311 - no secret
    for epoch in range(_EPOCHS):
        shuffle(order)
        for done, position in enumerate(order):
            if done % 2000 == 0:
                progress("learning the choice", epoch * len(order) + done, _EPOCHS * len(order))
            learner.learn(sentences[position])
    progress("learning the choice", _EPOCHS * len(order), _EPOCHS * len(order))
    weights = np.array(learner.weights)
    scale = float(np.abs(weights).max()) / _LARGEST or 1.0
    return np.round(weights / scale).astype(np.int8), scale


class _Learner:
    """Stochastic gradient descent with a learning rate for each weight (AdaGrad)."""

    def __init__(self, analyses: Mapping[str, Analyses]) -> None:
        self.weights = [0.0] * _SLOTS
        self._squares = [1.0] * _SLOTS
        self._analyses = analyses
        self._likely = {form: entries[0][0].pos for form, entries in analyses.items()}

    def learn(self, sentence: Sentence) -> None:
        """Learn from the ambiguous words of one sentence."""
        forms = [form for form, _ in sentence]
        likely = [self._likely.get(form, "") for form in forms]
        before = before_that = BOUNDARY
        for at, (form, right) in enumerate(sentence):
            entries = self._analyses.get(form, ())
            if len(entries) > 1:
                features = context_features(forms, likely, at, before, before_that)
                self._choose(features, entries, right)
            before, before_that = (right.lemma, right.pos), before

    def _choose(self, features: list[bytes], entries: Analyses, right: Analysis) -> None:
        answers = [analysis == right for analysis, _ in entries]
        if not any(answers):
            answers = [analysis.lemma == right.lemma for analysis, _ in entries]
            if not any(answers):
                return
        weights = self.weights
        slots = [
            [feature_slot(seed, f, _SLOTS) for seed in analysis_seeds(analysis) for f in features]
            for analysis, _ in entries
        ]
        scores = [
            math.log(probability) + sum(weights[slot] for slot in active)
            for (_, probability), active in zip(entries, slots, strict=True)
        ]
        top = max(scores)
        odds = [math.exp(score - top) for score in scores]
        total = sum(odds)
        hit = sum(chance for chance, answer in zip(odds, answers, strict=True) if answer)
        for active, chance, answer in zip(slots, odds, answers, strict=True):
            error = chance / total - (chance / hit if answer else 0.0)
            if abs(error) > _NEGLIGIBLE:
                self._step(active, error)

    def _step(self, slots: list[int], error: float) -> None:
        weights, squares = self.weights, self._squares
        for slot in slots:
            squares[slot] += error * error
            weights[slot] -= _RATE * error / math.sqrt(squares[slot])
