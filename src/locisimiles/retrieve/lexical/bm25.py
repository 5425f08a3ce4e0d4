"""BM25 over words, lemmas, or what else may be a term."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.progress import silent
from locisimiles.retrieve.candidates import tie_break
from locisimiles.retrieve.lexical.counting import TermCounter
from locisimiles.retrieve.lexical.postings import Postings, TermCounts
from locisimiles.retrieve.lexical.terms import check_term_kind, uses_lemmas, weighted_terms
from locisimiles.retrieve.sparse_index import SparseIndex, check_workers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.progress import Progress

__all__ = ["BM25"]

_BATCH = 256


@dataclass(frozen=True, slots=True)
class BM25:
    r"""Rank source segments by the rarity of the terms they share with the query.

    The score of a source segment :math:`s` for a query :math:`q` is

    .. math:: \sum_{t \in q} \log\Bigl(1 + \frac{N - n_t + 0.5}{n_t + 0.5}\Bigr)
              \frac{f_{t,s}}{f_{t,s} + k_1 (1 - b + b\,|s| / \overline{|s|})}

    with :math:`N` segments, of which :math:`n_t` contain the term (Lucene's variant).

    Parameters
    ----------
    terms
        What is compared: ``lemma``, ``surface``, ``readings``, ``bigrams``, ``skipgrams`` or
        ``characters``, or several, as in ``lemma+characters``; see `locisimiles.retrieve.lexical.terms`.
    k1
        How soon further occurrences of a term stop counting.
    b
        How much long segments are held back, from 0 to 1.
    lemmatizer
        Whose lemmas: a name or a function, see `locisimiles.latin.choose_lemmatizer`. By default
        the commonest reading, so that a form has the same lemma wherever it stands.
    workers
        How many processes search thousands of queries together, where cores are free for them.
        What is found does not depend on it.

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
    workers: int = field(default=1, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_term_kind(self.terms)
        check_workers(self.workers)
        if not 0 <= self.k1 < math.inf:
            raise ParameterError(f"k1={self.k1} is no positive number", hint="1.2 to 2 is usual")
        if not 0 <= self.b <= 1:
            raise ParameterError(f"b={self.b} is not between 0 and 1", hint="0.75 is usual")

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        lemmas = describe_lemmatizer(self.lemmatizer) if uses_lemmas(self.terms) else {}
        return {"name": "bm25", "terms": self.terms, "k1": self.k1, "b": self.b, **lemmas}

    def index(self, source: Document, *, progress: Progress = silent) -> SparseIndex:
        """Prepare source segments for searching."""
        counter = TermCounter(weighted_terms(self.terms, self.lemmatizer))
        parts = []
        for begin in range(0, len(source), _BATCH):
            progress("indexing", begin, len(source))
            parts.append(counter.count(source.texts[begin : begin + _BATCH]))
        progress("indexing", len(source), len(source))
        # In the order of the alphabet, so that sums do not depend on the order of the sources.
        counts, numbers = TermCounts.join(parts).in_order(counter.numbers)
        counter.fix(numbers)
        postings = Postings(counts, self._weights(counts, len(numbers)), len(numbers))

        def weigh(texts: Sequence[str]) -> tuple[TermCounts, NDArray[np.float64]]:
            of_queries = counter.count(texts)
            return of_queries, of_queries.count

        return SparseIndex(postings, tie_break(source.ids), weigh, self.workers)

    def _weights(self, counts: TermCounts, terms: int) -> NDArray[np.float64]:
        containing = np.bincount(counts.term, minlength=terms)
        rarity = np.log(1 + (counts.texts - containing + 0.5) / (containing + 0.5))
        lengths = counts.lengths
        average = lengths.mean() if lengths.any() else 1.0
        norm = self.k1 * (1 - self.b + self.b * lengths / average)
        weights: NDArray[np.float64] = (
            rarity[counts.term] * counts.count / (counts.count + norm[counts.text])
        )
        return weights
