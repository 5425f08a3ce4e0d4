"""Pairs of real texts that share rare words near each other; some of these words are then hidden.

Nobody has noted them: what later authors took from the sources is found by rule, and since what
gave a pair away is hidden, the encoder must learn to find it by the rest.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_at_least, check_between
from locisimiles.corpus import Document, Segment
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.bm25 import BM25
from locisimiles.train.late.preparation import WordPairs
from locisimiles.train.late.synthetic_inputs import number_duplicates

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from locisimiles.progress import Progress
    from locisimiles.train.late.alterations import WordChoices

__all__ = ["ImitationSettings", "find_imitations", "hide_words", "without_copies"]

_SPARE = 8
_NEGATIVES = 24


@dataclass(frozen=True, slots=True)
class ImitationSettings:
    """What counts as an imitation, and how much of it is hidden.

    Attributes
    ----------
    least
        The least sum of the rarity of the words shared, log(N / n); two words at least.
    span
        They must lie within so many words in both texts.
    lead
        The source's BM25 score must exceed that of the next by this factor.
    all_hidden
        Probability that all words shared are hidden; else one of them stays at least.
    replaced
        Probability that a hidden word is replaced by a synonym or another form, not dropped.
    """

    least: float = 12.0
    span: int = 8
    lead: float = 1.1
    all_hidden: float = 0.1
    replaced: float = 0.6

    def __post_init__(self) -> None:
        check_at_least(1, span=self.span)
        check_between(0, 1, all_hidden=self.all_hidden, replaced=self.replaced)


def without_copies(
    sentences: Iterable[Sequence[str]], texts: Iterable[Sequence[str]], length: int = 6
) -> list[list[str]]:
    """Return the sentences that share no `length` words in a row with any of some texts.

    Examples
    --------
    >>> without_copies([["arma", "uirum"], ["uirum", "cano"]], [["arma", "uirum", "que"]], 2)
    [['uirum', 'cano']]
    """
    known = {hash(tuple(text[at : at + length])) for text in texts for at in _runs(text, length)}
    return [
        list(sentence)
        for sentence in sentences
        if not any(
            hash(tuple(sentence[at : at + length])) in known for at in _runs(sentence, length)
        )
    ]


def _runs(words: Sequence[str], length: int) -> range:
    return range(len(words) - length + 1)


def find_imitations(
    sentences: Sequence[Sequence[str]],
    sources: Document,
    words: Sequence[Sequence[str]],
    choices: WordChoices,
    common: Collection[str],
    *,
    settings: ImitationSettings | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> WordPairs:
    """Find the sentences that imitate a source, hide what they share, and find hard negatives.

    `words` are those of the sources, `choices` and `common` belong to them.
    """
    settings = settings or ImitationSettings()
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    rarity = _rarity(words, choices.lemma, common)
    duplicates = number_duplicates(words)
    document = Document.from_segments(
        Segment(str(number), " ".join(sentence)) for number, sentence in enumerate(sentences)
    )
    candidates = BM25().index(sources).search(document, _NEGATIVES + _SPARE, progress=progress)
    queries, answers, negatives = [], [], []
    for row, sentence in enumerate(sentences):
        likely, score = candidates.of_query(row)
        if not len(likely):
            continue
        others = duplicates[likely] != duplicates[likely[0]]
        if others.any() and score[0] < settings.lead * score[others][0]:
            continue
        shared = _shared(sentence, words[int(likely[0])], choices.lemma, rarity, settings)
        if not shared:
            continue
        queries.append(hide_words(sentence, shared, choices, settings, rng))
        answers.append(int(likely[0]))
        kept = likely[others][:_NEGATIVES]
        negatives.append(np.pad(kept, (0, _NEGATIVES - len(kept)), constant_values=-1))
    table = np.array(negatives, np.int32).reshape(-1, _NEGATIVES)
    return WordPairs(queries, np.array(answers, np.int32), table)


def _rarity(
    words: Sequence[Sequence[str]], lemma: Mapping[str, str], common: Collection[str]
) -> dict[str, float]:
    counts: dict[str, int] = {}
    for sentence in words:
        for name in {lemma[word] for word in sentence if word in lemma and word not in common}:
            counts[name] = counts.get(name, 0) + 1
    return {name: float(np.log(len(words) / count)) for name, count in counts.items()}


def _shared(
    sentence: Sequence[str],
    source: Sequence[str],
    lemma: Mapping[str, str],
    rarity: Mapping[str, float],
    settings: ImitationSettings,
) -> list[int]:
    """Return the places of the shared words in the sentence, none if they are too few or far."""
    theirs: dict[str, list[int]] = {}
    for place, word in enumerate(source):
        if word in lemma:
            theirs.setdefault(lemma[word], []).append(place)
    mine = [
        (place, lemma[word])
        for place, word in enumerate(sentence)
        if lemma.get(word) in theirs and lemma[word] in rarity
    ]
    best: tuple[float, list[int]] = 0.0, []
    for first, _ in mine:
        near = [(at, name) for at, name in mine if first <= at < first + settings.span]
        for begin in {place for _, name in near for place in theirs[name]}:
            ends = range(begin, begin + settings.span)
            both = [(at, name) for at, name in near if any(p in ends for p in theirs[name])]
            names = {name for _, name in both}
            worth = sum(rarity[name] for name in names)
            if len(names) > 1 and worth > best[0]:
                best = worth, [at for at, _ in both]
    return best[1] if best[0] >= settings.least else []


def hide_words(
    sentence: Sequence[str],
    shared: Sequence[int],
    choices: WordChoices,
    settings: ImitationSettings,
    rng: random.Random,
) -> list[str]:
    """Replace or drop some of the words at the places given, at least one."""
    kept = 0 if rng.random() < settings.all_hidden else rng.randint(1, max(len(shared) - 1, 1))
    hidden = set(rng.sample(list(shared), len(shared) - kept))
    result = []
    for place, word in enumerate(sentence):
        if place not in hidden:
            result.append(word)
        elif rng.random() < settings.replaced:
            other = choices.synonym(word, rng) if word in choices.lemma else word
            if other != word:
                result.append(other)
    return result
