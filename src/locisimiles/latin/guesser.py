"""Guess the analyses of unknown forms from their endings and from known lemmas.

A rule says how many letters to cut and which to add (*-orum*: cut 4, add *us*, a noun). Rules and
their probabilities are learnt for endings of every length; those of longer endings count more.
A known lemma is more likely than an unknown one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["FEATURES", "Analysis", "Guesser", "Rule"]

LONGEST_ENDING = 9
_CONFIDENCE = 3.0
_LEAST_PROBABILITY = 3e-4
_MOST_CANDIDATES = 14
_PARTICIPLE_ENDINGS = ("ns", "tus", "sus", "xus")
_SHORT = 4

FEATURES = (
    "rule",
    "known",
    "count",
    "known otherwise",
    "attested",
    "participle of a known verb",
    "noun",
    "name",
    "adjective",
    "verb",
    "adverb",
    "short",
)
"""The features of a guess, in this order."""


class Analysis(NamedTuple):
    """A lemma and part of speech that a form may have."""

    lemma: str
    pos: str


class Rule(NamedTuple):
    """Cut a number of letters and add others to get a lemma of this part of speech."""

    cut: int
    add: str
    pos: str


class _Mixture(NamedTuple):
    """The rules of several endings: the place of each rule, and their probabilities."""

    place: dict[Rule, int]
    probabilities: list[float]

    def with_rules(self, total: float, rules: Sequence[tuple[Rule, float]]) -> _Mixture:
        """Return the mixture with the rules of a longer ending, which `total` forms have."""
        trust = total / (total + _CONFIDENCE) if self.place else 1.0
        distrust = 1 - trust
        place = self.place.copy()
        mixed = [probability * distrust for probability in self.probabilities]
        for rule, probability in rules:
            at = place.setdefault(rule, len(mixed))
            if at < len(mixed):
                mixed[at] += trust * probability
            else:
                mixed.append(trust * probability)
        return _Mixture(place, mixed)


@dataclass(frozen=True, slots=True)
class Guesser:
    """Guesses the analyses of unknown forms.

    Attributes
    ----------
    rules
        For each ending, the number of forms that have it, and its rules with their probabilities.
    known, known_lemmas
        The frequency of each analysis, and of each lemma, in the treebanks.
    attested, weights
        All attested forms, and a weight for each of `FEATURES`.
    """

    rules: Mapping[str, tuple[float, Sequence[tuple[Rule, float]]]]
    known: Mapping[Analysis, int]
    known_lemmas: Mapping[str, int]
    attested: Mapping[str, int]
    weights: NDArray[np.float64]
    _mixtures: dict[str, _Mixture] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def guess(self, form: str) -> list[tuple[Analysis, float]]:
        """Return the analyses of a folded form and their probabilities, the most likely first."""
        candidates = self.candidates(form)
        if not candidates:
            return []
        scores = self.features(candidates) @ self.weights
        odds = np.exp(scores - scores.max())
        probabilities = (odds / odds.sum()).tolist()
        guesses = [(a, p) for (a, _), p in zip(candidates, probabilities, strict=True)]
        return sorted(guesses, key=lambda guess: (-guess[1], guess[0]))

    def candidates(self, form: str) -> list[tuple[Analysis, float]]:
        """Return the analyses that rules derive from a form, with the rules' probabilities."""
        mixture = self._mixture(form)
        candidates: dict[Analysis, float] = {}
        length = len(form)
        for rule, probability in zip(mixture.place, mixture.probabilities, strict=True):
            if probability < _LEAST_PROBABILITY:
                continue
            lemma = form[: length - rule.cut] + rule.add
            if len(lemma) > 1:
                analysis = Analysis(lemma, rule.pos)
                candidates[analysis] = candidates.get(analysis, 0.0) + probability
        return sorted(candidates.items(), key=lambda item: (-item[1], item[0]))[:_MOST_CANDIDATES]

    def _mixture(self, form: str) -> _Mixture:
        """Mix the rules of all endings of a form, longer ones counting more.

        The mixture of each ending is cached.
        """
        mixture = _Mixture({}, [])
        for length in range(1, min(LONGEST_ENDING, len(form)) + 1):
            ending = form[-length:]
            if ending not in self.rules:
                continue
            longer = self._mixtures.get(ending)
            if longer is None:
                longer = self._mixtures[ending] = mixture.with_rules(*self.rules[ending])
            mixture = longer
        return mixture

    def features(self, candidates: Sequence[tuple[Analysis, float]]) -> NDArray[np.float64]:
        """Return a row of `FEATURES` for each analysis."""
        from_verb = any(a.pos == "VERB" and a in self.known for a, _ in candidates)
        return np.array([self._row(a, p, from_verb=from_verb) for a, p in candidates], np.float64)

    def _row(self, analysis: Analysis, probability: float, *, from_verb: bool) -> list[float]:
        lemma, pos = analysis
        count = self.known.get(analysis, 0)
        participle = pos == "ADJ" and lemma.endswith(_PARTICIPLE_ENDINGS)
        return [
            math.log(probability),
            count > 0,
            math.log1p(count),
            self.known_lemmas.get(lemma, 0) > count,
            lemma in self.attested,
            participle and from_verb,
            pos == "NOUN",
            pos == "PROPN",
            pos == "ADJ",
            pos == "VERB",
            pos == "ADV",
            len(lemma) < _SHORT,
        ]
