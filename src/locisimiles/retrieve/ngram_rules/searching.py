"""Source segments prepared for rules about shared words, and how they are searched."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Candidates, Found, best
from locisimiles.checks import check_at_least
from locisimiles.index import PreparedDocument
from locisimiles.models.batches import ranges
from locisimiles.progress import silent
from locisimiles.retrieve.ngram_rules.pairs import (
    FormulaFilter,
    WordPairs,
    terms_of_key,
    word_pairs,
)
from locisimiles.retrieve.ngram_rules.shared_terms import (
    SharedTerms,
    TermPostings,
    closeness,
    enough_words,
    total_scores,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.ngram_rules.settings import RuleSettings
    from locisimiles.retrieve.ngram_rules.shared_terms import StoredTermPostings
    from locisimiles.retrieve.ngram_rules.words import WordExtractor, Words

    _Excluded = Callable[[NDArray[np.integer], NDArray[np.integer]], NDArray[np.bool_]]

__all__ = ["QUERY_BATCH", "NgramIndex", "excluded_of"]

QUERY_BATCH = 512
"""The number of queries that are searched together."""


class NgramIndex:
    """Source segments, prepared for the rules; returned by `NgramRules.index`.

    It holds the clauses of each pair of words close together; `postings`, the segments of each
    word. `has_pos` tells which forms of the source have one of the parts of speech.
    """

    def __init__(
        self,
        words: Words,
        postings: TermPostings | StoredTermPostings,
        rules: RuleSettings,
        extractor: WordExtractor,
        *,
        ties: NDArray[np.int64],
        has_pos: Callable[[NDArray[np.int32]], NDArray[np.bool_]] | None = None,
    ) -> None:
        self._rules = rules
        self._extractor = extractor
        self._has_pos = extractor.has_pos if has_pos is None else has_pos
        self._ties = ties
        self._segment_of_clause = words.segment_of_clause()
        self._pairs = word_pairs(words, rules.window)
        # Each distinct pair of words, the first of its rows, and their number.
        self._keys, self._begin, self._count = np.unique(
            self._pairs.key, return_index=True, return_counts=True
        )
        self._terms = postings
        self._formulas = FormulaFilter(
            extractor.vocabulary,
            rules.max_collocations,
            rules.max_in_source,
            rules.vectors,
            rules.max_similarity,
        )

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        found: list[Found] = []
        for part in queries.parts(QUERY_BATCH):
            progress("searching", len(found), len(queries))
            words = self._extractor.extract(part)
            found += self.best(words, len(part.texts), k, excluded_of(queries, len(found)))
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)

    def best(self, words: Words, queries: int, k: int, excluded: _Excluded) -> list[Found]:
        """Return the best `k` segments for the words of each query, with their scores."""
        query, source, score = self._scores(words)
        kept = (score > 0) & (score >= self._rules.min_score) & ~excluded(query, source)
        query, source, score = query[kept], source[kept], score[kept]
        bounds = np.searchsorted(query, np.arange(queries + 1)).tolist()
        found = []
        for begin, end in pairwise(bounds):
            first, values = best(score[begin:end], k, self._ties[source[begin:end]])
            found.append((source[begin:end][first], values))
        return found

    def _scores(
        self, words: Words
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
        """Return the candidates of some queries, with their scores."""
        rules = self._rules
        shared = [self._close_together(words)]
        if rules.complura is not None:
            worth = rules.reordered / (1 + rules.decay * 2 * rules.window)
            shared += self._terms.shared(words, rules.complura, worth)
        return total_scores(SharedTerms.join(shared), self._extractor.vocabulary.rarity())

    def _close_together(self, words: Words) -> SharedTerms:
        """Find the words that are shared close together in one clause."""
        rules = self._rules
        in_query, in_source = self._shared_pairs(word_pairs(words, rules.window))
        if rules.pos_words:
            fits = self._pos_fit(in_query, self._extractor.has_pos)
            fits &= self._pos_fit(in_source, self._has_pos)
            in_query, in_source = in_query.select(fits), in_source.select(fits)
        if rules.n > 2:  # noqa: PLR2004 - a pair has two words
            group = in_query.clause * len(self._segment_of_clause) + in_source.clause
            fits = enough_words(group, *terms_of_key(in_query.key), rules.n)
            in_query, in_source = in_query.select(fits), in_source.select(fits)
        worth = closeness(in_query.distance, in_source.distance, rules.decay, rules.reordered)
        return SharedTerms(
            query=np.tile(words.segment_of_clause()[in_query.clause], 2),
            source=np.tile(self._segment_of_clause[in_source.clause], 2),
            term=np.concatenate(terms_of_key(in_query.key)),
            worth=np.tile(worth, 2),
        )

    def _shared_pairs(self, pairs: WordPairs) -> tuple[WordPairs, WordPairs]:
        """Return the pairs of words that both sides have, without formulas, row by row."""
        if not len(self._keys) or not len(pairs):
            return pairs.select(slice(0)), self._pairs.select(slice(0))
        distinct, row = np.unique(pairs.key, return_inverse=True)
        place = np.minimum(np.searchsorted(self._keys, distinct), len(self._keys) - 1)
        fits = self._keys[place] == distinct
        known = place[fits]
        fits[fits] = self._formulas.passes(self._keys[known], self._clauses_with(known))
        rows = np.flatnonzero(fits[row])
        place = place[row[rows]]
        count = self._count[place]
        in_source = ranges(self._begin[place], count)
        return pairs.select(np.repeat(rows, count)), self._pairs.select(in_source)

    def _clauses_with(self, place: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of source clauses with each pair of words."""
        count = self._count[place]
        if self._rules.max_in_source is None or not len(place):
            return count
        clause = self._pairs.clause[ranges(self._begin[place], count)]
        # A clause with the pair in both orders has two rows, which follow each other.
        is_new = np.ones(len(clause), np.int64)
        is_new[1:] = clause[1:] != clause[:-1]
        first = np.cumsum(count) - count
        is_new[first] = 1
        return np.add.reduceat(is_new, first)

    def _pos_fit(
        self, pairs: WordPairs, has_pos: Callable[[NDArray[np.int32]], NDArray[np.bool_]]
    ) -> NDArray[np.bool_]:
        marked = has_pos(np.stack([pairs.form, pairs.other_form]))
        fits: NDArray[np.bool_] = marked.sum(axis=0) >= self._rules.pos_words
        return fits


def excluded_of(queries: PreparedDocument, begin: int) -> _Excluded:
    """Return which pairs are excluded, for queries that are counted from `begin`."""
    return lambda query, source: queries.excluded_pairs(query + begin, source)
