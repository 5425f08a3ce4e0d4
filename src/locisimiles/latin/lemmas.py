"""Lemmas of Latin words, with what speaks for them.

Forms are looked up in a lexicon learnt from treebanks, enlarged by the forms of a large corpus;
forms that are in neither lose an enclitic or are judged by their endings. Where a form has several
readings, the words around it decide (`Lemmatizer`), or its commonest reading is taken (`fast`).
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from locisimiles.latin.abbreviations import ABBREVIATIONS
from locisimiles.latin.context import BOUNDARY, context_features, feature_slot, reading_seeds
from locisimiles.latin.enclitics import (
    ALWAYS_SPLIT,
    ENCLITIC_LEMMAS,
    WITH_CUM,
    split_enclitic,
)
from locisimiles.latin.guesser import Reading
from locisimiles.latin.model import ORIGINS, LemmaModel, quick_column
from locisimiles.latin.orthography import fold, fold_word, fold_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.resources.abc import Traversable

    from locisimiles.latin.model import Origin

__all__ = ["Analysis", "Candidate", "Lemmatizer", "Mode", "analyse", "lemmatize"]

Mode = Literal["context", "fast"]

_MODEL = "lemmatizer.npz"
_MOST_GUESSES = 5
_LEAST_PROBABILITY = 0.01
# Too short to be learnt: abbreviations with their stop, and what is left of *est*.
_SHORT_LEMMAS = {
    **{
        fold(f"{short.replace(chr(39), apostrophe)}."): reading
        for short, reading in ABBREVIATIONS.items()
        for apostrophe in "'’"
    },
    **{short: Reading(ENCLITIC_LEMMAS[short], "AUX") for short in ("st", "t")},
}
_SPECIAL = ALWAYS_SPLIT | WITH_CUM | _SHORT_LEMMAS.keys()
# What other forms must end in to have an enclitic.
_LIKE_ENCLITICS = ("que", "ne", "ue", "st")


class Candidate(NamedTuple):
    """A reading of a form, and how probable it is."""

    lemma: str
    pos: str
    probability: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of a word.

    Attributes
    ----------
    token
        The word as it was given.
    candidates
        Its readings, the likeliest first; there is always one.
    origin
        Where they come from: ``lexicon`` (treebanks), ``rule`` (its ending), or ``fallback``
        (a word list, or nothing better than the word itself); the name of another lemmatizer.
    """

    token: str
    candidates: tuple[Candidate, ...]
    origin: str

    @property
    def lemma(self) -> str:
        """The likeliest lemma."""
        return self.candidates[0].lemma

    @property
    def pos(self) -> str:
        """The likeliest part of speech (UPOS)."""
        return self.candidates[0].pos


class _Entry(NamedTuple):
    """The readings of a form, ready to be weighed."""

    readings: tuple[Reading, ...]
    logs: tuple[float, ...]
    origin: Origin


