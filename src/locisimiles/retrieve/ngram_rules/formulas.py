"""Pairs of words that stand together so often that sharing them says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.retrieve.ngram_rules.pairs import terms_of_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from locisimiles.retrieve.ngram_rules.rarity import Vocabulary

__all__ = ["FormulaFilter"]


class FormulaFilter:
    """Tells formulas from pairs of words that may make a parallel.

    Parameters
    ----------
    vocabulary
        What the terms are.
    max_collocations
        In how many sentences of Latin the two may stand together; None for no limit.
    max_in_source
        In how many clauses of the source; None for no limit.
    vectors
        A function from a term to its vector, or to None.
    max_similarity
        How high the cosine of their vectors may be.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        max_collocations: int | None = None,
        max_in_source: int | None = None,
        vectors: Callable[[str], NDArray[np.floating] | None] | None = None,
        max_similarity: float = 1.0,
    ) -> None:
        self._vocabulary = vocabulary
        self._max_collocations = max_collocations
        self._max_in_source = max_in_source
        self._vectors = vectors
        self._max_similarity = max_similarity
        self._directions: dict[int, NDArray[np.float64] | None] = {}

    def passes(self, keys: NDArray[np.int64], in_source: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell of each pair of words whether it is no formula.

        Parameters
        ----------
        keys
            The pairs.
        in_source
            In how many clauses of the source each occurs.
        """
        fits = np.ones(len(keys), np.bool_)
        one, other = terms_of_key(keys)
        if self._max_in_source is not None:
            fits &= in_source <= self._max_in_source
        if self._max_collocations is not None:
            fits &= self._vocabulary.pair_counts(one, other) <= self._max_collocations
        if self._vectors is not None:
            rows = np.flatnonzero(fits).tolist()
            fits[rows] = [
                self._similarity(int(one[row]), int(other[row])) <= self._max_similarity
                for row in rows
            ]
        return fits

    def _similarity(self, one: int, other: int) -> float:
        """Return the cosine of two words; words without vectors are not alike."""
        first, second = self._direction(one), self._direction(other)
        if first is None or second is None:
            return -1.0
        if first.shape != second.shape:
            terms = self._vocabulary.terms
            raise ParameterError("retrieve.vector_lengths", one=terms[one], other=terms[other])
        return float(first @ second)

    def _direction(self, term: int) -> NDArray[np.float64] | None:
        if term not in self._directions:
            vector = self._vectors(self._vocabulary.terms[term]) if self._vectors else None
            direction = None
            if vector is not None:
                values = np.asarray(vector, np.float64).ravel()
                length = float(np.linalg.norm(values))
                direction = values / length if length > 0 else None
            self._directions[term] = direction
        return self._directions[term]
