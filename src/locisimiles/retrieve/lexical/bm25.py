"""BM25 over words, lemmas or other terms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_at_least, check_between
from locisimiles.index import PreparedDocument
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.parameters import Parameters
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.counting import SparseIndex, TermCounter
from locisimiles.retrieve.lexical.postings import Postings, StoredPostings
from locisimiles.retrieve.lexical.terms import check_term_kind, uses_lemmas, weighted_terms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.progress import Progress
    from locisimiles.retrieve.lexical.postings import TermCounts

__all__ = ["BM25"]


@dataclass(frozen=True, slots=True)
class BM25(Parameters):
    r"""Rank source segments by the rarity of the terms they share with the query.

    The score of a source segment :math:`s` for a query :math:`q` is

    .. math:: \sum_{t \in q} \log\Bigl(1 + \frac{N - n_t + 0.5}{n_t + 0.5}\Bigr)
              \frac{f_{t,s}}{f_{t,s} + k_1 (1 - b + b\,|s| / \overline{|s|})}

    with :math:`N` segments, of which :math:`n_t` contain the term (Lucene's variant).

    Parameters
    ----------
    terms
        What is compared: ``lemma``, ``surface``, ``analyses``, ``bigrams``, ``skipgrams`` or
        ``characters``, or several, as in ``lemma+characters``; see
        `locisimiles.retrieve.lexical.terms`.
    k1
        How slowly repeated occurrences of a term saturate.
    b
        How much long segments are penalised, from 0 to 1.
    lemmatizer
        The lemmatizer: a name or a function, see `locisimiles.latin.choose_lemmatizer`. By default
        the most common analysis, so a form has the same lemma everywhere.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> source = Document.from_segments(
    ...     [Segment("verg.", "et vox faucibus haesit"), Segment("cic.", "o tempora, o mores")]
    ... )
    >>> query = Document.from_segments([Segment("hier.", "Haesit uox faucibus")])
    >>> candidates = BM25().index(source).search(query, k=10)
    >>> [source.ids[position] for position in candidates.source]
    ['verg.']
    """

    terms: str = "lemma"
    k1: float = 1.5
    b: float = 0.75
    lemmatizer: str | LemmatizeFunction = "fast"

    def __post_init__(self) -> None:
        check_term_kind(self.terms)
        check_at_least(0, k1=self.k1)
        check_between(0, 1, b=self.b)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        lemmas = describe_lemmatizer(self.lemmatizer) if uses_lemmas(self.terms) else {}
        return {"name": "bm25", "terms": self.terms, "k1": self.k1, "b": self.b, **lemmas}

    def index(self, source: Document, *, progress: Progress = silent) -> SparseIndex:
        """Prepare source segments for searching."""
        texts = PreparedDocument.of(source)
        counter = TermCounter(weighted_terms(self.terms, self.lemmatizer))
        stored = texts.lemma_rows(self.lemmatizer) if self.terms == "lemma" else None
        if stored is not None:
            lengths = stored.lengths
            of_length = self._norm(
                np.arange(lengths.max(initial=0) + 1, dtype=np.float64), _mean(lengths)
            )
            weigh = partial(
                self._stored_weights, length=lengths.astype(np.int32), of_length=of_length
            )
            on_disk = StoredPostings(stored, counter.numbers, weigh)
            return SparseIndex(on_disk, texts.ties, counter, lambda query: query.count)
        counts = counter.count_source(texts, progress)
        terms = len(counter.numbers)
        postings = Postings(counts, self._weights(counts, terms), terms)
        return SparseIndex(postings, texts.ties, counter, lambda query: query.count)

    def rarity(self, containing: NDArray[np.int64], texts: int) -> NDArray[np.float64]:
        """Return what terms weigh, by the number of the texts that contain them."""
        weights: NDArray[np.float64] = np.log(1 + (texts - containing + 0.5) / (containing + 0.5))
        return weights

    def _stored_weights(
        self,
        text: NDArray[np.int64],
        count: NDArray[np.int32],
        length: NDArray[np.int32],
        of_length: NDArray[np.float64],
    ) -> NDArray[np.float32]:
        """Return the weights of one term in the texts that have it, given what lengths add."""
        rarity = self.rarity(np.array([len(text)]), len(length))
        own = length[text]
        # Most texts have a term once, and then all of a length give it the same weight.
        weights: NDArray[np.float32] = (rarity / (1 + of_length)).astype(np.float32)[own]
        more = np.flatnonzero(count > 1)
        often = count[more]
        weights[more] = rarity * often / (often + of_length[own[more]])
        return weights

    def _weights(self, counts: TermCounts, terms: int) -> NDArray[np.float64]:
        containing = np.bincount(counts.term, minlength=terms)
        rarity = self.rarity(containing, counts.texts)
        norm = self._norm(counts.lengths, _mean(counts.lengths))
        weights: NDArray[np.float64] = (
            rarity[counts.term] * counts.count / (counts.count + norm[counts.text])
        )
        return weights

    def _norm(self, lengths: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
        """Return what texts of some lengths add to the count of a term."""
        norm: NDArray[np.float64] = self.k1 * (1 - self.b + self.b * lengths / mean)
        return norm


def _mean(lengths: NDArray[np.float64]) -> float:
    """Return the mean length of texts; 1 if all are empty."""
    return float(lengths.mean()) if lengths.any() else 1.0
