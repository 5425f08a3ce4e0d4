"""Count the terms of texts, part by part, and search for them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Candidates, Found, best
from locisimiles.checks import check_at_least
from locisimiles.index import PreparedDocument
from locisimiles.index.finding import without
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.postings import TermCounts
from locisimiles.retrieve.lexical.terms import WordTerms, is_term

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.index import TextPart
    from locisimiles.progress import Progress
    from locisimiles.retrieve.lexical.postings import Postings, StoredPostings
    from locisimiles.retrieve.lexical.terms import Terms

__all__ = ["LEFT_OUT", "SparseIndex", "TermCounter", "WordNumbers"]

LEFT_OUT = -1
"""Stands for words that are no terms."""
_UNSEEN = -2
_SOURCE_BATCH, _QUERY_BATCH = 8192, 256


class WordNumbers:
    """A number for each word of a growing vocabulary, computed when it is first needed."""

    def __init__(self, compute: Callable[[Sequence[str]], Sequence[int]]) -> None:
        self._compute = compute
        self._numbers = np.empty(0, np.int64)

    def look_up(self, word: NDArray[np.int32], vocabulary: Sequence[str]) -> NDArray[np.int64]:
        """Return the numbers of words, given as positions in the vocabulary."""
        missing = len(vocabulary) - len(self._numbers)
        if missing > 0:
            self._numbers = np.append(self._numbers, np.full(missing, _UNSEEN))
        new = np.unique(word[self._numbers[word] == _UNSEEN]).tolist()
        if new:
            self._numbers[new] = self._compute([vocabulary[row] for row in new])
        return self._numbers[word]


class TermCounter:
    """Counts the terms of texts; new terms get a number until the numbers are fixed.

    If every word is one term, each distinct word is looked up once, and no lists of terms are made.

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
        self._words = WordNumbers(self._numbers_of)

    def fix(self, numbers: dict[str, int]) -> None:
        """Renumber the terms; from now on, terms without a number are left out."""
        self.numbers = numbers
        self._is_fixed = True
        self._words = WordNumbers(self._numbers_of)

    def count_source(self, texts: PreparedDocument, progress: Progress) -> TermCounts:
        """Count the terms of all texts, and fix their numbers in alphabetical order.

        So scores do not depend on the order of the texts.
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
        term = self._words.look_up(tokens.word, terms)
        text = np.repeat(np.arange(len(part.texts)), np.diff(tokens.bounds))
        known = term >= 0
        size = max(len(self.numbers), 1)
        key, count = np.unique(text[known] * size + term[known], return_counts=True)
        distinct_text, distinct_term = np.divmod(key, size)
        return TermCounts(distinct_text, distinct_term, count.astype(np.float64), len(part.texts))

    def _numbers_of(self, terms: Sequence[str]) -> list[int]:
        if not self._is_fixed:
            for term in filter(is_term, terms):
                self.numbers.setdefault(term, len(self.numbers))
        return [self.numbers.get(term, LEFT_OUT) for term in terms]


@dataclass(frozen=True, slots=True, eq=False)
class SparseIndex:
    """Searches an inverted index; returned by `BM25.index` and `TfIdf.index`.

    `weigh` returns the weights of the terms of queries.
    """

    postings: Postings | StoredPostings
    ties: NDArray[np.int64]
    counter: TermCounter
    weigh: Callable[[TermCounts], NDArray[np.float64]]

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        found: list[Found] = []
        room = np.empty(self.postings.segments, np.float32)
        for part in queries.parts(_QUERY_BATCH):
            progress("searching", len(found), len(queries))
            counts = self.counter.count(part)
            weights = self.weigh(counts)
            self.postings.read(counts.term)
            for begin, end in pairwise(counts.bounds().tolist()):
                scores = self.postings.score(counts.term[begin:end], weights[begin:end], room)
                excluded = queries.excluded(len(found))
                found.append(best(without(scores, excluded), k, self.ties))
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)
