"""The retriever that finds segments by rules about shared words."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING

from locisimiles.index import PreparedDocument
from locisimiles.latin import STOPWORDS
from locisimiles.latin.clauses import HARD_STOPS
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.progress import silent
from locisimiles.retrieve.ngram_rules.searching import NgramIndex
from locisimiles.retrieve.ngram_rules.settings import RuleSettings
from locisimiles.retrieve.ngram_rules.shared_terms import TermPostings
from locisimiles.retrieve.ngram_rules.stored import StoredNgramIndex
from locisimiles.retrieve.ngram_rules.words import WordExtractor, Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["NgramRules"]

_SOURCE_BATCH = 8192


@dataclass(frozen=True, slots=True)
class NgramRules(RuleSettings):
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
        postings = TermPostings(words, len(texts))
        return NgramIndex(words, postings, self, extractor, ties=texts.ties)

    def _fits_stored(self) -> bool:
        """Tell whether an index on disk has the words and clauses that these rules compare."""
        same_clauses = set(self.clause_ends) == set(HARD_STOPS)
        return self.terms == "lemma" and self.stopwords == STOPWORDS and same_clauses


_extractor = lru_cache(maxsize=2)(WordExtractor)
