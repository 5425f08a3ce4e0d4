"""Train the lemmatizer on treebanks, and on the forms of a large corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.latin.enclitics import split_enclitic
from locisimiles.latin.model import LemmaModel, form_hash
from locisimiles.progress import silent
from locisimiles.train.lemmatizer.analyses import count_analyses, prepare
from locisimiles.train.lemmatizer.background import (
    BackgroundEntry,
    guess_background,
    last_resort,
    read_word_list,
)
from locisimiles.train.lemmatizer.choice import learn_choice
from locisimiles.train.lemmatizer.guesser import fit_guesser

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.latin.guesser import Analysis, Guesser
    from locisimiles.progress import Progress
    from locisimiles.train.lemmatizer.analyses import Counts
    from locisimiles.train.lemmatizer.treebanks import TreebankText

__all__ = ["train_lemmatizer"]

_MOST_ANALYSES = 8
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
    """Train a lemmatizer on lemmatised texts.

    `background` tells how often folded forms occur in a large corpus. Those in no treebank get
    analyses by rules, and by simplemma's word list if that is installed.
    """
    sentences = prepare(texts)
    counts = count_analyses(sentences)
    _check_tags(counts)
    lexicon = {
        form: _with_probabilities(analyses) for form, analyses in sorted(counts.analyses.items())
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
    entries: list[BackgroundEntry] = []
    resort: Mapping[str, str] = {}
    if background:
        words = read_word_list()
        entries += guess_background(guesser, counts, more, words, seed=seed, progress=progress)
        resort = last_resort(guesser, words, progress=progress)
    choice = learn_choice(sentences, lexicon, seed=seed, progress=progress)
    return _pack(lexicon, entries, guesser, resort, choice)


def _check_tags(counts: Counts) -> None:
    if not counts.known:
        raise ParameterError("train.no_lemmas")
    tags = {analysis.pos for analysis in counts.known}
    if len(tags) > _FULL:
        raise ParameterError("train.too_many_tags", count=len(tags), most=_FULL)


def _with_probabilities(analyses: Counter[Analysis]) -> list[tuple[Analysis, float]]:
    best = sorted(analyses.items(), key=lambda item: (-item[1], item[0]))[:_MOST_ANALYSES]
    total = sum(count for _, count in best)
    return [(analysis, count / total) for analysis, count in best]


def _pack(
    lexicon: Mapping[str, Sequence[tuple[Analysis, float]]],
    background: Sequence[BackgroundEntry],
    guesser: Guesser,
    resort: Mapping[str, str],
    choice: tuple[NDArray[np.int8], float],
) -> LemmaModel:
    rows: list[tuple[str, Sequence[tuple[Analysis, float]], int]] = [
        *((form, analyses, _LEXICON) for form, analyses in lexicon.items()),
        *((e.form, e.analyses, _FALLBACK if e.from_word_list else _RULE) for e in background),
    ]
    rows.sort(key=lambda row: row[0])
    lemmas, tags, additions = _Numbers(), _Numbers(), _Numbers()
    flat = [entry for _, analyses, _ in rows for entry in analyses]
    known = sorted(guesser.known.items())
    endings = sorted(guesser.rules)
    rules = [entry for ending in endings for entry in guesser.rules[ending][1]]
    # If hashes of forms coincide, the first form in the alphabet wins.
    hashed = {form_hash(form): resort[form] for form in sorted(resort, reverse=True)}
    return LemmaModel(
        forms=[form for form, _, _ in rows],
        start=_offsets([len(analyses) for _, analyses, _ in rows]),
        analysis_lemma=np.array([lemmas[analysis.lemma] for analysis, _ in flat], np.int32),
        analysis_pos=np.array([tags[analysis.pos] for analysis, _ in flat], np.uint8),
        analysis_probability=np.array(
            [max(round(probability * _FULL), 1) for _, probability in flat], np.uint8
        ),
        origin=np.array([origin for _, _, origin in rows], np.uint8),
        known_lemma=np.array([lemmas[analysis.lemma] for analysis, _ in known], np.int32),
        known_pos=np.array([tags[analysis.pos] for analysis, _ in known], np.uint8),
        known_count=np.array([count for _, count in known], np.int32),
        endings=endings,
        ending_total=np.array([guesser.rules[ending][0] for ending in endings], np.float32),
        rule_start=_offsets([len(guesser.rules[ending][1]) for ending in endings]),
        rule_cut=np.array([rule.cut for rule, _ in rules], np.uint8),
        rule_add=np.array([additions[rule.add] for rule, _ in rules], np.uint16),
        rule_pos=np.array([tags[rule.pos] for rule, _ in rules], np.uint8),
        rule_probability=np.array([probability for _, probability in rules], np.float32),
        additions=list(additions),
        resort_hash=np.array(sorted(hashed), np.uint32),
        resort_lemma=np.array([lemmas[hashed[key]] for key in sorted(hashed)], np.int32),
        guess_weights=guesser.weights,
        context_weights=choice[0],
        context_scale=np.array([choice[1]]),
        lemmas=list(lemmas),
        tags=list(tags),
    )


class _Numbers(dict[str, int]):
    """Numbers names in the order of their first use."""

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]


def _offsets(lengths: list[int]) -> NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
