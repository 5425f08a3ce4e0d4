"""Train the lemmatizer from treebanks, and from the forms of a large corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.latin.enclitics import split_enclitic
from locisimiles.latin.model import LemmaModel, form_hash
from locisimiles.progress import silent
from locisimiles.train.lemmatizer.analyses import count_readings, prepare
from locisimiles.train.lemmatizer.choice import learn_choice
from locisimiles.train.lemmatizer.guesses import (
    BackgroundEntry,
    WordList,
    fit_guesser,
    guess_background,
    last_resort,
)

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.latin.guesser import Guesser, Reading
    from locisimiles.progress import Progress
    from locisimiles.train.lemmatizer.analyses import Counts
    from locisimiles.train.lemmatizer.treebanks import TreebankText

__all__ = ["train_lemmatizer"]

_MOST_READINGS = 8
_FEWEST_OCCURRENCES = 3
_FULL = 255
_LEXICON, _RULE, _FALLBACK = 0, 1, 2
_LONGEST_FORM = 40


def train_lemmatizer(
    texts: Iterable[TreebankText],
    background: Mapping[str, int] | None = None,
    *,
    seed: int = 0,
    progress: Progress = silent,
) -> LemmaModel:
    """Train a lemmatizer.

    Parameters
    ----------
    texts
        Lemmatised texts.
    background
        How often folded forms occur in a large corpus. Those that are in no treebank get
        readings by rules, and by simplemma's word list where that is installed.
    seed
        For the order in which examples are seen.
    progress
        Called as the work goes on.

    Returns
    -------
    LemmaModel
        The same for the same input.
    """
    sentences = prepare(texts)
    counts = count_readings(sentences)
    _check_readings(counts)
    lexicon = {
        form: _with_probabilities(readings) for form, readings in sorted(counts.readings.items())
    }
    more = sorted(
        form
        for form, occurrences in (background or {}).items()
        if occurrences >= _FEWEST_OCCURRENCES
        and form not in lexicon
        and form.isascii()
        and form.isalpha()
        and 1 < len(form) < _LONGEST_FORM
        and split_enclitic(form, lexicon.__contains__) is None
    )
    guesser = fit_guesser(counts, [*lexicon, *more], seed=seed)
    words = WordList()
    entries: list[BackgroundEntry] = []
    resort: Mapping[str, str] = {}
    if background:
        guesses = guess_background(guesser, counts, more, words, seed=seed, progress=progress)
        entries = list(guesses)
        resort = last_resort(guesser, words, progress=progress)
    choice = learn_choice(sentences, lexicon, seed=seed, progress=progress)
    return _pack(lexicon, entries, guesser, resort, choice)


def _check_readings(counts: Counts) -> None:
    if not counts.known:
        raise ParameterError(
            "there is nothing to learn from", hint="give texts whose words have lemmas"
        )
    tags = {reading.pos for reading in counts.known}
    if len(tags) > _FULL:
        raise ParameterError(
            f"there are {len(tags)} different tags, at most {_FULL} are possible",
            hint="the tag should be the part of speech alone (UPOS)",
        )


def _with_probabilities(readings: Counter[Reading]) -> list[tuple[Reading, float]]:
    best = sorted(readings.items(), key=lambda item: (-item[1], item[0]))[:_MOST_READINGS]
    total = sum(count for _, count in best)
    return [(reading, count / total) for reading, count in best]


def _pack(
    lexicon: Mapping[str, Sequence[tuple[Reading, float]]],
    background: Sequence[BackgroundEntry],
    guesser: Guesser,
    resort: Mapping[str, str],
    choice: tuple[NDArray[np.int8], float],
) -> LemmaModel:
    rows: list[tuple[str, Sequence[tuple[Reading, float]], int]] = [
        *((form, readings, _LEXICON) for form, readings in lexicon.items()),
        *((e.form, e.readings, _FALLBACK if e.from_word_list else _RULE) for e in background),
    ]
    rows.sort(key=lambda row: row[0])
    lemmas = _Numbers()
    tags = _Numbers()
    flat = [entry for _, readings, _ in rows for entry in readings]
    known = sorted(guesser.known.items())
    endings = sorted(guesser.rules)
    rules = [entry for ending in endings for entry in guesser.rules[ending][1]]
    additions = _Numbers()
    # Hashes of several forms may coincide; the first form in the alphabet then wins.
    hashed = {form_hash(form): resort[form] for form in sorted(resort, reverse=True)}
    return LemmaModel(
        forms=[form for form, _, _ in rows],
        start=_offsets([len(readings) for _, readings, _ in rows]),
        reading_lemma=np.array([lemmas[reading.lemma] for reading, _ in flat], np.int32),
        reading_pos=np.array([tags[reading.pos] for reading, _ in flat], np.uint8),
        reading_probability=np.array(
            [max(round(probability * _FULL), 1) for _, probability in flat], np.uint8
        ),
        origin=np.array([origin for _, _, origin in rows], np.uint8),
        known_lemma=np.array([lemmas[reading.lemma] for reading, _ in known], np.int32),
        known_pos=np.array([tags[reading.pos] for reading, _ in known], np.uint8),
        known_count=np.array([count for _, count in known], np.int32),
        endings=endings,
        ending_total=np.array([guesser.rules[ending][0] for ending in endings], np.float32),
        rule_start=_offsets([len(guesser.rules[ending][1]) for ending in endings]),
        rule_cut=np.array([rule.cut for rule, _ in rules], np.uint8),
        rule_add=np.array([additions[rule.add] for rule, _ in rules], np.uint16),
        rule_pos=np.array([tags[rule.pos] for rule, _ in rules], np.uint8),
        rule_probability=np.array([probability for _, probability in rules], np.float32),
        additions=additions.names,
        resort_hash=np.array(sorted(hashed), np.uint32),
        resort_lemma=np.array([lemmas[hashed[key]] for key in sorted(hashed)], np.int32),
        guess_weights=guesser.weights,
        context_weights=choice[0],
        context_scale=np.array([choice[1]]),
        lemmas=lemmas.names,
        tags=tags.names,
    )


class _Numbers:
    """Numbers names in the order they come."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def __getitem__(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self.names)
            self.names.append(name)
        return self._numbers[name]


def _offsets(lengths: list[int]) -> NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
