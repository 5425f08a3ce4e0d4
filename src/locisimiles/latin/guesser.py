"""Readings of forms that no lexicon has: from their endings, and from the lemmas we know.

A rule says what to cut off an ending and what to put in its place (*-orum*: cut 4, add *us*, a
noun). Rules are learnt with their probabilities for endings of every length; those of longer
endings count for more. Among the lemmas so made, one that is known already is likelier than one
nobody has seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["FEATURES", "Guess", "Guesser", "Reading", "Rule"]

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
"""What a candidate is judged by, in this order."""


class Reading(NamedTuple):
    """A lemma with a part of speech."""

    lemma: str
    pos: str


class Rule(NamedTuple):
    """Cut so many letters, add these, and it is a lemma of this part of speech."""

    cut: int
    add: str
    pos: str


class Guess(NamedTuple):
    """A reading that was made up, and how probable it is."""

    reading: Reading
    probability: float


class _Mixture(NamedTuple):
    """Rules, each with its place, and their probabilities."""

    place: dict[Rule, int]
    probabilities: list[float]

    def with_rules(self, total: float, rules: Sequence[tuple[Rule, float]]) -> _Mixture:
        """Return what it becomes with the rules of a longer ending, which so many forms had."""
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
    """Makes up readings for unknown forms.

    Attributes
    ----------
    rules
        For each ending, its rules, their probabilities, and how many forms had that ending.
    known
        How often each reading occurs in the treebanks.
    attested
        All forms that are known to occur.
    weights
        One for each of `FEATURES`.
    """

    rules: Mapping[str, tuple[float, Sequence[tuple[Rule, float]]]]
    known: Mapping[Reading, int]
    known_lemmas: Mapping[str, int]
    attested: Mapping[str, int]
    weights: NDArray[np.float64]
    _mixtures: dict[str, _Mixture] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def guess(self, form: str) -> list[Guess]:
        """Return the readings of a folded form, the likeliest first; none if no rule fits."""
        candidates = self.candidates(form)
        if not candidates:
            return []
        scores = self.features(candidates) @ self.weights
        odds = np.exp(scores - scores.max())
        probabilities = (odds / odds.sum()).tolist()
        guesses = [Guess(r, p) for (r, _), p in zip(candidates, probabilities, strict=True)]
        return sorted(guesses, key=lambda guess: (-guess.probability, guess.reading))

    def candidates(self, form: str) -> list[tuple[Reading, float]]:
        """Return the readings that rules make of a form, with the rules' probabilities."""
        mixture = self._mixture(form)
        made: dict[Reading, float] = {}
        length = len(form)
        for rule, probability in zip(mixture.place, mixture.probabilities, strict=True):
            if probability < _LEAST_PROBABILITY:
                continue
            cut, add, pos = rule
            lemma = form[: length - cut] + add
            if len(lemma) > 1:
                reading = Reading(lemma, pos)
                made[reading] = made.get(reading, 0.0) + probability
        return sorted(made.items(), key=lambda item: (-item[1], item[0]))[:_MOST_CANDIDATES]

    def _mixture(self, form: str) -> _Mixture:
        """Mix the rules of all endings of a form, longer ones counting for more.

        What was mixed for an ending is kept: the next form that ends so needs only its own rest.
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

    def features(self, candidates: Sequence[tuple[Reading, float]]) -> NDArray[np.float64]:
        """Return a row of `FEATURES` for each candidate."""
        from_verb = any(r.pos == "VERB" and r in self.known for r, _ in candidates)
        return np.array([self._row(r, p, from_verb=from_verb) for r, p in candidates], np.float64)

    def _row(self, reading: Reading, probability: float, *, from_verb: bool) -> list[float]:
        lemma, pos = reading
        count = self.known.get(reading, 0)
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
