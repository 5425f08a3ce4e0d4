"""Counting the terms of texts, batch by batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.retrieve.lexical.postings import TermCounts
from locisimiles.retrieve.lexical.terms import WordTerms, is_term

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from locisimiles.retrieve.lexical.terms import Terms

__all__ = ["TermCounter"]

_UNSEEN, _LEFT_OUT = -2, -1


class TermCounter:
    """Counts the terms of texts; new terms get a number until the numbers are fixed.

    Where every word is one term, a number is looked up once for each distinct word, and no lists
    of terms are made.

    Parameters
    ----------
    to_terms
        What turns texts into terms; see `locisimiles.retrieve.lexical.terms.weighted_terms`.

    Attributes
    ----------
    numbers
        The number of each term.

    Examples
    --------
    >>> from locisimiles.retrieve.lexical.terms import weighted_terms
    >>> counter = TermCounter(weighted_terms("lemma"))
    >>> counts = counter.count(["arma uirum arma", "uiri"])
    >>> sorted(counter.numbers), counts.text.tolist(), counts.lengths.tolist()
    (['arma', 'uir'], [0, 0, 1], [3.0, 1.0])
    >>> counter.fix({"uir": 0})
    >>> counter.count(["arma uirum"]).term.tolist()
    [0]
    """

    def __init__(self, to_terms: WordTerms | Callable[[Sequence[str]], Terms]) -> None:
        self.numbers: dict[str, int] = {}
        self._to_terms = to_terms
        self._is_fixed = False
        # By the number of a word among those of the tokenizer.
        self._number_of_word = np.empty(0, np.int64)

    def fix(self, numbers: dict[str, int]) -> None:
        """Give the terms other numbers; terms without one are left out from now on."""
        self.numbers = numbers
        self._is_fixed = True
        self._number_of_word = np.empty(0, np.int64)

    def count(self, texts: Sequence[str]) -> TermCounts:
        """Count the terms of texts."""
        if isinstance(self._to_terms, WordTerms):
            return self._count_words(self._to_terms, texts)
        found = self._to_terms(texts)
        return TermCounts.of(found.terms, self.numbers, found.weights, grow=not self._is_fixed)

    def _count_words(self, words: WordTerms, texts: Sequence[str]) -> TermCounts:
        table, terms = words.table(texts)
        term = self._numbers_of(table.word, terms)
        text = np.repeat(np.arange(len(texts)), np.diff(table.bounds))
        known = term >= 0
        terms_in_all = max(len(self.numbers), 1)
        key, count = np.unique(text[known] * terms_in_all + term[known], return_counts=True)
        distinct_text, distinct_term = np.divmod(key, terms_in_all)
        return TermCounts(distinct_text, distinct_term, count.astype(np.float64), len(texts))

    def _numbers_of(self, word: NDArray[np.int32], terms: Sequence[str]) -> NDArray[np.int64]:
        missing = len(terms) - len(self._number_of_word)
        if missing > 0:
            unseen = np.full(missing, _UNSEEN, np.int64)
            self._number_of_word = np.concatenate([self._number_of_word, unseen])
        number = self._number_of_word[word]
        is_new = number == _UNSEEN
        if is_new.any():
            new = np.unique(word[is_new]).tolist()
            self._number_of_word[new] = [self._number(terms[own]) for own in new]
            number = self._number_of_word[word]
        return number

    def _number(self, term: str) -> int:
        if not is_term(term):
            return _LEFT_OUT
        if self._is_fixed:
            return self.numbers.get(term, _LEFT_OUT)
        return self.numbers.setdefault(term, len(self.numbers))
