"""TF-IDF with cosine similarity, over words or lemmas and runs of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.progress import silent
from locisimiles.retrieve.candidates import tie_break
from locisimiles.retrieve.lexical.counting import TermCounter
from locisimiles.retrieve.lexical.postings import Postings, TermCounts
from locisimiles.retrieve.lexical.terms import (
    Terms,
    WordTerms,
    check_term_kind,
    uses_lemmas,
    weighted_terms,
)
from locisimiles.retrieve.sparse_index import SparseIndex, check_workers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.progress import Progress

__all__ = ["TfIdf"]

_BATCH = 256
_NGRAMS = ((1, 1), (1, 2))


@dataclass(frozen=True, slots=True)
class TfIdf:
    r"""Rank source segments by the cosine of their weighted terms with those of the query.

    A term that occurs :math:`f` times in a segment, and in :math:`n_t` of the :math:`N` source
    segments, weighs

    .. math:: (1 + \log f) \Bigl(\log\frac{1 + N}{1 + n_t} + 1\Bigr)

    and the weights of a segment are scaled to length 1. Only the commonest terms of the sources are
    used; the first in the alphabet among equally common ones. These are the scores of
    scikit-learn's ``TfidfVectorizer``, fitted on the sources, over our terms.

    Parameters
    ----------
    terms
        What is compared, of any kind that BM25 knows; readings count in full here.
    ngrams
        The shortest and the longest run of terms that counts: (1, 1) for single terms, (1, 2) for
        pairs of neighbours as well.
    sublinear_tf
        Whether the logarithm of occurrences is taken, instead of their number.
    max_features
        How many terms and runs are used at most.
    lemmatizer
        Whose lemmas: a name or a function, see `locisimiles.latin.choose_lemmatizer`.
    workers
        How many processes search thousands of queries together, where cores are free for them.
        What is found does not depend on it.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> source = Document.from_segments(
    ...     [Segment("verg.", "et vox faucibus haesit"), Segment("cic.", "o tempora, o mores")]
    ... )
    >>> query = Document.from_segments([Segment("hier.", "Haesit uox faucibus et")])
    >>> TfIdf().index(source).search(query, k=10).score.tolist()
    [1.0]
    """

    terms: str = "lemma"
    ngrams: tuple[int, int] = (1, 1)
    sublinear_tf: bool = True
    max_features: int = 50_000
    lemmatizer: str | LemmatizeFunction = "fast"
    workers: int = field(default=1, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_term_kind(self.terms)
        check_workers(self.workers)
        if self.ngrams not in _NGRAMS:
            raise ParameterError(
                f"ngrams={self.ngrams} cannot be counted", hint="choose (1, 1) or (1, 2)"
            )
        if self.max_features < 1:
            raise ParameterError(f"max_features={self.max_features} leaves no term")

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        lemmas = describe_lemmatizer(self.lemmatizer) if uses_lemmas(self.terms) else {}
        return {
            "name": "tfidf",
            "terms": self.terms,
            "ngrams": list(self.ngrams),
            "sublinear_tf": self.sublinear_tf,
            "max_features": self.max_features,
            **lemmas,
        }

    def index(self, source: Document, *, progress: Progress = silent) -> SparseIndex:
        """Prepare source segments for searching."""
        counter = TermCounter(self._features())
        parts = []
        for begin in range(0, len(source), _BATCH):
            progress("indexing", begin, len(source))
            parts.append(counter.count(source.texts[begin : begin + _BATCH]))
        progress("indexing", len(source), len(source))
        counts, numbers = TermCounts.join(parts).in_order(counter.numbers)
        counts, numbers = self._commonest(counts, numbers)
        counter.fix(numbers)
        containing = np.bincount(counts.term, minlength=len(numbers))
        rarity = np.log((1 + counts.texts) / (1 + containing)) + 1
        postings = Postings(counts, self._weights(counts, rarity), len(numbers))

        def weigh(texts: Sequence[str]) -> tuple[TermCounts, NDArray[np.float64]]:
            of_queries = counter.count(texts)
            return of_queries, self._weights(of_queries, rarity)

        return SparseIndex(postings, tie_break(source.ids), weigh, self.workers)

    def _features(self) -> Callable[[Sequence[str]], Terms]:
        """Return what gives single terms, and pairs of neighbours where they count."""
        to_terms = weighted_terms(self.terms, self.lemmatizer)
        if isinstance(to_terms, WordTerms) and self.ngrams == (1, 1):
            return to_terms

        def features(texts: Sequence[str]) -> Terms:
            terms = to_terms(texts).terms
            if self.ngrams != (1, 1):
                terms = [
                    [*own, *(f"{one} {other}" for one, other in pairwise(own))] for own in terms
                ]
            return Terms(terms, None)

        return features

    def _commonest(
        self, counts: TermCounts, numbers: dict[str, int]
    ) -> tuple[TermCounts, dict[str, int]]:
        """Keep the commonest features; the first in the alphabet among equally common ones."""
        if len(numbers) <= self.max_features:
            return counts, numbers
        total = np.bincount(counts.term, counts.count, minlength=len(numbers))
        kept = np.sort(np.argsort(-total, kind="stable")[: self.max_features])
        new = np.full(len(numbers), -1, np.int64)
        new[kept] = np.arange(len(kept))
        rows = new[counts.term] >= 0
        left = TermCounts(
            counts.text[rows], new[counts.term[rows]], counts.count[rows], counts.texts
        )
        return left, {term: int(new[at]) for term, at in numbers.items() if new[at] >= 0}

    def _weights(self, counts: TermCounts, rarity: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weights of terms in texts, scaled so that each text has length 1."""
        often = 1 + np.log(counts.count) if self.sublinear_tf else counts.count
        weight = often * rarity[counts.term]
        length = np.sqrt(np.bincount(counts.text, weight**2, minlength=counts.texts))
        scaled: NDArray[np.float64] = weight / length[counts.text]
        return scaled
