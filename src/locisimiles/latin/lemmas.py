"""Lemmas of Latin words, with their probabilities.

Forms are looked up in a lexicon learnt from treebanks and a large corpus; other forms lose an
enclitic or are analysed by their endings. If a form has several analyses, the context decides
(`context`), or the most frequent one is taken (`fast`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from locisimiles.files.hashing import sha256_of
from locisimiles.latin.abbreviations import ABBREVIATIONS
from locisimiles.latin.context import BOUNDARY, analysis_seeds, context_features, feature_slot
from locisimiles.latin.enclitics import ALWAYS_SPLIT, ENCLITIC_LEMMAS, WITH_CUM, split_enclitic
from locisimiles.latin.guesser import Analysis
from locisimiles.latin.model import ORIGINS, LemmaModel, quick_column
from locisimiles.latin.orthography import fold, fold_word, fold_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from locisimiles.latin.model import Origin

__all__ = ["AnalysedToken", "Lemmatizer", "Mode", "WeightedAnalysis", "analyse", "lemmatize"]

Mode = Literal["context", "fast"]

_MODEL_FILE = resources.files("locisimiles.latin") / "data" / "lemmatizer.npz"
_MOST_GUESSES = 5
_LEAST_PROBABILITY = 0.01
# Too short to be learnt: abbreviations with their stop, and the rest of *est*.
_SHORT_LEMMAS = {
    **{
        fold(f"{short.replace(chr(39), apostrophe)}."): analysis
        for short, analysis in ABBREVIATIONS.items()
        for apostrophe in "'’"
    },
    **{short: Analysis(ENCLITIC_LEMMAS[short], "AUX") for short in ("st", "t")},
}
_SPECIAL = ALWAYS_SPLIT | WITH_CUM | _SHORT_LEMMAS.keys()
# The endings of other forms with an enclitic.
_LIKE_ENCLITICS = ("que", "ne", "ue", "st")


class WeightedAnalysis(NamedTuple):
    """An analysis of a form, and its probability."""

    lemma: str
    pos: str
    probability: float


@dataclass(frozen=True, slots=True)
class AnalysedToken:
    """A word with its analyses.

    Attributes
    ----------
    token
        The word as written.
    analyses
        Its analyses, the most likely first; there is at least one.
    origin
        Their origin: ``lexicon`` (treebanks), ``rule`` (the ending), ``fallback`` (a word list, or
        the word itself), or the name of another lemmatizer.
    """

    token: str
    analyses: tuple[WeightedAnalysis, ...]
    origin: str

    @property
    def lemma(self) -> str:
        """The most likely lemma."""
        return self.analyses[0].lemma

    @property
    def pos(self) -> str:
        """The most likely part of speech (UPOS)."""
        return self.analyses[0].pos


class _Entry(NamedTuple):
    """The analyses of a form, with the logarithms of their probabilities."""

    analyses: tuple[Analysis, ...]
    logs: tuple[float, ...]
    origin: Origin


class Lemmatizer:
    """Finds the lemmas of words.

    Parameters
    ----------
    model
        A trained model; `Lemmatizer.shipped` uses the one shipped with the package.

    Examples
    --------
    >>> lemmatizer = Lemmatizer.shipped()
    >>> lemmatizer.lemmatize(["arma", "virumque", "cano"])
    ['arma', 'uir', 'cano']
    >>> lemmatizer.analyse(["bello"])[0].analyses[0]
    WeightedAnalysis(lemma='bellum', pos='NOUN', probability=...)
    """

    def __init__(self, model: LemmaModel) -> None:
        self._model = model
        self._rows = model.rows
        first = model.start[:-1]
        self._origins = quick_column(model.origin, np.uint8)
        self._first_lemma = quick_column(model.analysis_lemma[first], np.int32)
        self._first_pos = quick_column(model.analysis_pos[first], np.uint8)
        self._weights = quick_column(model.context_weights, np.int8)
        self._scale = float(model.context_scale[0])
        self._entries: dict[str, _Entry] = {}
        self._fast: dict[str, str] = {}

    @classmethod
    @cache
    def shipped(cls) -> Lemmatizer:
        """Return the lemmatizer shipped with the package; it is loaded once."""
        with resources.as_file(_MODEL_FILE) as path:
            return cls.load(path)

    @classmethod
    @cache
    def shipped_fingerprint(cls) -> str:
        """Return the SHA-256 of the model shipped with the package."""
        return sha256_of(_MODEL_FILE.read_bytes())

    @classmethod
    def load(cls, path: str | Path) -> Lemmatizer:
        """Load a model written by ``locisimiles train lemmatizer``."""
        return cls(LemmaModel.load(Path(path)))

    def lemmatize(self, tokens: Sequence[str], mode: Mode = "context") -> list[str]:
        """Return the lemma of each word.

        Parameters
        ----------
        tokens
            Words in order; with ``context``, those of one sentence or segment.
        mode
            ``context``, or ``fast``: the most frequent analysis, regardless of context.
        """
        if mode == "fast":
            known = self._fast
            new = [token for token in tokens if token not in known]
            if new:
                names, first = self._model.lemmas, self._first_lemma
                lemmas = self._firsts(new, names, first, self._fast_lemma)
                known.update(zip(new, lemmas, strict=True))
            return [known[token] for token in tokens]
        return [entry.analyses[_best(scores)].lemma for entry, scores in self._scored(tokens)]

    def analyse(self, tokens: Sequence[str], mode: Mode = "context") -> list[AnalysedToken]:
        """Return the analyses of each word with their probabilities."""
        if mode == "fast":
            entries = (self._entry(fold_word(token)) for token in tokens)
            scored = [(entry, entry.logs) for entry in entries]
        else:
            scored = self._scored(tokens)
        return [
            AnalysedToken(token, _weighted(entry.analyses, scores), entry.origin)
            for token, (entry, scores) in zip(tokens, scored, strict=True)
        ]

    def knows(self, form: str) -> bool:
        """Return whether a treebank contains this form."""
        row = self._rows.get(form)
        return row is not None and self._origins[row] == 0

    def parts_of_speech(self, tokens: Sequence[str]) -> list[str]:
        """Return the part of speech (UPOS) of the most frequent analysis of each word.

        It is the same as in `analyse` with ``fast``, without the rest.
        """
        return self._firsts(
            tokens,
            self._model.tags,
            self._first_pos,
            lambda form: self._entry(form).analyses[0].pos,
        )

    def _firsts(
        self,
        tokens: Sequence[str],
        names: Sequence[str],
        first: memoryview,
        otherwise: Callable[[str], str],
    ) -> list[str]:
        """Return the lemma or part of speech of the most frequent analysis of each word.

        Most forms are looked up in their row. Those without a row, and those that may lose an
        enclitic, are passed to `otherwise`.
        """
        forms = fold_words(tokens)
        origins = self._origins
        return [
            names[first[row]]
            if row is not None
            and form not in _SPECIAL
            and (origins[row] == 0 or not form.endswith(_LIKE_ENCLITICS))
            else otherwise(form)
            for form, row in zip(forms, map(self._rows.get, forms), strict=True)
        ]

    def _fast_lemma(self, form: str) -> str:
        """Return the lemma of the first analysis that `_look_up` finds for a form."""
        split = None if form in _SHORT_LEMMAS else split_enclitic(form, self.knows)
        if split is not None:
            return self._fast_lemma(split.form)
        # Guessing adds only the part of speech to a lemma of the word list.
        listed = self._model.last_resort(form) if form not in self._rows else None
        if listed is None or form in _SHORT_LEMMAS:
            return self._entry(form).analyses[0].lemma
        return listed

    def _scored(self, tokens: Sequence[str]) -> list[tuple[_Entry, tuple[float, ...]]]:
        """Return the analyses of each word with their scores in context, from left to right."""
        forms = [fold_word(token) for token in tokens]
        entries = [self._entry(form) for form in forms]
        likely = [entry.analyses[0].pos for entry in entries]
        weights, scale, slots = self._weights, self._scale, len(self._weights)
        before = before_that = BOUNDARY
        scored: list[tuple[_Entry, tuple[float, ...]]] = []
        for at, entry in enumerate(entries):
            scores = entry.logs
            best = 0
            # The context model only knows forms of the treebanks.
            if len(scores) > 1 and entry.origin == "lexicon":
                features = context_features(forms, likely, at, before, before_that)
                scores = tuple(
                    log
                    + scale
                    * sum(
                        weights[feature_slot(seed, feature, slots)]
                        for seed in analysis_seeds(analysis)
                        for feature in features
                    )
                    for analysis, log in zip(entry.analyses, scores, strict=True)
                )
                best = _best(scores)
            scored.append((entry, scores))
            before, before_that = entry.analyses[best], before
        return scored

    def _entry(self, form: str) -> _Entry:
        entry = self._entries.get(form)
        if entry is None:
            entry = self._entries[form] = self._look_up(form)
        return entry

    def _look_up(self, form: str) -> _Entry:
        if form in _SHORT_LEMMAS:
            return _entry_of([(_SHORT_LEMMAS[form], 1.0)], "lexicon")
        split = split_enclitic(form, self.knows)
        if split is not None:
            return self._entry(split.form)
        row = self._rows.get(form)
        if row is not None:
            return _entry_of(self._model.analyses(row), ORIGINS[self._model.origin[row]])
        guesses = self._model.guesser.guess(form) if form.isalpha() else []
        listed = self._model.last_resort(form)
        if listed is not None:
            pos = next((guess.pos for guess, _ in guesses if guess.lemma == listed), "X")
            return _entry_of([(Analysis(listed, pos), 1.0)], "fallback")
        if guesses:
            return _entry_of(guesses[:_MOST_GUESSES], "rule")
        pos = "NUM" if any(c.isdigit() for c in form) else "X"
        return _entry_of([(Analysis(form, pos), 1.0)], "fallback")


def lemmatize(tokens: Sequence[str], mode: Mode = "context") -> list[str]:
    """Return the lemma of each word, with the shipped lemmatizer.

    Examples
    --------
    >>> lemmatize(["Haesit", "uox", "faucibus"])
    ['haereo', 'uox', 'faux']
    """
    return Lemmatizer.shipped().lemmatize(tokens, mode)


def analyse(tokens: Sequence[str], mode: Mode = "context") -> list[AnalysedToken]:
    """Return the analyses of each word, with the shipped lemmatizer.

    Examples
    --------
    >>> word = analyse(["uirum"])[0]
    >>> word.lemma, word.pos, word.origin
    ('uir', 'NOUN', 'lexicon')
    """
    return Lemmatizer.shipped().analyse(tokens, mode)


def _best(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=scores.__getitem__)


def _entry_of(analyses: Sequence[tuple[Analysis, float]], origin: Origin) -> _Entry:
    return _Entry(
        tuple(analysis for analysis, _ in analyses),
        tuple(math.log(max(probability, 1e-9)) for _, probability in analyses),
        origin,
    )


def _weighted(
    analyses: Sequence[Analysis], scores: Sequence[float]
) -> tuple[WeightedAnalysis, ...]:
    top = max(scores)
    odds = [math.exp(score - top) for score in scores]
    total = sum(odds)
    weighted = sorted(
        (
            WeightedAnalysis(analysis.lemma, analysis.pos, chance / total)
            for analysis, chance in zip(analyses, odds, strict=True)
        ),
        key=lambda analysis: -analysis.probability,
    )
    return (weighted[0], *(a for a in weighted[1:] if a.probability >= _LEAST_PROBABILITY))
