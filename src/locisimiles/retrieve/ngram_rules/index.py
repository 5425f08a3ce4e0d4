"""Source segments, prepared for the rules: an inverted index of words and pairs of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Candidates, tie_order
from locisimiles.checks import check_at_least
from locisimiles.index import PreparedDocument
from locisimiles.models.batches import ranges
from locisimiles.progress import silent
from locisimiles.retrieve.ngram_rules.pairs import WordPairs, terms_of_key, word_pairs
from locisimiles.retrieve.ngram_rules.shared_terms import (
    SharedTerms,
    TermPostings,
    closeness,
    enough_words,
    total_scores,
)
from locisimiles.retrieve.ngram_rules.vocabulary import FormulaFilter
from locisimiles.retrieve.ngram_rules.words import Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.ngram_rules.rules import NgramRules
    from locisimiles.retrieve.ngram_rules.words import WordExtractor

__all__ = ["NgramIndex"]

_SOURCE_BATCH = 8192
_QUERY_BATCH = 512


class NgramIndex:
    """Source segments, prepared for the rules; returned by `NgramRules.index`.

    It holds the segments of each word, and the clauses of each pair of words close together.
    """

    def __init__(
        self, words: Words, rules: NgramRules, extractor: WordExtractor, ties: NDArray[np.int64]
    ) -> None:
        self._rules = rules
        self._extractor = extractor
        self._ties = ties
        self._segment_of_clause = words.segment_of_clause()
        self._pairs = word_pairs(words, rules.window)
        # Each distinct pair of words, the first of its rows, and their number.
        self._keys, self._begin, self._count = np.unique(
            self._pairs.key, return_index=True, return_counts=True
        )
        self._terms = TermPostings(words, len(ties))
        self._formulas = FormulaFilter(rules, extractor.vocabulary)

    @classmethod
    def build(
        cls,
        source: PreparedDocument,
        rules: NgramRules,
        extractor: WordExtractor,
        progress: Progress,
    ) -> NgramIndex:
        """Index source segments."""
        parts: list[Words] = []
        for part in source.parts(_SOURCE_BATCH):
            progress("indexing", len(parts) * _SOURCE_BATCH, len(source))
            parts.append(extractor.extract(part))
        progress("indexing", len(source), len(source))
        return cls(Words.join(parts, _SOURCE_BATCH), rules, extractor, tie_order(source.ids))

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        found: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        for part in queries.parts(_QUERY_BATCH):
            progress("searching", len(found), len(queries))
            query, source, score = self._scores(self._extractor.extract(part))
            kept = (score > 0) & (score >= self._rules.min_score)
            ranked = Candidates.ranked(query[kept], source[kept], score[kept], self._ties)
            ranked = ranked.select(ranked.rank <= k)
            found += [ranked.of_query(row) for row in range(len(part.texts))]
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)

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
            fits = self._pos_fit(in_query) & self._pos_fit(in_source)
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

    def _pos_fit(self, pairs: WordPairs) -> NDArray[np.bool_]:
        marked = self._extractor.has_pos(np.stack([pairs.form, pairs.other_form]))
        fits: NDArray[np.bool_] = marked.sum(axis=0) >= self._rules.pos_words
        return fits
