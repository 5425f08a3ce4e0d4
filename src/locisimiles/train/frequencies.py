"""Count lemmas, and pairs of lemmas, in large corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_at_least
from locisimiles.latin.frequencies import Frequencies
from locisimiles.latin.stopwords import STOPWORDS
from locisimiles.progress import silent
from locisimiles.train.common.corpora import LemmaNumbers, read_corpora

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
        Fewest sentences with a pair, and with a lemma, to keep it.
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
    numbers = LemmaNumbers()
    nothing = np.empty(0, np.int64)
    singles, together = [nothing], [(nothing, nothing)]
    sentences = 0
    for batch in batches:
        sentence, lemma = numbers.of(batch)
        sentences += len(batch)
        singles.append(np.unique(sentence << 32 | lemma) & _LOW)  # once in a sentence
        is_content = np.array([name not in STOPWORDS for name in numbers.lemmas], bool)[lemma]
        together.append(_pairs_of(sentence[is_content], lemma[is_content], window))
        if len(together) >= _MERGE_AFTER:
            together = [_merged(together)]
    lemmas = numbers.lemmas
    counts = np.bincount(np.concatenate(singles), minlength=len(lemmas))
    # Small numbers need few bytes, so frequent lemmas get them.
    order = sorted(range(len(lemmas)), key=lambda row: (-counts[row], lemmas[row]))
    kept = [row for row in order if counts[row] >= fewest_lemma]
    place = np.full(len(lemmas), -1, np.int64)
    place[kept] = np.arange(len(kept))
    keys, pair_counts = _merged(together)
    one, other = place[keys >> 32], place[keys & _LOW]
    both = np.flatnonzero((pair_counts >= fewest) & (one >= 0) & (other >= 0))
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


def _pairs_of(
    sentence: NDArray[np.int64], lemma: NDArray[np.int64], window: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of lemmas that occur close together, and in how many sentences."""
    keys = []
    for distance in range(1, window + 1):
        one, other = lemma[:-distance], lemma[distance:]
        together = (sentence[:-distance] == sentence[distance:]) & (one != other)
        low, high = np.minimum(one, other)[together], np.maximum(one, other)[together]
        keys.append(np.stack([sentence[:-distance][together], low << 32 | high]))
    pairs = np.concatenate(keys, axis=1)
    pairs = pairs[:, np.lexsort(pairs)]
    first = np.ones(pairs.shape[1], bool)  # a pair counts once in a sentence
    first[1:] = (np.diff(pairs, axis=1) != 0).any(axis=0)
    return np.unique(pairs[1][first], return_counts=True)


def _merged(
    parts: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Add up the counts of equal keys."""
    keys, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    return keys[order][starts], np.add.reduceat(counts[order], starts) if len(starts) else counts
