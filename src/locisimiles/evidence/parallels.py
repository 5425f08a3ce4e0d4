"""Sources that say nearly the same: synoptic verses, formulas, quotations of one source in another.

If a text quotes one of them, all are found. For a reader they are one finding.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_equal_lengths
from locisimiles.latin.text_words import Lexicon, TextWords

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["parallel_rows", "parallel_words"]

_LEAST_SHARE, _LEAST_RARITY = 0.6, 20.0
_ROUNDING = 0.01  # more than single precision loses
_ROWS, _CELLS = 256, 1 << 22  # of matrices


def parallel_rows(query: NDArray[np.int64], texts: Sequence[str]) -> NDArray[np.int64]:
    """Return for each candidate the best one of its query with nearly the same words.

    Nearly the same: the content lemmas that two texts share have at least 60 % of the rarity of
    those of the heavier one, and 20 in all (three rare words; see `Frequencies.rarity`).

    Parameters
    ----------
    query
        The query segment of each candidate, ascending; the candidates of each, best first.
    texts
        The text of each candidate.

    Returns
    -------
    numpy.ndarray
        The row of the best candidate: for the best one itself, and where none is alike, its own.

    Examples
    --------
    >>> texts = [
    ...     "securis ad radicem arborum posita est",
    ...     "arma uirumque cano",
    ...     "iam enim securis ad radicem arborum posita est",
    ... ]
    >>> parallel_rows(np.array([0, 0, 0]), texts).tolist()
    [0, 1, 0]
    """
    check_equal_lengths(query=query, texts=texts)
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    place = np.array([places[text] for text in texts], np.int64)
    return parallel_words(query, TextWords.read(list(places)), place)


def parallel_words(
    query: NDArray[np.int64], words: TextWords, place: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return `parallel_rows` of candidates, given by the places of their texts in `words`.

    Equal texts have the same place.
    """
    used = np.unique(place)
    lemmas = dict(zip(used.tolist(), _lemmas(words, used), strict=True))
    rarity, _ = Lexicon.shared().frequencies()

    def weight(lemmas: frozenset[int]) -> float:
        return float(sum(rarity[sorted(lemmas)].tolist()))

    def is_alike(one: int, other: int) -> bool:
        if one == other:
            return True
        shared = weight(lemmas[one] & lemmas[other])
        heavier = max(weight(lemmas[one]), weight(lemmas[other]))
        return shared >= max(_LEAST_RARITY, _LEAST_SHARE * heavier)

    found = np.arange(len(query))
    begins = np.flatnonzero(np.diff(query, prepend=query[:1] - 1)).tolist()
    for begin, end in pairwise([*begins, len(query)]):
        own = place[begin:end]
        leads = np.ones(len(own), np.bool_)
        for row, earlier in enumerate(_perhaps_alike(own, lemmas, rarity)):
            for leader in earlier[leads[earlier]].tolist():
                if is_alike(int(own[row]), int(own[leader])):
                    found[begin + row], leads[row] = begin + leader, False
                    break
    return found


def _perhaps_alike(
    texts: NDArray[np.int64], lemmas: Mapping[int, frozenset[int]], rarity: NDArray[np.float64]
) -> Iterator[NDArray[np.int64]]:
    """Yield for each text the earlier ones that may be alike: all that are, and few others.

    Most are not, and products of matrices in single precision tell these faster than sets do.
    """
    own = [lemmas[text] for text in texts.tolist()]
    row = np.repeat(np.arange(len(own)), list(map(len, own)))
    names, column = np.unique(np.array([*chain(*own)], np.int64), return_inverse=True)
    root = np.sqrt(rarity[names].astype(np.float32))[column]
    total = np.bincount(row, root**2, minlength=len(own))
    for begin in range(0, len(own), _ROWS):
        end = min(begin + _ROWS, len(own))
        shared = np.zeros((end - begin, end), np.float32)
        width = max(_CELLS // end, 1)
        for first in range(0, len(names), width):
            kept = np.flatnonzero((row < end) & (column >= first) & (column < first + width))
            matrix = np.zeros((end, min(width, len(names) - first)), np.float32)
            matrix[row[kept], column[kept] - first] = root[kept]
            shared += matrix[begin:] @ matrix.T
        heavier = np.maximum(total[begin:end, None], total[:end])
        likely = shared + _ROUNDING >= np.maximum(_LEAST_RARITY, _LEAST_SHARE * heavier)
        likely |= texts[begin:end, None] == texts[:end]
        for number, likely_ones in enumerate(likely, start=begin):
            yield np.flatnonzero(likely_ones[:number])


def _lemmas(words: TextWords, texts: NDArray[np.int64]) -> list[frozenset[int]]:
    begins, ends = words.bounds[texts].tolist(), words.bounds[texts + 1].tolist()
    return [
        frozenset(words.lemma[begin:end][words.content[begin:end]].tolist())
        for begin, end in zip(begins, ends, strict=True)
    ]
