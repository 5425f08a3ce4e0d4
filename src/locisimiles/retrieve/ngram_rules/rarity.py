"""How rare words are, and how common it is to meet two of them together."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin import Frequencies

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Vocabulary"]

_UNKNOWN = -1


class Vocabulary:
    """Numbers distinct terms, and knows what the corpus counts say of them.

    Attributes
    ----------
    terms
        The terms in the order of their numbers.

    Examples
    --------
    >>> vocabulary = Vocabulary()
    >>> one, other = (vocabulary.number(lemma, lemma) for lemma in ("res", "publicus"))
    >>> vocabulary.number("res", "res"), vocabulary.terms
    (0, ['res', 'publicus'])
    >>> int(vocabulary.pair_counts(np.array([one]), np.array([other]))[0]) > 1000
    True
    """

    def __init__(self) -> None:
        self.terms: list[str] = []
        self._frequencies = Frequencies.shipped()
        self._numbers: dict[str, int] = {}
        self._lemmas: list[str] = []
        self._row_column = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self.terms)

    def number(self, term: str, lemma: str) -> int:
        """Return the number of a term, and give it one if it has none.

        `lemma` is what the corpus counts call it.
        """
        found = self._numbers.get(term)
        if found is None:
            found = self._numbers[term] = len(self.terms)
            self.terms.append(term)
            self._lemmas.append(lemma)
        return found

    def rarity(self) -> NDArray[np.float64]:
        r"""Return the rarity of each term: :math:`\log(N / n)`, see `Frequencies.rarity`."""
        rows = self._columns()
        counts = np.where(rows == _UNKNOWN, 1, self._frequencies.counts[rows])
        return np.log(self._frequencies.sentences / np.maximum(counts, 1))

    def pair_counts(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return in how many sentences two terms stand close together, see `Frequencies`."""
        frequencies = self._frequencies
        rows = self._columns()
        first, second = rows[one], rows[other]
        keys = np.minimum(first, second) * len(frequencies.lemmas) + np.maximum(first, second)
        places = np.searchsorted(frequencies.pairs, keys)
        places = np.minimum(places, len(frequencies.pairs) - 1)
        known = (np.minimum(first, second) != _UNKNOWN) & (frequencies.pairs[places] == keys)
        return np.where(known, frequencies.pair_counts[places], 0).astype(np.int32)

    def _columns(self) -> NDArray[np.int64]:
        new = self._lemmas[len(self._row_column) :]
        if new:
            rows = _rows_of_lemmas()
            found = np.fromiter((rows.get(lemma, _UNKNOWN) for lemma in new), np.int64, len(new))
            self._row_column = np.append(self._row_column, found)
        return self._row_column


@lru_cache(maxsize=1)
def _rows_of_lemmas() -> dict[str, int]:
    lemmas = Frequencies.shipped().lemmas
    return dict(zip(lemmas, range(len(lemmas)), strict=True))
