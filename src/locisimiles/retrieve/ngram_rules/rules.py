"""The retriever that finds segments by rules about shared words, and its index."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.candidates import Candidates
from locisimiles.checks import check_at_least, check_between, check_choice, check_whole
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument
from locisimiles.latin import STOPWORDS
from locisimiles.latin.clauses import HARD_STOPS
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.models.batches import ranges
from locisimiles.parameters import Parameters
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
from locisimiles.retrieve.ngram_rules.words import WordExtractor, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.index.lemmas import StoredLemmas
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.progress import Progress

    _Excluded = Callable[[NDArray[np.integer], NDArray[np.integer]], NDArray[np.bool_]]

__all__ = ["NgramIndex", "NgramRules"]

RuleTerms = Literal["lemma", "surface"]

_SOURCE_BATCH, _QUERY_BATCH = 8192, 512
_FEWEST_WORDS = 2
_WIDEST = 1000
_PARTS_OF_SPEECH = frozenset(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
)


@dataclass(frozen=True, slots=True)
class NgramRules(Parameters):
    r"""Find segments that share words close together in one clause, and rank them.

    After Schropp et al. and Revellio: a pair of segments is a candidate if a clause of each has at
    least `n` words in common, stop words left out, and each of these stands at most `window` words
    from another of them on both sides, in any order. Two shared words do not count if punctuation
    that ends a clause separates them (*scissa*), if they lack the required parts of speech, or if
    they are a formula: a common collocation, or words with similar vectors. Wherever they stand,
    `complura` shared words make a candidate too.

    The score is the rarity of the shared words, each reduced by the distance to its nearest
    companion among them:

    .. math:: \sum_{t} \log\frac{N}{n_t} \max_{u} \frac{\rho_{tu}}
              {1 + \delta\,(d^q_{tu} - 1 + d^s_{tu} - 1)}

    with :math:`n_t` of :math:`N` sentences of Latin containing the word (see
    `locisimiles.latin.Frequencies`), distances :math:`d` in query and source (1 for neighbours),
    :math:`\delta` for `decay`, and :math:`\rho` 1 if the two have the same order on both sides,
    else `reordered`. Words that count by `complura` alone score as one word beyond the window and
    reordered.

    Parameters
    ----------
    terms
        ``lemma`` or ``surface``; both with u for v and i for j, and without enclitics.
    n
        Minimum number of shared words.
    window
        Maximum distance of a shared word from another, stop words not counted: 1 for neighbours, 3
        for two words between them (the benchmark's definition of a verbatim reference).
    clause_ends
        The punctuation that ends a clause; if empty, nothing separates words.
    pos
        Parts of speech (UPOS); a shared pair must have `pos_words` of them on each side, by the
        most common analysis of each form.
    pos_words
        0 (any will do), 1, or 2.
    max_collocations
        Two words that stand together in more sentences of Latin are a formula; None for no limit.
    max_in_source
        Two words that stand together in more clauses of the source are a formula; None for no
        limit.
    vectors
        A function from a word (as in `terms`) to its vector, or None if it has none.
    max_similarity
        With `vectors`: two words whose vectors have a higher cosine are a formula.
    complura
        The number of shared words that make a candidate wherever they stand; None disables this.
    decay
        How much distance reduces the score of a word; 0 for not at all.
    reordered
        The factor for a pair in the other order, from 0 to 1.
    min_score
        Candidates with a lower score are left out.
    stopwords
        Lemmas that are left out.
    lemmatizer
        The lemmatizer: a name or a function, see `locisimiles.latin.choose_lemmatizer`.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> query = Document.from_segments([Segment("hier.", "Haesit uox faucibus")])
    >>> texts = ["et vox faucibus haesit", "vox; fauces"]  # a clause ends between the two words
    >>> source = Document.from_segments(Segment(str(n), text) for n, text in enumerate(texts))
    >>> NgramRules().index(source).search(query, k=10).source.tolist()
    [0]
    """

    terms: RuleTerms = "lemma"
    n: int = 2
    window: int = 3
    clause_ends: str = ".!?;:"
    pos: tuple[str, ...] = ("NOUN", "PROPN", "VERB", "ADJ", "X")
    pos_words: int = 1
    max_collocations: int | None = None
    max_in_source: int | None = None
    vectors: Callable[[str], NDArray[np.floating] | None] | None = None
    max_similarity: float = 0.3
    complura: int | None = 4
    decay: float = 0.5
    reordered: float = 0.75
    min_score: float = 0.0
    stopwords: frozenset[str] = STOPWORDS
    lemmatizer: str | LemmatizeFunction = "fast"

    def __post_init__(self) -> None:
        check_choice(get_args(RuleTerms), terms=self.terms)
        check_whole(n=self.n, window=self.window, pos_words=self.pos_words, complura=self.complura)
        check_whole(max_collocations=self.max_collocations, max_in_source=self.max_in_source)
        check_between(_FEWEST_WORDS, _WIDEST, n=self.n)
        check_between(1, _WIDEST, window=self.window)
        check_between(0, 2, pos_words=self.pos_words)
        check_at_least(0, max_collocations=self.max_collocations, max_in_source=self.max_in_source)
        check_at_least(1, complura=self.complura)
        check_between(-1, 1, max_similarity=self.max_similarity)
        check_between(0, 1, reordered=self.reordered)
        check_at_least(0, decay=self.decay, min_score=self.min_score)
        if isinstance(self.pos, str) or not set(self.pos) <= _PARTS_OF_SPEECH:
            raise ParameterError(
                "retrieve.parts_of_speech",
                value=str(self.pos),
                choices=", ".join(sorted(_PARTS_OF_SPEECH)),
            )
        if any(sign.isalnum() or sign.isspace() for sign in self.clause_ends):
            raise ParameterError("retrieve.clause_ends", value=self.clause_ends)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        chosen: dict[str, object] = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in ("vectors", "max_similarity", "stopwords", "lemmatizer", "pos")
        }
        chosen["pos"] = list(self.pos)
        if self.stopwords != STOPWORDS:
            chosen["stopwords"] = sorted(self.stopwords)
        if self.vectors is not None:
            name = getattr(self.vectors, "__qualname__", type(self.vectors).__qualname__)
            chosen |= {"vectors": name, "max_similarity": self.max_similarity}
        lemmas = describe_lemmatizer(self.lemmatizer) if self.terms == "lemma" else {}
        return {"name": "ngrams", **chosen, **lemmas}

    def index(
        self, source: Document, *, progress: Progress = silent
    ) -> NgramIndex | StoredNgramIndex:
        """Prepare source segments for searching."""
        # An extractor keeps the forms it has looked up; a function may change its answers.
        make = _extractor if isinstance(self.lemmatizer, str) else WordExtractor
        extractor = make(self.terms, self.lemmatizer, self.stopwords, self.clause_ends, self.pos)
        texts = PreparedDocument.of(source)
        stored = texts.lemma_rows(self.lemmatizer) if self._fits_stored() else None
        if stored is not None:
            return StoredNgramIndex(stored, self, extractor, texts.ties)
        parts: list[Words] = []
        for part in texts.parts(_SOURCE_BATCH):
            progress("indexing", len(parts) * _SOURCE_BATCH, len(texts))
            parts.append(extractor.extract(part))
        progress("indexing", len(texts), len(texts))
        words = Words.join(parts, _SOURCE_BATCH)
        return NgramIndex(words, self, extractor, texts.ties)

    def _fits_stored(self) -> bool:
        """Tell whether an index on disk has the words and clauses that these rules compare."""
        same_clauses = set(self.clause_ends) == set(HARD_STOPS)
        return self.terms == "lemma" and self.stopwords == STOPWORDS and same_clauses


_extractor = lru_cache(maxsize=2)(WordExtractor)


class NgramIndex:
    """Source segments, prepared for the rules; returned by `NgramRules.index`.

    It holds the segments of each word, and the clauses of each pair of words close together.
    `has_pos` tells which forms of the source have one of the parts of speech.
    """

    def __init__(
        self,
        words: Words,
        rules: NgramRules,
        extractor: WordExtractor,
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
        self._terms = TermPostings(words, len(ties))
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
        found: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        for part in queries.parts(_QUERY_BATCH):
            progress("searching", len(found), len(queries))
            words = self._extractor.extract(part)
            found += self.best(words, len(part.texts), k, _excluded(queries, len(found)))
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)

    def best(
        self, words: Words, queries: int, k: int, excluded: _Excluded
    ) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Return the best `k` segments for the words of each query, with their scores."""
        query, source, score = self._scores(words)
        kept = (score > 0) & (score >= self._rules.min_score) & ~excluded(query, source)
        ranked = Candidates.ranked(query[kept], source[kept], score[kept], self._ties)
        ranked = ranked.select(ranked.rank <= k)
        return [ranked.of_query(row) for row in range(queries)]

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


class StoredNgramIndex:
    """Source segments on disk; returned by `NgramRules.index`.

    Only the rows of the words of some queries are read, and searched as a source of their own: all
    that two texts share is in these.
    """

    def __init__(
        self,
        stored: StoredLemmas,
        rules: NgramRules,
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
        found: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        for part in queries.parts(_QUERY_BATCH):
            progress("searching", len(found), len(queries))
            words = self._extractor.extract(part)
            source = self._words_like(words)
            index = NgramIndex(source, self._rules, self._extractor, self._ties, self._has_pos)
            found += index.best(words, len(part.texts), k, _excluded(queries, len(found)))
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)

    def _words_like(self, words: Words) -> Words:
        """Return all occurrences of the words of some queries; forms are parts of speech."""
        names = self._extractor.vocabulary.terms
        terms = [(term, names[term]) for term in np.unique(words.term).tolist()]
        parts: list[Words] = []
        clauses = places = 0
        for begin, shard in zip(self._stored.begins, self._stored.shards, strict=False):
            tags = np.array([self._tags.index(tag) for tag in shard.tags], np.int32)
            known = np.array(
                [
                    (term, number)
                    for term, name in terms
                    if (number := shard.number(name)) is not None
                ],
                np.int64,
            ).reshape(-1, 2)
            term, lemma = known.T
            names_of_columns = ("segment", "clause", "place", "tag")
            segment, clause, place, tag = shard.columns(lemma, *names_of_columns)
            order = np.argsort(place)
            parts.append(
                Words(
                    np.repeat(term, np.diff(shard.bounds)[lemma])[order],
                    segment[order] + np.int32(begin),
                    clause[order] + np.int64(clauses),
                    tags[tag[order]],
                    place[order] + np.int64(places),
                )
            )
            clauses += shard.clauses
            places += len(shard.segment_of_place)
        return Words.together(parts)

    def _has_pos(self, tag: NDArray[np.int32]) -> NDArray[np.bool_]:
        fits = np.array([name in self._rules.pos for name in self._tags], bool)
        return fits[tag]


def _excluded(queries: PreparedDocument, begin: int) -> _Excluded:
    """Return which pairs are excluded, for queries that are counted from `begin`."""
    return lambda query, source: queries.excluded_pairs(query + begin, source)
