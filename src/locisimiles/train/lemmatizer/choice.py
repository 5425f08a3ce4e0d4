"""Learn to choose between readings by context: a log-linear model over hashed features."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin.context import BOUNDARY, context_features, feature_slot, reading_seeds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.latin.guesser import Reading
    from locisimiles.progress import Progress
    from locisimiles.train.lemmatizer.analyses import Sentence

__all__ = ["learn_choice"]

_SLOTS = 1 << 20
_EPOCHS = 2
_RATE = 0.1
_NEGLIGIBLE = 1e-3
_LARGEST = 127


def learn_choice(
    sentences: Sequence[Sentence],
    readings: Mapping[str, Sequence[tuple[Reading, float]]],
    *,
    seed: int,
    progress: Progress,
) -> tuple[NDArray[np.int8], float]:
    """Learn the weights of the context model.

    Parameters
    ----------
    sentences
        Sentences with the right readings.
    readings
        For each form the readings it may have, with their probabilities, the likeliest first.
    seed
        In what order sentences are seen.
    progress
        Called as the sentences are gone through.

    Returns
    -------
    weights, scale
        Weights as bytes, and what to multiply them with.
    """
    learner = _Learner(readings)
    order = list(range(len(sentences)))
    shuffle = random.Random(seed).shuffle  # noqa: S311 - no secret
    for epoch in range(_EPOCHS):
        shuffle(order)
        for done, position in enumerate(order):
            if done % 2000 == 0:
                progress("learning the choice", epoch * len(order) + done, _EPOCHS * len(order))
            learner.see(sentences[position])
    progress("learning the choice", _EPOCHS * len(order), _EPOCHS * len(order))
    weights = np.array(learner.weights)
    scale = float(np.abs(weights).max()) / _LARGEST or 1.0
    return np.round(weights / scale).astype(np.int8), scale


class _Learner:
    """Stochastic gradient descent, with a rate of its own for each weight (AdaGrad)."""

    def __init__(self, readings: Mapping[str, Sequence[tuple[Reading, float]]]) -> None:
        self.weights = [0.0] * _SLOTS
        self._squares = [1.0] * _SLOTS
        self._readings = readings
        self._likely = {form: entries[0][0].pos for form, entries in readings.items()}

    def see(self, sentence: Sentence) -> None:
        """Learn from the ambiguous words of one sentence."""
        forms = [form for form, _ in sentence]
        likely = [self._likely.get(form, "") for form in forms]
        before = before_that = BOUNDARY
        for at, (form, right) in enumerate(sentence):
            entries = self._readings.get(form, ())
            if len(entries) > 1:
                features = context_features(forms, likely, at, before, before_that)
                self._learn(features, entries, right)
            before, before_that = (right.lemma, right.pos), before

    def _learn(
        self, features: list[bytes], entries: Sequence[tuple[Reading, float]], right: Reading
    ) -> None:
        answers = [reading == right for reading, _ in entries]
        if not any(answers):
            answers = [reading.lemma == right.lemma for reading, _ in entries]
            if not any(answers):
                return
        weights = self.weights
        slots = [
            [feature_slot(seed, f, _SLOTS) for seed in reading_seeds(reading) for f in features]
            for reading, _ in entries
        ]
        scores = [
            math.log(probability) + sum(weights[slot] for slot in own)
            for (_, probability), own in zip(entries, slots, strict=True)
        ]
        top = max(scores)
        odds = [math.exp(score - top) for score in scores]
        total = sum(odds)
        hit = sum(chance for chance, answer in zip(odds, answers, strict=True) if answer)
        for own, chance, answer in zip(slots, odds, answers, strict=True):
            error = chance / total - (chance / hit if answer else 0.0)
            if abs(error) > _NEGLIGIBLE:
                self._step(own, error)

    def _step(self, slots: list[int], error: float) -> None:
        weights, squares = self.weights, self._squares
        for slot in slots:
            squares[slot] += error * error
            weights[slot] -= _RATE * error / math.sqrt(squares[slot])
