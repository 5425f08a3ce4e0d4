"""Count lemmas, and pairs of lemmas, in large corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.latin.frequencies import Frequencies
from locisimiles.latin.lemmas import Lemmatizer
from locisimiles.latin.stopwords import STOPWORDS
from locisimiles.latin.tokens import tokenize_all
from locisimiles.progress import silent
from locisimiles.train.common.corpora import read_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
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
    """Count the lemmas of corpora, and which of them stand close together.

    Parameters
    ----------
    paths
        Text files with a sentence a line.
    window
        How many words apart two lemmas may stand, function words not counted.
    fewest
        In how many sentences a pair must occur to be kept.
    fewest_lemma
        In how many sentences a lemma must occur to be kept.
    progress
        Called file by file.
    """

    def batches() -> Iterator[list[str]]:
        for done, path in enumerate(paths):
            progress("counting", done, len(paths))
            yield from read_sentences(path)
        progress("counting", len(paths), len(paths))

    return count_sentences(batches(), window=window, fewest=fewest, fewest_lemma=fewest_lemma)


def count_sentences(
    batches: Iterable[Sequence[str]], *, window: int, fewest: int, fewest_lemma: int
) -> Frequencies:
    """Count batches of sentences; see `count_frequencies`."""
    if min(window, fewest, fewest_lemma) < 1:
        raise ParameterError("window, fewest and fewest_lemma must be 1 or more")
    numbers = _LemmaNumbers()
    singles: list[NDArray[np.int64]] = []
    together = _PairCounts()
    sentences = 0
    for batch in batches:
        sentence, lemma = numbers.of(batch)
        sentences += len(batch)
        singles.append(_distinct(sentence, lemma))
        content = ~numbers.is_stopword[lemma]
        together.add(sentence[content], lemma[content], window)
    counts = np.bincount(np.concatenate([np.empty(0, np.int64), *singles]), minlength=numbers.size)
    keys, pair_counts = together.kept(fewest)
    kept, place = _number_anew(numbers.lemmas, counts, fewest_lemma)
    pairs, rows = _renumber_pairs(keys, place, len(kept))
    return Frequencies(
        sentences=sentences,
        lemmas=[numbers.lemmas[row] for row in kept],
        counts=counts[kept].astype(np.int32),
        pairs=pairs,
        pair_counts=pair_counts[rows].astype(np.int32),
        window=window,
        fewest=fewest,
    )


class _LemmaNumbers:
    """Turns sentences into columns of lemma numbers."""

    def __init__(self) -> None:
        self.lemmas: list[str] = []
        self._numbers: dict[str, int] = {}
        self._of_word = np.empty(0, np.int64)
        self._lemmatizer = Lemmatizer.shipped()

    @property
    def size(self) -> int:
        return len(self.lemmas)

    @property
    def is_stopword(self) -> NDArray[np.bool_]:
        return np.array([lemma in STOPWORDS for lemma in self.lemmas], bool)

    def of(self, sentences: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return for each word which sentence it is in, and its lemma."""
        table = tokenize_all(sentences)
        new = table.vocabulary[len(self._of_word) :]
        found = [self._number(lemma) for lemma in self._lemmatizer.lemmatize(new, "fast")]
        self._of_word = np.concatenate([self._of_word, np.array(found, np.int64)])
        sentence = np.repeat(np.arange(len(sentences)), np.diff(table.bounds))
        lemma = self._of_word[table.word]
        is_word = lemma >= 0
        return sentence[is_word], lemma[is_word]

    def _number(self, lemma: str) -> int:
        if not lemma.isalpha():
            return -1
        if lemma not in self._numbers:
            self._numbers[lemma] = len(self.lemmas)
            self.lemmas.append(lemma)
        return self._numbers[lemma]


class _PairCounts:
    """Counts pairs of lemma numbers, a batch at a time."""

    def __init__(self) -> None:
        self._parts: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []

    def add(self, sentence: NDArray[np.int64], lemma: NDArray[np.int64], window: int) -> None:
        keys = []
        for distance in range(1, window + 1):
            one, other = lemma[:-distance], lemma[distance:]
            together = (sentence[:-distance] == sentence[distance:]) & (one != other)
            low, high = np.minimum(one, other)[together], np.maximum(one, other)[together]
            where = sentence[:-distance][together]
            keys.append(np.stack([where, low << 32 | high]))
        found = np.concatenate(keys, axis=1)
        order = np.lexsort(found)
        found = found[:, order]
        first = np.ones(found.shape[1], bool)
        first[1:] = (np.diff(found, axis=1) != 0).any(axis=0)
        self._parts.append(np.unique(found[1][first], return_counts=True))
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


def _distinct(sentence: NDArray[np.int64], lemma: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the lemmas of each sentence without repetitions."""
    keys: NDArray[np.int64] = np.unique(sentence << 32 | lemma) & _LOW
    return keys


def _number_anew(
    lemmas: Sequence[str], counts: NDArray[np.int64], fewest_lemma: int
) -> tuple[list[int], NDArray[np.int64]]:
    """Return the lemmas that are kept, the commonest first, and the place of each among them.

    Small numbers need few bytes, so common lemmas get them.
    """
    order = sorted(range(len(lemmas)), key=lambda row: (-counts[row], lemmas[row]))
    kept = [row for row in order if counts[row] >= fewest_lemma]
    place = np.full(len(lemmas), -1, np.int64)
    place[kept] = np.arange(len(kept))
    return kept, place


def _renumber_pairs(
    keys: NDArray[np.int64], place: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Return the pairs under new numbers, ascending, and which pair each was."""
    one, other = place[keys >> 32], place[keys & _LOW]
    both = np.flatnonzero((one >= 0) & (other >= 0))
    numbers = np.minimum(one, other)[both] * size + np.maximum(one, other)[both]
    ascending = np.argsort(numbers)
    return numbers[ascending], both[ascending]
