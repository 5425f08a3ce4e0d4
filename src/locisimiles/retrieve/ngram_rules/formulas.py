"""Formulas: pairs of words that stand together so often that sharing them means nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.retrieve.ngram_rules.pairs import terms_of_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.retrieve.ngram_rules.rules import NgramRules
    from locisimiles.retrieve.ngram_rules.vocabulary import Vocabulary

__all__ = ["FormulaFilter"]


class FormulaFilter:
    """Finds formulas by the `max_collocations`, `max_in_source` and `vectors` of rules."""

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
