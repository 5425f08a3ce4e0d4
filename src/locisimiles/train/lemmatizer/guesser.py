"""Learn to guess the analyses of unknown forms, and to rank these guesses.

Ranking is learnt from rare forms of the treebanks, as if they were unseen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from scipy.optimize import minimize

from locisimiles.latin.guesser import FEATURES, Analysis, Guesser
from locisimiles.train.lemmatizer.analyses import CLOSED_CLASSES, endings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from locisimiles.latin.guesser import Rule
    from locisimiles.train.lemmatizer.analyses import Counts

__all__ = ["Candidates", "Described", "fit_guesser", "learn_ranking"]

Candidates = Sequence[tuple[Analysis, float]]
"""Analyses of a form with the probabilities of their rules."""
Described = tuple[Candidates, Callable[[Candidates], "NDArray[np.float64]"]]
"""Candidates, and a function that computes their features."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_EXAMPLES = 12_000
_RARE = 2
_MOST_RULES = 12
_FEWEST_FORMS = {5: 3, 6: 3, 7: 4, 8: 4, 9: 4}


def fit_guesser(counts: Counts, attested: Iterable[str], *, seed: int) -> Guesser:
    """Learn the weights of the guesser that works without a word list."""
    guesser = _make_guesser(counts, attested)

    def describe(unseen: Guesser, form: str) -> Described:
        return unseen.candidates(form), unseen.features

    return replace(guesser, weights=learn_ranking(guesser, counts, len(FEATURES), seed, describe))


def learn_ranking(
    guesser: Guesser,
    counts: Counts,
    features: int,
    seed: int,
    describe: Callable[[Guesser, str], Described],
) -> NDArray[np.float64]:
    """Learn to rank the candidates of rare forms, as if these were unseen.

    `describe` returns the candidates of a form, and a function that computes their features.
    """
    groups = []
    for form, analysis in _rare_forms(counts, seed):
        candidates, compute = describe(_as_if_unseen(guesser, counts, form, analysis), form)
        right = np.array([candidate.lemma == analysis.lemma for candidate, _ in candidates])
        if right.any():
            groups.append((compute(candidates), right))
    return _fit(groups, features)


def _make_guesser(counts: Counts, attested: Iterable[str]) -> Guesser:
    known_lemmas: Counter[str] = Counter()
    for analysis, count in counts.known.items():
        known_lemmas[analysis.lemma] += count
    rules = {}
    for ending, counted in counts.rules.items():
        total = sum(counted.values())
        if total >= _FEWEST_FORMS.get(len(ending), 1):
            best = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:_MOST_RULES]
            rules[ending] = (float(total), [(rule, count / total) for rule, count in best])
    seen = dict.fromkeys(attested, 1)
    zeros = np.zeros(len(FEATURES))
    return Guesser(rules, dict(counts.known), dict(known_lemmas), seen, zeros)


def _rare_forms(counts: Counts, seed: int) -> list[tuple[str, Analysis]]:
    rare = [
        (form, next(iter(analyses)))
        for form, analyses in counts.analyses.items()
        if len(analyses) == 1 and analyses.total() <= _RARE and form.isalpha()
    ]
    rare = sorted(item for item in rare if item[1].pos not in CLOSED_CLASSES)
    random.Random(seed).shuffle(rare)  # noqa: S311 - no secret
    return rare[:_EXAMPLES]


def _as_if_unseen(guesser: Guesser, counts: Counts, form: str, analysis: Analysis) -> Guesser:
    """Return the guesser as it would be without one form."""
    rules: dict[str, tuple[float, Sequence[tuple[Rule, float]]] | None] = {}
    for ending, rule in endings_of(form, analysis):
        if entry := guesser.rules.get(ending):
            total, listed = entry
            left = [(r, round(p * total) - (r == rule)) for r, p in listed]
            kept = [(r, n / (total - 1)) for r, n in left if n > 0]
            rules[ending] = (total - 1, kept) if kept else None
    count, lemma = counts.analyses[form][analysis], analysis.lemma
    return replace(
        guesser,
        rules=_Changed(guesser.rules, rules),
        known=_Changed(guesser.known, {analysis: guesser.known[analysis] - count or None}),
        known_lemmas=_Changed(
            guesser.known_lemmas, {lemma: guesser.known_lemmas[lemma] - count or None}
        ),
    )


class _Changed(Mapping[_Key, _Value]):
    """A mapping with a few entries changed, or removed (None)."""

    def __init__(self, base: Mapping[_Key, _Value], changes: Mapping[_Key, _Value | None]) -> None:
        self._base = base
        self._changes = changes

    def __getitem__(self, key: _Key) -> _Value:
        value = self._changes[key] if key in self._changes else self._base[key]
        if value is None:
            raise KeyError(key)
        return value

    def __iter__(self) -> Iterator[_Key]:
        return (key for key in self._base if self._changes.get(key, key) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _fit(
    groups: Sequence[tuple[NDArray[np.float64], NDArray[np.bool_]]], features: int
) -> NDArray[np.float64]:
    """Fit a log-linear model that picks the right candidate of each group.

    Without groups, the probability of the rule decides.
    """
    if not groups:
        rule_only = np.zeros(features)
        rule_only[0] = 1.0
        return rule_only
    rows = np.vstack([features for features, _ in groups])
    right = np.concatenate([answers for _, answers in groups])
    sizes = np.array([len(answers) for _, answers in groups])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    group = np.repeat(np.arange(len(groups)), sizes)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = rows @ weights
        scores -= np.maximum.reduceat(scores, starts)[group]
        odds = np.exp(scores)
        chance = odds / np.add.reduceat(odds, starts)[group]
        hit = np.add.reduceat(chance * right, starts)
        gradient = rows.T @ (chance - chance * right / hit[group]) + weights
        return float(-np.log(hit).sum() + weights @ weights / 2), gradient

    fitted = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B")
    weights: NDArray[np.float64] = fitted.x
    return weights
