"""Counting the terms of texts, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.retrieve.lexical.postings import TermCounts
from locisimiles.retrieve.lexical.terms import WordTerms, is_term

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from locisimiles.index import PreparedDocument, TextPart
    from locisimiles.progress import Progress
    from locisimiles.retrieve.lexical.terms import Terms

__all__ = ["TermCounter"]

_UNSEEN, _LEFT_OUT = -2, -1
_SOURCE_BATCH = 8192


class TermCounter:
    """Counts the terms of texts; new terms get a number until the numbers are fixed.

    Where every word is one term, a number is looked up once for each distinct word, and no lists
    of terms are made.

    Parameters
    ----------
    to_terms
        Turns texts into terms; see `locisimiles.retrieve.lexical.terms.weighted_terms`.

    Attributes
    ----------
    numbers
        The number of each term.

    Examples
    --------
    >>> from locisimiles.index import TextPart
    >>> from locisimiles.retrieve.lexical.terms import weighted_terms
    >>> counter = TermCounter(weighted_terms("lemma"))
    >>> counts = counter.count(TextPart.of(["arma uirum arma", "uiri"]))
    >>> sorted(counter.numbers), counts.text.tolist(), counts.lengths.tolist()
    (['arma', 'uir'], [0, 0, 1], [3.0, 1.0])
    >>> counter.fix({"uir": 0})
    >>> counter.count(TextPart.of(["arma uirum"])).term.tolist()
    [0]
    """

    def __init__(self, to_terms: WordTerms | Callable[[TextPart], Terms]) -> None:
        self.numbers: dict[str, int] = {}
        self._to_terms = to_terms
        self._is_fixed = False
        # By the number of a word in the tokenizer's vocabulary.
        self._number_of_word = np.empty(0, np.int64)

    def fix(self, numbers: dict[str, int]) -> None:
        """Give the terms other numbers; from now on, terms without one are left out."""
        self.numbers = numbers
        self._is_fixed = True
        self._number_of_word = np.empty(0, np.int64)

    def count_source(self, texts: PreparedDocument, progress: Progress) -> TermCounts:
        """Count the terms of all texts, and fix their numbers in alphabetical order.

        So sums do not depend on the order of the texts.
        """
        counts = []
        for number, part in enumerate(texts.parts(_SOURCE_BATCH)):
            progress("indexing", number * _SOURCE_BATCH, len(texts))
            counts.append(self.count(part))
        progress("indexing", len(texts), len(texts))
        joined, numbers = TermCounts.join(counts).in_order(self.numbers)
        self.fix(numbers)
        return joined

    def count(self, part: TextPart) -> TermCounts:
        """Count the terms of some texts."""
        if isinstance(self._to_terms, WordTerms):
            return self._count_words(self._to_terms, part)
        found = self._to_terms(part)
        return TermCounts.of(found.terms, self.numbers, found.weights, grow=not self._is_fixed)

    def _count_words(self, words: WordTerms, part: TextPart) -> TermCounts:
        tokens, terms = words.table(part)
        term = self._numbers_of(tokens.word, terms)
        text = np.repeat(np.arange(len(part.texts)), np.diff(tokens.bounds))
        known = term >= 0
        size = max(len(self.numbers), 1)
        key, count = np.unique(text[known] * size + term[known], return_counts=True)
        distinct_text, distinct_term = np.divmod(key, size)
        return TermCounts(distinct_text, distinct_term, count.astype(np.float64), len(part.texts))

    def _numbers_of(self, word: NDArray[np.int32], terms: Sequence[str]) -> NDArray[np.int64]:
        missing = len(terms) - len(self._number_of_word)
        if missing > 0:
            unseen = np.full(missing, _UNSEEN, np.int64)
            self._number_of_word = np.concatenate([self._number_of_word, unseen])
        number = self._number_of_word[word]
        is_new = number == _UNSEEN
        if is_new.any():
            new = np.unique(word[is_new]).tolist()
            self._number_of_word[new] = [self._number(terms[row]) for row in new]
            number = self._number_of_word[word]
        return number

    def _number(self, term: str) -> int:
        if not is_term(term):
            return _LEFT_OUT
        if self._is_fixed:
            return self.numbers.get(term, _LEFT_OUT)
        return self.numbers.setdefault(term, len(self.numbers))
