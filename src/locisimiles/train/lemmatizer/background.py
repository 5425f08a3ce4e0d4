"""Guess analyses for the forms of a large corpus.

If simplemma is installed, its word list is a feature of the ranking; its lemmas thereby get into
the lexicon, and it is not needed afterwards.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.latin.conventions import lemma_class, spell_lemma
from locisimiles.latin.guesser import FEATURES, Analysis, Guesser
from locisimiles.latin.orthography import fold_word
from locisimiles.train.lemmatizer.guesser import learn_ranking

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.progress import Progress
    from locisimiles.train.lemmatizer.analyses import Counts
    from locisimiles.train.lemmatizer.guesser import Candidates, Described

__all__ = ["BackgroundEntry", "guess_background", "last_resort", "read_word_list"]

_OFTEN = 20
_MOST_ANALYSES = 3
_LEAST_PROBABILITY = 0.06
_NO_RULE = 1e-4
_VARIANT = 2e-4
_TRUST = 0.8
_MORE_FEATURES = 10
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

    def describe(guesser: Guesser, form: str) -> Described:
        helper = _WordListGuesser(guesser, counts, words)
        return helper.candidates(form), partial(helper.features, form)

    weights = learn_ranking(guesser, counts, len(FEATURES) + _MORE_FEATURES, seed, describe)
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


def _put_first(lemma: str, ranked: Candidates) -> list[tuple[Analysis, float]]:
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


@dataclass(frozen=True, slots=True)
class _WordListGuesser:
    """A guesser that also knows the word list and the spellings of later Latin."""

    guesser: Guesser
    counts: Counts
    words: Mapping[str, str]

    def candidates(self, form: str) -> list[tuple[Analysis, float]]:
        candidates = self.guesser.candidates(form)
        lemmas = {analysis.lemma for analysis, _ in candidates}
        for variant in _variants(form):
            for analysis, _ in self.counts.analyses.get(variant, _NOTHING).most_common(3):
                if analysis.lemma not in lemmas and variant != form:
                    candidates.append((analysis, _VARIANT))
                    lemmas.add(analysis.lemma)
        listed = self.words.get(form)
        if listed and listed not in lemmas:
            candidates.append((Analysis(listed, self._likely_pos(listed)), _NO_RULE))
        return candidates

    def features(self, form: str, candidates: Candidates) -> NDArray[np.float64]:
        listed = self.words.get(form)
        known = self.guesser.known
        from_verb = any(a.pos == "VERB" and a in known for a, _ in candidates)
        more = [
            [
                listed == a.lemma,
                listed is not None and listed != a.lemma,
                listed == a.lemma and a.lemma in self.guesser.known_lemmas,
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
        return np.hstack([self.guesser.features(candidates), np.array(more, float)])

    def _likely_pos(self, lemma: str) -> str:
        tags = [(n, pos) for pos in _OPEN if (n := self.guesser.known.get(Analysis(lemma, pos)))]
        return max(tags)[1] if tags else ""


def _variants(form: str) -> Iterator[str]:
    """Yield other spellings of a form, one change at a time."""
    for written, meant in _SPELLINGS:
        at = form.find(written)
        while at >= 0:
            yield form[:at] + meant + form[at + len(written) :]
            at = form.find(written, at + 1)
    yield f"h{form}"