class Lemmatizer:
    """Finds the lemmas of words.

    Parameters
    ----------
    model
        What was learnt. `Lemmatizer.shipped` has the one that comes with the package.

    Examples
    --------
    >>> lemmatizer = Lemmatizer.shipped()
    >>> lemmatizer.lemmatize(["arma", "virumque", "cano"])
    ['arma', 'uir', 'cano']
    >>> lemmatizer.analyse(["bello"])[0].candidates[0]
    Candidate(lemma='bellum', pos='NOUN', probability=...)
    """

    def __init__(self, model: LemmaModel) -> None:
        self._model = model
        self._rows = model.rows
        first = model.start[:-1]
        self._origins = quick_column(model.origin, np.uint8)
        self._first_lemma = quick_column(model.reading_lemma[first], np.int32)
        self._first_pos = quick_column(model.reading_pos[first], np.uint8)
        self._weights = quick_column(model.context_weights, np.int8)
        self._scale = float(model.context_scale[0])
        self._entries: dict[str, _Entry] = {}
        self._fast: dict[str, str] = {}

    @classmethod
    def shipped(cls) -> Lemmatizer:
        """Return the lemmatizer that comes with the package; it is loaded once."""
        return _shipped()

    @classmethod
    def shipped_fingerprint(cls) -> str:
        """Return the SHA-256 of the model that comes with the package."""
        return _shipped_fingerprint()

    @classmethod
    def load(cls, path: str | Path) -> Lemmatizer:
        """Load a model that ``locisimiles train lemmatizer`` wrote.

        Raises
        ------
        InputError
            If there is no such file, or it is no model.
        """
        return cls(LemmaModel.load(Path(path)))

    def lemmatize(self, tokens: Sequence[str], mode: Mode = "context") -> list[str]:
        """Return the lemma of each word.

        Parameters
        ----------
        tokens
            Words in their order; for the choice by context, those of one sentence or segment.
        mode
            ``context``, or ``fast``: the commonest reading, whatever stands beside it.
        """
        if mode == "fast":
            cache = self._fast
            new = [token for token in tokens if token not in cache]
            if new:
                names, first = self._model.lemmas, self._first_lemma
                lemmas = self._firsts(new, names, first, self._fast_lemma)
                cache.update(zip(new, lemmas, strict=True))
                if len(new) == len(tokens):
                    return lemmas
            return [cache[token] for token in tokens]
        return [reading.lemma for reading in self._choose(tokens)]

    def analyse(self, tokens: Sequence[str], mode: Mode = "context") -> list[Analysis]:
        """Return the readings of each word with their probabilities."""
        entries = [self._entry(fold_word(token)) for token in tokens]
        if mode == "fast":
            scores = [entry.logs for entry in entries]
        else:
            scores = self._scores(tokens, entries)
        return [
            Analysis(token, _candidates(entry.readings, own), entry.origin)
            for token, entry, own in zip(tokens, entries, scores, strict=True)
        ]

    def knows(self, form: str) -> bool:
        """Tell whether a treebank has this form."""
        row = self._rows.get(form)
        return row is not None and self._origins[row] == 0

    def parts_of_speech(self, tokens: Sequence[str]) -> list[str]:
        """Return the part of speech (UPOS) of each word's commonest reading.

        The same as `analyse` has in ``fast`` mode, without all the rest.

        Examples
        --------
        >>> Lemmatizer.shipped().parts_of_speech(["arma", "uirumque", "cano"])
        ['NOUN', 'NOUN', 'VERB']
        """
        return self._firsts(tokens, self._model.tags, self._first_pos, self._fast_pos)

    def _firsts(
        self,
        tokens: Sequence[str],
        names: Sequence[str],
        first: memoryview,
        otherwise: Callable[[str], str],
    ) -> list[str]:
        """Return something of the first reading of each word, which is its commonest.

        For most forms a look at their row is enough. Those that may lose an enclitic, or have no
        row, go through `otherwise`.
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

    def _fast_pos(self, form: str) -> str:
        return self._entry(form).readings[0].pos

    def _fast_lemma(self, form: str) -> str:
        """Return the lemma of the first reading that `_look_up` finds for a form."""
        split = None if form in _SHORT_LEMMAS else split_enclitic(form, self.knows)
        if split is not None:
            return self._fast_lemma(split.form)
        row = self._rows.get(form)
        # What a word list says need not be guessed: only the part of speech is.
        listed = self._model.last_resort(form) if row is None else None
        if listed is None or form in _SHORT_LEMMAS:
            return self._entry(form).readings[0].lemma
        return listed

    def _choose(self, tokens: Sequence[str]) -> list[Reading]:
        entries = [self._entry(fold_word(token)) for token in tokens]
        return [
            entry.readings[max(range(len(own)), key=own.__getitem__)]
            for entry, own in zip(entries, self._scores(tokens, entries), strict=True)
        ]

    def _scores(self, tokens: Sequence[str], entries: Sequence[_Entry]) -> list[tuple[float, ...]]:
        """Weigh the readings of each word, from left to right."""
        forms = [fold_word(token) for token in tokens]
        likely = [entry.readings[0].pos for entry in entries]
        weights, scale, slots = self._weights, self._scale, len(self._weights)
        before = before_that = BOUNDARY
        scores: list[tuple[float, ...]] = []
        for at, entry in enumerate(entries):
            own = entry.logs
            best = 0
            # What was never seen in context, context cannot tell apart.
            if len(own) > 1 and entry.origin == "lexicon":
                features = context_features(forms, likely, at, before, before_that)
                own = tuple(
                    log
                    + scale
                    * sum(
                        weights[feature_slot(seed, feature, slots)]
                        for seed in reading_seeds(reading)
                        for feature in features
                    )
                    for reading, log in zip(entry.readings, own, strict=True)
                )
                best = max(range(len(own)), key=own.__getitem__)
            scores.append(own)
            before, before_that = entry.readings[best], before
        return scores

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
            readings = self._model.readings(row)
            return _entry_of(readings, ORIGINS[self._model.origin[row]])
        guesses = self._model.guesser.guess(form) if form.isalpha() else []
        listed = self._model.last_resort(form)
        if listed is not None:
            pos = next((g.reading.pos for g in guesses if g.reading.lemma == listed), "X")
            return _entry_of([(Reading(listed, pos), 1.0)], "fallback")
        if guesses:
            return _entry_of([(g.reading, g.probability) for g in guesses[:_MOST_GUESSES]], "rule")
        pos = "NUM" if any(c.isdigit() for c in form) else "X"
        return _entry_of([(Reading(form, pos), 1.0)], "fallback")


def lemmatize(tokens: Sequence[str], mode: Mode = "context") -> list[str]:
    """Return the lemma of each word, with the lemmatizer that comes with the package.

    Examples
    --------
    >>> lemmatize(["Haesit", "uox", "faucibus"])
    ['haereo', 'uox', 'faux']
    """
    return _shipped().lemmatize(tokens, mode)


def analyse(tokens: Sequence[str], mode: Mode = "context") -> list[Analysis]:
    """Return the readings of each word, with the lemmatizer that comes with the package.

    Examples
    --------
    >>> analysis = analyse(["uirum"])[0]
    >>> analysis.lemma, analysis.pos, analysis.origin
    ('uir', 'NOUN', 'lexicon')
    """
    return _shipped().analyse(tokens, mode)


def _entry_of(readings: Sequence[tuple[Reading, float]], origin: Origin) -> _Entry:
    return _Entry(
        tuple(reading for reading, _ in readings),
        tuple(math.log(max(probability, 1e-9)) for _, probability in readings),
        origin,
    )


def _candidates(readings: Sequence[Reading], scores: Sequence[float]) -> tuple[Candidate, ...]:
    top = max(scores)
    odds = [math.exp(score - top) for score in scores]
    total = sum(odds)
    candidates = [
        Candidate(reading.lemma, reading.pos, chance / total)
        for reading, chance in zip(readings, odds, strict=True)
    ]
    candidates.sort(key=lambda candidate: -candidate.probability)
    return tuple(
        candidate
        for place, candidate in enumerate(candidates)
        if place == 0 or candidate.probability >= _LEAST_PROBABILITY
    )


@lru_cache(maxsize=1)
def _shipped() -> Lemmatizer:
    with resources.as_file(_model_file()) as path:
        return Lemmatizer.load(path)


@lru_cache(maxsize=1)
def _shipped_fingerprint() -> str:
    return hashlib.sha256(_model_file().read_bytes()).hexdigest()


def _model_file() -> Traversable:
    return resources.files("locisimiles.latin") / "data" / _MODEL
