"""Rules about shared words in an index on disk: only what some queries may share is read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Candidates, Found
from locisimiles.checks import check_at_least
from locisimiles.index import PreparedDocument
from locisimiles.progress import silent
from locisimiles.retrieve.ngram_rules.pairs import terms_of_key, word_pairs
from locisimiles.retrieve.ngram_rules.searching import QUERY_BATCH, NgramIndex, excluded_of
from locisimiles.retrieve.ngram_rules.shared_terms import StoredTermPostings
from locisimiles.retrieve.ngram_rules.words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.index.lemmas import LemmaShard, StoredLemmas
    from locisimiles.progress import Progress
    from locisimiles.retrieve.ngram_rules.settings import RuleSettings
    from locisimiles.retrieve.ngram_rules.words import WordExtractor

__all__ = ["StoredNgramIndex"]

_COLUMNS = ("segment", "clause", "place", "tag")


class StoredNgramIndex:
    """Source segments on disk; returned by `NgramRules.index`.

    Of the words of some queries, only those are read that stand close to another with which they
    stand close together in a query; they are searched as a source of their own.
    """

    def __init__(
        self,
        stored: StoredLemmas,
        rules: RuleSettings,
        extractor: WordExtractor,
        ties: NDArray[np.int64],
    ) -> None:
        self._stored = stored
        self._rules = rules
        self._extractor = extractor
        self._ties = ties
        self._tags = sorted({tag for shard in stored.shards for tag in shard.tags})

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        found: list[Found] = []
        postings = StoredTermPostings(self._stored, self._extractor.vocabulary.terms)
        for part in queries.parts(QUERY_BATCH):
            progress("searching", len(found), len(queries))
            words = self._extractor.extract(part)
            close = self._close_together(words)
            index = NgramIndex(
                close,
                postings,
                self._rules,
                self._extractor,
                ties=self._ties,
                has_pos=self._has_pos,
            )
            found += index.best(words, len(part.texts), k, excluded_of(queries, len(found)))
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)

    def _close_together(self, words: Words) -> Words:
        """Return the source words that may make a pair of the queries; forms are parts of speech.

        They lack pairs that no query has, and words without a partner, which nothing asks for.
        """
        one, other = terms_of_key(np.unique(word_pairs(words, self._rules.window).key))
        terms = np.unique(np.concatenate([one, other]))
        names = [self._extractor.vocabulary.terms[term] for term in terms.tolist()]
        together = np.zeros((len(terms), len(terms)), np.bool_)
        one, other = np.searchsorted(terms, one), np.searchsorted(terms, other)
        together[one, other] = together[other, one] = True
        parts = []
        segments = clauses = places = 0
        for shard in self._stored.shards:
            own, (segment, clause, place, tag) = self._near(shard, names, together)
            tags = np.array([self._tags.index(tag) for tag in shard.tags], np.int32)
            parts.append(
                Words(
                    terms[own],
                    segment + np.int32(segments),
                    clause + np.int64(clauses),
                    tags[tag],
                    place + np.int64(places),
                )
            )
            segments += len(shard.lengths)
            clauses += shard.clauses
            places += len(shard.segment_of_place)
        found = Words.together(parts)
        # Clauses without such words are not counted.
        return replace(found, clause=np.unique(found.clause, return_inverse=True)[1])

    def _near(
        self, shard: LemmaShard, names: Sequence[str], together: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], list[NDArray[np.int32]]]:
        """Return the words of a shard that stand close to a partner, in the order of the texts.

        They come as numbers of their names, and columns; some have no partner in their clause.
        """
        number, count = shard.rows(names)
        known = np.flatnonzero(count)
        (place,) = shard.columns(number[known], "place")
        # Each place has one word, so this sorts the places, and faster than sorting does.
        at_place = np.zeros(len(shard.segment_of_place) + 1, np.int32)
        at_place[place] = np.arange(1, len(place) + 1)
        filled = np.flatnonzero(at_place)
        row = at_place[filled].astype(np.int64) - 1
        word = np.repeat(known, count[known])[row]
        is_near = np.zeros(len(filled), np.bool_)
        flat = together.reshape(-1)
        for step in range(1, min(self._rules.window, len(filled) - 1) + 1):
            fits = flat[word[:-step] * len(names) + word[step:]]
            fits &= filled[step:] - filled[:-step] <= self._rules.window
            is_near[:-step] |= fits
            is_near[step:] |= fits
        word, row = word[is_near], row[is_near]
        before = np.cumsum(count) - count
        return word, shard.at(row + (shard.bounds[number] - before)[word], *_COLUMNS)

    def _has_pos(self, tag: NDArray[np.int32]) -> NDArray[np.bool_]:
        fits = np.array([name in self._rules.pos for name in self._tags], bool)
        return fits[tag]
