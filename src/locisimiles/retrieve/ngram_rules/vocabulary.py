"""The distinct terms of rules, with their rarity and how often two of them stand together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin import Frequencies

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Vocabulary"]


class Vocabulary:
    """Numbers distinct terms, and looks up their lemmas in the corpus counts.

    Attributes
    ----------
    terms
        The terms by number.

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
        # The row of each term's lemma in the corpus counts, -1 if unknown.
        self._row = np.empty(0, np.int64)

    def number(self, term: str, lemma: str) -> int:
        """Return the number of a term, adding it if it is new; `lemma` is its lemma."""
        found = self._numbers.get(term)
        if found is None:
            found = self._numbers[term] = len(self.terms)
            self.terms.append(term)
            self._lemmas.append(lemma)
        return found

    def rarity(self) -> NDArray[np.float64]:
        """Return the rarity of each term; see `Frequencies.rarity`."""
        rows = self._rows()
        counts = np.where(rows < 0, 1, self._frequencies.counts[rows])
        return np.log(self._frequencies.sentences / np.maximum(counts, 1))

    def pair_counts(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return in how many sentences two terms stand close together; see `Frequencies`."""
        rows = self._rows()
        return self._frequencies.pair_counts_of(rows[one], rows[other])

    def _rows(self) -> NDArray[np.int64]:
        new = self._lemmas[len(self._row) :]
        if new:
            self._row = np.append(self._row, self._frequencies.rows_of(new))
        return self._row
