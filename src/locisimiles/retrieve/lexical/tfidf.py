"""TF-IDF with cosine similarity, over words or lemmas and their n-grams."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import tie_order
from locisimiles.checks import check_at_least
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.parameters import Parameters
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.counting import SparseIndex, TermCounter
from locisimiles.retrieve.lexical.postings import Postings, TermCounts
from locisimiles.retrieve.lexical.terms import (
    Terms,
    WordTerms,
    check_term_kind,
    uses_lemmas,
    weighted_terms,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.index import TextPart
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.progress import Progress

__all__ = ["TfIdf"]

_NGRAMS = ((1, 1), (1, 2))


@dataclass(frozen=True, slots=True)
class TfIdf(Parameters):
    r"""Rank source segments by the cosine of their weighted terms with those of the query.

    A term that occurs :math:`f` times in a segment, and in :math:`n_t` of the :math:`N` source
    segments, weighs

    .. math:: (1 + \log f) \Bigl(\log\frac{1 + N}{1 + n_t} + 1\Bigr)

    and the weights of a segment are scaled to length 1. Only the most common terms of the sources
    are used, in alphabetical order among equally common ones. These are the scores of
    scikit-learn's ``TfidfVectorizer``, fitted on the sources, over our terms.

    Parameters
    ----------
    terms
        What is compared: any kind of term that BM25 takes; analyses count in full here.
    ngrams
        The shortest and the longest n-gram: (1, 1) for single terms, (1, 2) for neighbouring pairs
        as well.
    sublinear_tf
        Use the logarithm of the number of occurrences.
    max_features
        Maximum number of terms and n-grams.
    lemmatizer
        The lemmatizer: a name or a function, see `locisimiles.latin.choose_lemmatizer`.

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

    def __post_init__(self) -> None:
        check_term_kind(self.terms)
        if self.ngrams not in _NGRAMS:
            raise ParameterError("retrieve.ngrams", value=str(self.ngrams))
        check_at_least(1, max_features=self.max_features)

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
        counts = counter.count_source(PreparedDocument.of(source), progress)
        counts, numbers = self._most_common(counts, counter.numbers)
        counter.fix(numbers)
        containing = np.bincount(counts.term, minlength=len(numbers))
        rarity = np.log((1 + counts.texts) / (1 + containing)) + 1
        postings = Postings(counts, self._weights(counts, rarity), len(numbers))
        weigh = partial(self._weights, rarity=rarity)
        return SparseIndex(postings, tie_order(source.ids), counter, weigh)

    def _features(self) -> Callable[[TextPart], Terms]:
        """Return the function from texts to terms, with neighbouring pairs if they count."""
        to_terms = weighted_terms(self.terms, self.lemmatizer)
        if isinstance(to_terms, WordTerms) and self.ngrams == (1, 1):
            return to_terms

        def features(part: TextPart) -> Terms:
            terms = to_terms(part).terms
            if self.ngrams != (1, 1):
                terms = [
                    [*text, *(f"{one} {other}" for one, other in pairwise(text))] for text in terms
                ]
            return Terms(terms, None)

        return features

    def _most_common(
        self, counts: TermCounts, numbers: dict[str, int]
    ) -> tuple[TermCounts, dict[str, int]]:
        """Keep the most common terms, in alphabetical order among equally common ones."""
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
