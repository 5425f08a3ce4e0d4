"""The distinct terms of rules: their rarity, and which pairs of them are formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.latin import Frequencies
from locisimiles.retrieve.ngram_rules.pairs import terms_of_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.retrieve.ngram_rules.rules import NgramRules

__all__ = ["FormulaFilter", "Vocabulary"]


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


class FormulaFilter:
    """Finds formulas: pairs of words so common together that sharing them means nothing.

    The rules say so by `max_collocations`, `max_in_source` and `vectors`.
    """

    def __init__(self, rules: NgramRules, vocabulary: Vocabulary) -> None:
        self._rules = rules
        self._vocabulary = vocabulary
        self._directions: dict[int, NDArray[np.float64] | None] = {}

    def passes(self, keys: NDArray[np.int64], in_source: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which pairs of words are no formula; `in_source` counts source clauses with each."""
        rules = self._rules
        fits = np.ones(len(keys), np.bool_)
        one, other = terms_of_key(keys)
        if rules.max_in_source is not None:
            fits &= in_source <= rules.max_in_source
        if rules.max_collocations is not None:
            fits &= self._vocabulary.pair_counts(one, other) <= rules.max_collocations
        if rules.vectors is not None:
            rows = np.flatnonzero(fits).tolist()
            fits[rows] = [
                self._similarity(int(one[row]), int(other[row])) <= rules.max_similarity
                for row in rows
            ]
        return fits

    def _similarity(self, one: int, other: int) -> float:
        """Return the cosine of two words; -1 if one has no vector."""
        first, second = self._direction(one), self._direction(other)
        if first is None or second is None:
            return -1.0
        if first.shape != second.shape:
            terms = self._vocabulary.terms
            raise ParameterError("retrieve.vector_lengths", one=terms[one], other=terms[other])
        return float(first @ second)

    def _direction(self, term: int) -> NDArray[np.float64] | None:
        if term not in self._directions:
            vectors = self._rules.vectors
            vector = vectors(self._vocabulary.terms[term]) if vectors else None
            direction = None
            if vector is not None:
                values = np.asarray(vector, np.float64).ravel()
                length = float(np.linalg.norm(values))
                direction = values / length if length > 0 else None
            self._directions[term] = direction
        return self._directions[term]
