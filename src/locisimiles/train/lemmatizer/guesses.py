"""Learn to rank guessed analyses, and guess them for every form of a large corpus.

Ranking is learnt from rare forms of the treebanks, as if they were unseen. If simplemma is
installed, its word list is a feature; its lemmas thereby get into the lexicon, and it is not needed
afterwards.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from scipy.optimize import minimize

from locisimiles.latin.conventions import lemma_class, spell_lemma
from locisimiles.latin.guesser import FEATURES, Analysis, Guesser
from locisimiles.latin.orthography import fold_word
from locisimiles.train.lemmatizer.analyses import CLOSED_CLASSES, endings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.latin.guesser import Rule
    from locisimiles.progress import Progress
    from locisimiles.train.lemmatizer.analyses import Counts

    _Candidates = Sequence[tuple[Analysis, float]]
    _Described = tuple[_Candidates, Callable[[_Candidates], NDArray[np.float64]]]

__all__ = ["BackgroundEntry", "fit_guesser", "guess_background", "last_resort", "read_word_list"]

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_EXAMPLES = 12_000
_RARE = 2
_OFTEN = 20
_MOST_RULES = 12
_FEWEST_FORMS = {5: 3, 6: 3, 7: 4, 8: 4, 9: 4}
_MOST_ANALYSES = 3
_LEAST_PROBABILITY = 0.06
_NO_RULE = 1e-4
_VARIANT = 2e-4
_TRUST = 0.8
_HELPER_FEATURES = 10
_PARTICIPLE = ("ns", "tus", "sus", "xus")
_ANY_PARTICIPLE = (*_PARTICIPLE, "urus", "ndus")
_COMPARATIVES = ("ior", "issimus")
_OPEN = ("ADJ", "ADV", "NOUN", "PROPN", "VERB")
_NOTHING: Counter[Analysis] = Counter()

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


def read_word_list() -> dict[str, str]:
    """Return the lemma of each form in the word list of simplemma; none if it is not installed."""
    try:
        from simplemma.strategies import DefaultDictionaryFactory
    except ImportError:
        return {}
    entries = list(DefaultDictionaryFactory().get_dictionary("la").items())
    spelled = {lemma: spell_lemma(lemma) for _, lemma in entries}
    lemmas: dict[str, str] = {}
    # Where a name and a common word coincide in our spelling, take the word.
    for form, lemma in sorted(entries, key=lambda entry: (not entry[0].islower(), entry)):
        if form.isalpha() and len(form) > 1 and spelled[lemma]:
            lemmas.setdefault(fold_word(form), spelled[lemma])
    return lemmas


class BackgroundEntry(NamedTuple):
    """A form of the corpus with its guessed analyses."""

    form: str
    analyses: list[tuple[Analysis, float]]
    from_word_list: bool


def fit_guesser(counts: Counts, attested: Iterable[str], *, seed: int) -> Guesser:
    """Learn the weights of the guesser that works without a word list."""
    guesser = _make_guesser(counts, attested)

    def describe(unseen: Guesser, form: str) -> _Described:
        return unseen.candidates(form), unseen.features

    return replace(guesser, weights=_learn(guesser, counts, len(FEATURES), seed, describe))


def guess_background(
    guesser: Guesser,
    counts: Counts,
    forms: Sequence[str],
    words: Mapping[str, str],
    *,
    seed: int,
    progress: Progress,
) -> Iterator[BackgroundEntry]:
    """Guess analyses for forms of a corpus, with word list and late spellings."""

    def describe(guesser: Guesser, form: str) -> _Described:
        helper = _Helper(guesser, counts, words)
        return helper.candidates(form), partial(helper.features, form)

    weights = _learn(guesser, counts, len(FEATURES) + _HELPER_FEATURES, seed, describe)
    for done, form in enumerate(forms):
        if done % 1000 == 0:
            progress("guessing", done, len(forms))
        candidates, features = describe(guesser, form)
        if not candidates:
            continue
        scores = features(candidates) @ weights
        odds = np.exp(scores - scores.max())
        chances = zip(candidates, (odds / odds.sum()).tolist(), strict=True)
        ranked = sorted(((a, p) for (a, _), p in chances), key=lambda item: (-item[1], item[0]))
        listed = words.get(form)
        if listed not in (None, ranked[0][0].lemma) and _is_trusted(listed, ranked[0][0], guesser):
            ranked = _put_first(listed, ranked)
        kept = [(a, p) for a, p in ranked[:_MOST_ANALYSES] if p >= _LEAST_PROBABILITY]
        kept = kept or ranked[:1]
        from_list = dict(candidates)[kept[0][0]] <= _NO_RULE
        yield BackgroundEntry(form, kept, from_word_list=from_list)
    progress("guessing", len(forms), len(forms))


def _learn(
    guesser: Guesser,
    counts: Counts,
    features: int,
    seed: int,
    describe: Callable[[Guesser, str], _Described],
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


def _put_first(
    lemma: str, ranked: Sequence[tuple[Analysis, float]]
) -> list[tuple[Analysis, float]]:
    """Make the best analysis with a certain lemma the most probable one."""
    first = next(analysis for analysis, _ in ranked if analysis.lemma == lemma)
    rest = sum(probability for analysis, probability in ranked if analysis != first)
    others = [(a, p / rest * (1 - _TRUST)) for a, p in ranked if a != first]
    return [(first, _TRUST), *others]


def _is_trusted(listed: str, guessed: Analysis, guesser: Guesser) -> bool:
    """Whether to trust the word list rather than a guess.

    It takes participles and comparatives for lemmas; there we know better. Otherwise it errs less
    often than rules about forms in no treebank: most are late words and names.
    """
    if listed.endswith(_COMPARATIVES):
        return False
    of_known_verb = guessed.pos == "VERB" and guessed in guesser.known
    return not (of_known_verb and listed.endswith(_ANY_PARTICIPLE))


def last_resort(
    guesser: Guesser, words: Mapping[str, str], *, progress: Progress
) -> dict[str, str]:
    """Return the word list's lemmas for unattested forms that rules get wrong."""
    lemmas: dict[str, str] = {}
    for done, (form, listed) in enumerate(words.items()):
        if done % 10_000 == 0:
            progress("comparing with the word list", done, len(words))
        if form in guesser.attested or not form.isascii():
            continue
        guesses = guesser.guess(form)
        guessed = guesses[0][0] if guesses else Analysis(form, "")
        if lemma_class(guessed.lemma) != lemma_class(listed) and _is_trusted(
            listed, guessed, guesser
        ):
            lemmas[form] = listed
    progress("comparing with the word list", len(words), len(words))
    return lemmas


