"""Learn to judge made-up readings, and make them up for every form of a large corpus.

Judging is learnt from rare forms of the treebanks, as if they had not been seen. Where simplemma
is installed, whether its word list agrees counts too; its answers are thereby built into the
lexicon, and it is not needed afterwards.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from scipy.optimize import minimize

from locisimiles.latin.conventions import lemma_class, spell_lemma
from locisimiles.latin.guesser import FEATURES, Guesser, Reading
from locisimiles.latin.orthography import fold_word
from locisimiles.train.lemmatizer.analyses import CLOSED_CLASSES, endings_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.latin.guesser import Rule
    from locisimiles.progress import Progress
    from locisimiles.train.lemmatizer.analyses import Counts

__all__ = ["BackgroundEntry", "WordList", "fit_guesser", "guess_background", "last_resort"]

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_EXAMPLES = 12_000
_RARE = 2
_OFTEN = 20
_MOST_RULES = 12
_FEWEST_FORMS = {5: 3, 6: 3, 7: 4, 8: 4, 9: 4}
_MOST_READINGS = 3
_LEAST_PROBABILITY = 0.06
_NO_RULE = 1e-4
_VARIANT = 2e-4
_TRUST = 0.8
_HELPER_FEATURES = 10
_PARTICIPLE = ("ns", "tus", "sus", "xus")
_ANY_PARTICIPLE = (*_PARTICIPLE, "urus", "ndus")
_COMPARATIVES = ("ior", "issimus")

# Spellings of late and medieval Latin, and what they stand for in ours.
# fmt: off
_SPELLINGS = [
    ("e", "ae"), ("e", "oe"), ("ae", "e"), ("oe", "e"), ("y", "i"), ("i", "y"), ("ch", "h"),
    ("ti", "ci"), ("ci", "ti"), ("mpn", "mn"), ("k", "c"), ("ph", "f"), ("f", "ph"), ("th", "t"),
    ("t", "th"), ("c", "ch"), ("cunque", "cumque"), ("ii", "i"), ("b", "u"), ("u", "b"),
    ("o", "u"), ("u", "o"), ("e", "i"), ("i", "e"), ("h", ""), ("nq", "mq"), ("bt", "pt"),
    ("s", "ss"), ("l", "ll"), ("m", "mm"), ("t", "tt"), ("tt", "t"), ("ll", "l"), ("ss", "s"),
]
# fmt: on


class WordList:
    """The word list of simplemma in our spelling; empty where it is not installed."""

    @cached_property
    def _lemmas(self) -> dict[str, str]:
        try:
            from simplemma.strategies import DefaultDictionaryFactory
        except ImportError:
            return {}
        entries = list(DefaultDictionaryFactory().get_dictionary("la").items())
        spelled = {lemma: spell_lemma(lemma) for _, lemma in entries}
        lemmas: dict[str, str] = {}
        # Where a name and a common word are the same to us, the word is meant.
        for form, lemma in sorted(entries, key=lambda entry: (not entry[0].islower(), entry)):
            if form.isalpha() and len(form) > 1 and spelled[lemma]:
                lemmas.setdefault(fold_word(form), spelled[lemma])
        return lemmas

    @property
    def forms(self) -> Collection[str]:
        """All forms of the list, folded."""
        return self._lemmas.keys()

    def lemma(self, form: str) -> str | None:
        """Return the lemma of a form, or None if the list does not have it."""
        return self._lemmas.get(form)


class BackgroundEntry(NamedTuple):
    """A form of the corpus with the readings that were made up for it."""

    form: str
    readings: list[tuple[Reading, float]]
    from_word_list: bool


def fit_guesser(counts: Counts, attested: Iterable[str], *, seed: int) -> Guesser:
    """Learn the weights of the guesser that works without any word list."""
    guesser = _make_guesser(counts, attested)
    groups = []
    for form, reading in _rare_forms(counts, seed):
        unseen = _as_if_unseen(guesser, counts, form, reading)
        candidates = unseen.candidates(form)
        right = np.array([candidate.lemma == reading.lemma for candidate, _ in candidates])
        if right.any():
            groups.append((unseen.features(candidates), right))
    return replace(guesser, weights=_fit(groups, len(FEATURES)))


def guess_background(
    guesser: Guesser,
    counts: Counts,
    forms: Sequence[str],
    words: WordList,
    *,
    seed: int,
    progress: Progress,
) -> Iterator[BackgroundEntry]:
    """Make up readings for forms of a corpus, with all help there is."""
    helper = _Helper(guesser, counts, words)
    groups = []
    for form, reading in _rare_forms(counts, seed):
        unseen = _Helper(_as_if_unseen(guesser, counts, form, reading), counts, words)
        candidates = unseen.candidates(form)
        right = np.array([candidate.lemma == reading.lemma for candidate, _ in candidates])
        if right.any():
            groups.append((unseen.features(form, candidates), right))
    weights = _fit(groups, len(FEATURES) + _HELPER_FEATURES)
    for done, form in enumerate(forms):
        if done % 1000 == 0:
            progress("guessing", done, len(forms))
        candidates = helper.candidates(form)
        if not candidates:
            continue
        scores = helper.features(form, candidates) @ weights
        odds = np.exp(scores - scores.max())
        chances = zip(candidates, (odds / odds.sum()).tolist(), strict=True)
        ranked = sorted(((r, p) for (r, _), p in chances), key=lambda item: (-item[1], item[0]))
        listed = words.lemma(form)
        if listed not in (None, ranked[0][0].lemma) and _is_trusted(listed, ranked[0][0], guesser):
            ranked = _put_first(listed, ranked)
        kept = [(r, p) for r, p in ranked[:_MOST_READINGS] if p >= _LEAST_PROBABILITY]
        kept = kept or ranked[:1]
        from_list = dict(candidates)[kept[0][0]] <= _NO_RULE
        yield BackgroundEntry(form, kept, from_word_list=from_list)
    progress("guessing", len(forms), len(forms))


def _put_first(lemma: str, ranked: Sequence[tuple[Reading, float]]) -> list[tuple[Reading, float]]:
    """Let the best reading with a certain lemma be the most probable one."""
    first = next(reading for reading, _ in ranked if reading.lemma == lemma)
    rest = sum(probability for reading, probability in ranked if reading != first)
    others = [(r, p / rest * (1 - _TRUST)) for r, p in ranked if r != first]
    return [(first, _TRUST), *others]


def _is_trusted(listed: str, guessed: Reading, guesser: Guesser) -> bool:
    """Tell whether the word list is to be believed against a guess.

    It takes participles and comparatives for lemmas; of these we know better. Otherwise it errs
    less often than rules do about forms that no treebank has: most are late words and names.
    """
    if listed.endswith(_COMPARATIVES):
        return False
    of_known_verb = guessed.pos == "VERB" and guessed in guesser.known
    return not (of_known_verb and listed.endswith(_ANY_PARTICIPLE))


def last_resort(guesser: Guesser, words: WordList, *, progress: Progress) -> dict[str, str]:
    """Return the lemmas of the word list for forms that occur nowhere, where rules would err."""
    lemmas: dict[str, str] = {}
    for done, form in enumerate(words.forms):
        if done % 10_000 == 0:
            progress("comparing with the word list", done, len(words.forms))
        listed = words.lemma(form)
        if listed is None or form in guesser.attested or not form.isascii():
            continue
        guesses = guesser.guess(form)
        guessed = guesses[0].reading if guesses else Reading(form, "")
        if lemma_class(guessed.lemma) != lemma_class(listed) and _is_trusted(
            listed, guessed, guesser
        ):
            lemmas[form] = listed
    progress("comparing with the word list", len(words.forms), len(words.forms))
    return lemmas


class _Helper:
    """A guesser with the word list and the spellings of later Latin at its side."""

    def __init__(self, guesser: Guesser, counts: Counts, words: WordList) -> None:
        self.words = words
        self._guesser = guesser
        self._counts = counts

    def candidates(self, form: str) -> list[tuple[Reading, float]]:
        candidates = self._guesser.candidates(form)
        lemmas = {reading.lemma for reading, _ in candidates}
        for variant in _variants(form):
            for reading, _ in self._counts.readings.get(variant, _NOTHING).most_common(3):
                if reading.lemma not in lemmas and variant != form:
                    candidates.append((reading, _VARIANT))
                    lemmas.add(reading.lemma)
        listed = self.words.lemma(form)
        if listed and listed not in lemmas:
            candidates.append((Reading(listed, self._likely_pos(listed)), _NO_RULE))
        return candidates

    def features(
        self, form: str, candidates: Sequence[tuple[Reading, float]]
    ) -> NDArray[np.float64]:
        listed = self.words.lemma(form)
        from_verb = any(r.pos == "VERB" and r in self._guesser.known for r, _ in candidates)
        own = self._guesser.features(candidates)
        more = [
            [
                listed == r.lemma,
                listed is not None and listed != r.lemma,
                listed == r.lemma and r.lemma in self._guesser.known_lemmas,
                r.pos == "VERB" and (listed or "").endswith(_PARTICIPLE) and listed != r.lemma,
                p == _NO_RULE,
                p == _VARIANT,
                p == _VARIANT and listed is None,
                p == _VARIANT and self._guesser.known.get(r, 0) > _OFTEN,
                listed is None and r not in self._guesser.known,
                from_verb and listed == r.lemma and r.pos != "VERB",
            ]
            for r, p in candidates
        ]
        return np.hstack([own, np.array(more, float)])

    def _likely_pos(self, lemma: str) -> str:
        tags = [(n, pos) for pos in _OPEN if (n := self._guesser.known.get(Reading(lemma, pos)))]
        return max(tags)[1] if tags else ""


_OPEN = ("ADJ", "ADV", "NOUN", "PROPN", "VERB")


_NOTHING: Counter[Reading] = Counter()


def _variants(form: str) -> Iterator[str]:
    """Yield other spellings of a form, one change at a time."""
    for written, meant in _SPELLINGS:
        at = form.find(written)
        while at >= 0:
            yield form[:at] + meant + form[at + len(written) :]
            at = form.find(written, at + 1)
    yield f"h{form}"


def _make_guesser(counts: Counts, attested: Iterable[str]) -> Guesser:
    known_lemmas: dict[str, int] = {}
    for reading, count in counts.known.items():
        known_lemmas[reading.lemma] = known_lemmas.get(reading.lemma, 0) + count
    rules = {}
    for ending, counted in counts.rules.items():
        total = sum(counted.values())
        if total >= _FEWEST_FORMS.get(len(ending), 1):
            best = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:_MOST_RULES]
            rules[ending] = (float(total), [(rule, count / total) for rule, count in best])
    seen = dict.fromkeys(attested, 1)
    return Guesser(rules, dict(counts.known), known_lemmas, seen, np.zeros(len(FEATURES)))


def _rare_forms(counts: Counts, seed: int) -> list[tuple[str, Reading]]:
    rare = [
        (form, next(iter(readings)))
        for form, readings in counts.readings.items()
        if len(readings) == 1 and readings.total() <= _RARE and form.isalpha()
    ]
    rare = sorted(item for item in rare if item[1].pos not in CLOSED_CLASSES)
    random.Random(seed).shuffle(rare)  # noqa: S311 - no secret
    return rare[:_EXAMPLES]


def _as_if_unseen(guesser: Guesser, counts: Counts, form: str, reading: Reading) -> Guesser:
    """Return the guesser as it would be without one form."""
    rules: dict[str, tuple[float, Sequence[tuple[Rule, float]]] | None] = {}
    for ending, rule in endings_of(form, reading):
        if entry := guesser.rules.get(ending):
            total, listed = entry
            left = [(r, round(p * total) - (r == rule)) for r, p in listed]
            kept = [(r, n / (total - 1)) for r, n in left if n > 0]
            rules[ending] = (total - 1, kept) if kept else None
    own = counts.readings[form][reading]
    lemma = reading.lemma
    return replace(
        guesser,
        rules=_Changed(guesser.rules, rules),
        known=_Changed(guesser.known, {reading: guesser.known[reading] - own or None}),
        known_lemmas=_Changed(
            guesser.known_lemmas, {lemma: guesser.known_lemmas[lemma] - own or None}
        ),
    )


class _Changed(Mapping[_Key, _Value]):
    """A mapping in which a few entries are others, or (None) missing."""

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
    """Fit a log-linear model that picks the right candidate out of each group.

    Where there is nothing to learn from, the probability of the rule decides.
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

    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B")
    weights: NDArray[np.float64] = found.x
    return weights
