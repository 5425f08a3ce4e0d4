"""The retriever that finds segments by rules about shared words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from locisimiles.index import PreparedDocument
from locisimiles.progress import silent
from locisimiles.retrieve.ngram_rules.index import NgramIndex
from locisimiles.retrieve.ngram_rules.settings import RuleSettings
from locisimiles.retrieve.ngram_rules.words import WordReader

if TYPE_CHECKING:
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.lexical.terms import TermKind

__all__ = ["NgramRules"]


@dataclass(frozen=True, slots=True)
class NgramRules(RuleSettings):
    r"""Find segments that share words close together in one clause, and rank them.

    After Schropp et al. and Revellio: a pair of segments is a candidate if a clause of each has at
    least `n` words in common, function words left out, and each of these stands at most `window`
    words from another of them on both sides, in any order. Two shared words are no such pair if
    punctuation that ends a clause cuts them apart (*scissa*), if they lack the parts of speech
    asked for, or if they are a formula: a common collocation, or words that are alike by their
    vectors. Whatever their places, `complura` shared words make a candidate too.

    The score is the rarity of the shared words, each held back by the distance to its nearest
    companion among them:

    .. math:: \sum_{t} \log\frac{N}{n_t} \max_{u} \frac{\rho_{tu}}
              {1 + \delta\,(d^q_{tu} - 1 + d^s_{tu} - 1)}

    with :math:`n_t` of :math:`N` sentences of Latin containing the word (see
    `locisimiles.latin.Frequencies`), distances :math:`d` in query and source (1 for neighbours),
    :math:`\delta` for `decay`, and :math:`\rho` 1 if the two have the same order on both sides,
    else `reordered`. Words that count by `complura` alone are taken as one word beyond the window
    and reordered.

    Parameters
    ----------
    terms
        ``lemma`` or ``surface``; both with u for v and i for j, and without enclitics.
    n
        How many words must be shared.
    window
        How far a shared word may stand from another, function words not counted: 1 for neighbours,
        3 for two words between them (the benchmark's definition of a verbatim reference).
    clause_ends
        The punctuation that ends a clause; empty, and nothing cuts words apart.
    pos
        Parts of speech (UPOS) of which a shared pair must have `pos_words` on each side, by the
        commonest reading of each form.
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
        So many shared words make a candidate wherever they stand; None for no such rule.
    decay
        How much distance holds a word back; 0 for not at all.
    reordered
        What a pair in the other order is worth, from 0 to 1.
    min_score
        Candidates with a lower score are left out.
    stopwords
        Lemmas that are left out.
    lemmatizer
        Whose lemmas: a name or a function, see `locisimiles.latin.choose_lemmatizer`.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> source = Document.from_segments(
    ...     [Segment("verg.", "obstipui, et vox faucibus haesit"), Segment("cic.", "vox; fauces")]
    ... )
    >>> query = Document.from_segments([Segment("hier.", "Haesit uox faucibus")])
    >>> candidates = NgramRules().index(source).search(query, k=10)
    >>> [source.ids[position] for position in candidates.source]
    ['verg.']
    """

    def index(self, source: Document, *, progress: Progress = silent) -> NgramIndex:
        """Prepare source segments for searching."""
        # A reader remembers every form it has judged; only named lemmatizers stay what they are.
        make = _reader if isinstance(self.lemmatizer, str) else WordReader
        reader = make(self.terms, self.lemmatizer, self.stopwords, self.clause_ends, self.pos)
        return NgramIndex.build(PreparedDocument.of(source), self, reader, progress)


@lru_cache(maxsize=2)
def _reader(
    terms: TermKind,
    lemmatizer: str,
    stopwords: frozenset[str],
    clause_ends: str,
    pos: tuple[str, ...],
) -> WordReader:
    return WordReader(terms, lemmatizer, stopwords, clause_ends, pos)
