"""Count lemmas, and pairs of lemmas, in large corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_at_least
from locisimiles.latin.frequencies import Frequencies
from locisimiles.latin.lemmas import Lemmatizer
from locisimiles.latin.stopwords import STOPWORDS
from locisimiles.latin.tokens import tokenize_all
from locisimiles.progress import silent
from locisimiles.train.common.corpora import read_corpora

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.progress import Progress

__all__ = ["count_frequencies", "count_sentences"]

_MERGE_AFTER = 24
_LOW = 0xFFFFFFFF


def count_frequencies(
    paths: Sequence[str | Path],
    *,
    window: int = 5,
    fewest: int = 4,
    fewest_lemma: int = 2,
    progress: Progress = silent,
) -> Frequencies:
    """Count the lemmas of corpora, and pairs of lemmas that occur close together.

    Parameters
    ----------
    paths
        Text files with one sentence per line.
    window
        The largest distance of two lemmas in words, function words not counted.
    fewest, fewest_lemma
        In how many sentences a pair, and a lemma, must occur to be kept.
    """
    return count_sentences(
        read_corpora(paths, "counting", progress),
        window=window,
        fewest=fewest,
        fewest_lemma=fewest_lemma,
    )


def count_sentences(
    batches: Iterable[Sequence[str]], *, window: int, fewest: int, fewest_lemma: int
) -> Frequencies:
    """Count batches of sentences; see `count_frequencies`."""
    check_at_least(1, window=window, fewest=fewest, fewest_lemma=fewest_lemma)
    numbers = _LemmaNumbers()
    singles: list[NDArray[np.int64]] = []
    together = _PairCounts()
    sentences = 0
    for batch in batches:
        sentence, lemma = numbers.of(batch)
        sentences += len(batch)
        singles.append(np.unique(sentence << 32 | lemma) & _LOW)  # once in a sentence
        content = ~numbers.is_stopword[lemma]
        together.add(sentence[content], lemma[content], window)
    lemmas = numbers.lemmas
    counts = np.bincount(np.concatenate([np.empty(0, np.int64), *singles]), minlength=len(lemmas))
    # Small numbers need few bytes, so frequent lemmas get them.
    order = sorted(range(len(lemmas)), key=lambda row: (-counts[row], lemmas[row]))
    kept = [row for row in order if counts[row] >= fewest_lemma]
    place = np.full(len(lemmas), -1, np.int64)
    place[kept] = np.arange(len(kept))
    keys, pair_counts = together.kept(fewest)
    one, other = place[keys >> 32], place[keys & _LOW]
    both = np.flatnonzero((one >= 0) & (other >= 0))
    pairs = np.minimum(one, other)[both] * len(kept) + np.maximum(one, other)[both]
    ascending = np.argsort(pairs)
    return Frequencies(
        sentences=sentences,
        lemmas=[lemmas[row] for row in kept],
        counts=counts[kept].astype(np.int32),
        pairs=pairs[ascending],
        pair_counts=pair_counts[both[ascending]].astype(np.int32),
        window=window,
        fewest=fewest,
    )


class _LemmaNumbers:
    """Turns sentences into columns of lemma numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._of_word = np.empty(0, np.int64)
        self._lemmatizer = Lemmatizer.shipped()

    @property
    def lemmas(self) -> list[str]:
        return list(self._numbers)

    @property
    def is_stopword(self) -> NDArray[np.bool_]:
        return np.array([lemma in STOPWORDS for lemma in self._numbers], bool)

    def of(self, sentences: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the sentence and the lemma of each word."""
        table = tokenize_all(sentences)
        new = self._lemmatizer.lemmatize(table.vocabulary[len(self._of_word) :], "fast")
        numbers = [
            self._numbers.setdefault(lemma, len(self._numbers)) if lemma.isalpha() else -1
            for lemma in new
        ]
        self._of_word = np.concatenate([self._of_word, np.array(numbers, np.int64)])
        sentence = np.repeat(np.arange(len(sentences)), np.diff(table.bounds))
        lemma = self._of_word[table.word]
        is_word = lemma >= 0
        return sentence[is_word], lemma[is_word]


class _PairCounts:
    """Counts pairs of lemma numbers, batch by batch."""

    def __init__(self) -> None:
        self._parts: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []

    def add(self, sentence: NDArray[np.int64], lemma: NDArray[np.int64], window: int) -> None:
        keys = []
        for distance in range(1, window + 1):
            one, other = lemma[:-distance], lemma[distance:]
            together = (sentence[:-distance] == sentence[distance:]) & (one != other)
            low, high = np.minimum(one, other)[together], np.maximum(one, other)[together]
            keys.append(np.stack([sentence[:-distance][together], low << 32 | high]))
        pairs = np.concatenate(keys, axis=1)
        pairs = pairs[:, np.lexsort(pairs)]
        first = np.ones(pairs.shape[1], bool)
        first[1:] = (np.diff(pairs, axis=1) != 0).any(axis=0)
        self._parts.append(np.unique(pairs[1][first], return_counts=True))
        if len(self._parts) >= _MERGE_AFTER:
            self._merge()

    def kept(self, fewest: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the pairs that occur in enough sentences, and in how many."""
        self._merge()
        keys, counts = self._parts[0]
        enough = counts >= fewest
        return keys[enough], counts[enough]

    def _merge(self) -> None:
        nothing = np.empty(0, np.int64)
        keys = np.concatenate([nothing, *(keys for keys, _ in self._parts)])
        counts = np.concatenate([nothing, *(counts for _, counts in self._parts)])
        order = np.argsort(keys, kind="stable")
        keys, counts = keys[order], counts[order]
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        self._parts = [(keys[starts], np.add.reduceat(counts, starts) if len(starts) else counts)]
