"""Pairs of words that stand close together in one clause, as columns, and formulas among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from locisimiles.retrieve.ngram_rules.vocabulary import Vocabulary
    from locisimiles.retrieve.ngram_rules.words import Words

__all__ = ["FormulaFilter", "WordPairs", "pair_key", "terms_of_key", "word_pairs"]

_SHIFT = 32


@dataclass(frozen=True, slots=True, eq=False)
class WordPairs:
    """Pairs of different words, ordered by key, clause and direction.

    Attributes
    ----------
    key
        The two terms as one number, whatever their order; see `pair_key`.
    clause
        The clause both stand in.
    distance
        How far apart they are: 1 for neighbours. Positive if the term with the lower number comes
        first, else negative. Of several occurrences in the same order, the first of the closest
        counts.
    form, other_form
        The forms of the two: of the term with the lower number, and of the other.
    """

    key: NDArray[np.int64]
    clause: NDArray[np.int64]
    distance: NDArray[np.int16]
    form: NDArray[np.int32]
    other_form: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.key)

    def select(self, rows: NDArray[np.bool_] | NDArray[np.int64] | slice) -> WordPairs:
        """Return some of the pairs."""
        return WordPairs(
            self.key[rows],
            self.clause[rows],
            self.distance[rows],
            self.form[rows],
            self.other_form[rows],
        )


def pair_key(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return two terms as one number, whatever their order.

    Examples
    --------
    >>> keys = pair_key(np.array([3, 7]), np.array([7, 3]))
    >>> keys.tolist() == [3 * 2**32 + 7] * 2, [terms.tolist() for terms in terms_of_key(keys)]
    (True, [[3, 3], [7, 7]])
    """
    return (np.minimum(one, other) << _SHIFT) | np.maximum(one, other)


def terms_of_key(key: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the two terms of a key, the lower first."""
    return key >> _SHIFT, key & ((1 << _SHIFT) - 1)


def word_pairs(words: Words, window: int) -> WordPairs:
    """Return the pairs of words of one clause that are at most `window` words apart."""
    longest = int(np.bincount(words.clause).max(initial=0))
    first, rows_between = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for rows in range(1, min(window, longest - 1) + 1):
        together = words.clause[:-rows] == words.clause[rows:]
        together &= words.term[:-rows] != words.term[rows:]
        if words.place is not None:
            together &= words.place[rows:] - words.place[:-rows] <= window
        first.append(np.flatnonzero(together))
        rows_between.append(np.full(len(first[-1]), rows))
    one, distance_between = np.concatenate(first), np.concatenate(rows_between)
    other = one + distance_between
    if words.place is not None:
        distance_between = words.place[other] - words.place[one]
        order = np.lexsort((one, distance_between))
        one, other, distance_between = one[order], other[order], distance_between[order]
    in_order = words.term[one] < words.term[other]
    low, high = np.where(in_order, one, other), np.where(in_order, other, one)
    return _closest(
        WordPairs(
            key=pair_key(words.term[one], words.term[other]),
            clause=words.clause[one],
            distance=np.where(in_order, distance_between, -distance_between).astype(np.int16),
            form=words.form[low],
            other_form=words.form[high],
        )
    )


def _closest(pairs: WordPairs) -> WordPairs:
    """Keep one of the pairs with the same key, clause and direction.

    Pairs are ordered by distance: the first is the closest.
    """
    if not len(pairs):
        return pairs
    place = pairs.clause * 2 + (pairs.distance < 0)
    both = _one_number(pairs.key, place)
    order = np.argsort(both)  # not stable, which is faster: the minimum decides below
    both = both[order]
    begin = np.flatnonzero(np.concatenate([[True], both[1:] != both[:-1]]))
    return pairs.select(np.minimum.reduceat(order, begin))


def _one_number(key: NDArray[np.int64], place: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return numbers with the order of key and place: one is sorted faster than two."""
    low, high = terms_of_key(key)
    terms, places = int(high.max()) + 1, int(place.max()) + 1
    if terms**2 * places < 1 << 63:
        return (low * terms + high) * places + place
    _, rank = np.unique(key, return_inverse=True)
    return rank * places + place


@dataclass(slots=True, eq=False)
class FormulaFilter:
    """Finds formulas: pairs of words so common together that sharing them means nothing.

    The limits are those of `NgramRules`.
    """

    vocabulary: Vocabulary
    max_collocations: int | None
    max_in_source: int | None
    vectors: Callable[[str], NDArray[np.floating] | None] | None
    max_similarity: float
    _directions: dict[int, NDArray[np.float64] | None] = field(default_factory=dict)

    def passes(self, keys: NDArray[np.int64], in_source: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which pairs of words are no formula; `in_source` counts source clauses with each."""
        fits = np.ones(len(keys), np.bool_)
        one, other = terms_of_key(keys)
        if self.max_in_source is not None:
            fits &= in_source <= self.max_in_source
        if self.max_collocations is not None:
            fits &= self.vocabulary.pair_counts(one, other) <= self.max_collocations
        if self.vectors is not None:
            rows = np.flatnonzero(fits).tolist()
            fits[rows] = [
                self._similarity(int(one[row]), int(other[row])) <= self.max_similarity
                for row in rows
            ]
        return fits

    def _similarity(self, one: int, other: int) -> float:
        """Return the cosine of two words; -1 if one has no vector."""
        first, second = self._direction(one), self._direction(other)
        if first is None or second is None:
            return -1.0
        if first.shape != second.shape:
            terms = self.vocabulary.terms
            raise ParameterError("retrieve.vector_lengths", one=terms[one], other=terms[other])
        return float(first @ second)

    def _direction(self, term: int) -> NDArray[np.float64] | None:
        if term not in self._directions:
            vector = self.vectors(self.vocabulary.terms[term]) if self.vectors else None
            direction = None
            if vector is not None:
                values = np.asarray(vector, np.float64).ravel()
                length = float(np.linalg.norm(values))
                direction = values / length if length > 0 else None
            self._directions[term] = direction
        return self._directions[term]