class _Helper:
    """A guesser that also knows the word list and the spellings of later Latin."""

    def __init__(self, guesser: Guesser, counts: Counts, words: Mapping[str, str]) -> None:
        self.words = words
        self._guesser = guesser
        self._counts = counts

    def candidates(self, form: str) -> list[tuple[Analysis, float]]:
        candidates = self._guesser.candidates(form)
        lemmas = {analysis.lemma for analysis, _ in candidates}
        for variant in _variants(form):
            for analysis, _ in self._counts.analyses.get(variant, _NOTHING).most_common(3):
                if analysis.lemma not in lemmas and variant != form:
                    candidates.append((analysis, _VARIANT))
                    lemmas.add(analysis.lemma)
        listed = self.words.get(form)
        if listed and listed not in lemmas:
            candidates.append((Analysis(listed, self._likely_pos(listed)), _NO_RULE))
        return candidates

    def features(
        self, form: str, candidates: Sequence[tuple[Analysis, float]]
    ) -> NDArray[np.float64]:
        listed = self.words.get(form)
        known = self._guesser.known
        from_verb = any(a.pos == "VERB" and a in known for a, _ in candidates)
        more = [
            [
                listed == a.lemma,
                listed is not None and listed != a.lemma,
                listed == a.lemma and a.lemma in self._guesser.known_lemmas,
                a.pos == "VERB" and (listed or "").endswith(_PARTICIPLE) and listed != a.lemma,
                p == _NO_RULE,
                p == _VARIANT,
                p == _VARIANT and listed is None,
                p == _VARIANT and known.get(a, 0) > _OFTEN,
                listed is None and a not in known,
                from_verb and listed == a.lemma and a.pos != "VERB",
            ]
            for a, p in candidates
        ]
        return np.hstack([self._guesser.features(candidates), np.array(more, float)])

    def _likely_pos(self, lemma: str) -> str:
        tags = [(n, pos) for pos in _OPEN if (n := self._guesser.known.get(Analysis(lemma, pos)))]
        return max(tags)[1] if tags else ""


def _variants(form: str) -> Iterator[str]:
    """Yield other spellings of a form, one change at a time."""
    for written, meant in _SPELLINGS:
        at = form.find(written)
        while at >= 0:
            yield form[:at] + meant + form[at + len(written) :]
            at = form.find(written, at + 1)
    yield f"h{form}"


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
