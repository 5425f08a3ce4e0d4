"""TF-IDF with cosine similarity, over words or lemmas and runs of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.progress import silent
from locisimiles.retrieve.candidates import Candidates, best, tie_break
from locisimiles.retrieve.terms import check_term_kind, term_function, uses_lemmas

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.progress import Progress
    from locisimiles.retrieve.terms import TermFunction

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

    def index(self, source: Document, *, progress: Progress = silent) -> TfIdfIndex:
        """Prepare source segments for searching."""
        to_terms = term_function(self.terms, self.lemmatizer)
        terms: list[list[str]] = []
        for begin in range(0, len(source), _BATCH):
            progress("indexing", begin, len(source))
            terms += to_terms(source.texts[begin : begin + _BATCH])
        progress("indexing", len(source), len(source))
        return TfIdfIndex(self, terms, to_terms, tie_break(source.ids))


class TfIdfIndex:
    """Source segments, prepared for TF-IDF; made by `TfIdf.index`.

    Features are numbers: those of a term and of the runs that begin with it are neighbours, so
    that their order is that of the alphabet. For each feature in use, the segments that have it
    and its weights there lie side by side.
    """

    def __init__(
        self,
        method: TfIdf,
        source_terms: Sequence[Sequence[str]],
        to_terms: TermFunction,
        places: NDArray[np.int64],
    ) -> None:
        self._method = method
        self._to_terms = to_terms
        self._places = places
        words = sorted({term for terms in source_terms for term in terms})
        self._number = {word: number for number, word in enumerate(words)}
        row, feature, count = self._count(source_terms)
        self._features = self._commonest(feature, count)
        column, known = self._columns(feature)
        row, column, count = row[known], column[known], count[known]
        frequency = np.bincount(column, minlength=len(self._features))
        self._idf = np.log((1 + len(source_terms)) / (1 + frequency)) + 1
        weight = self._weights(row, column, count)
        order = np.argsort(column, kind="stable")
        self._bounds = np.concatenate([[0], np.cumsum(frequency)])
        self._row, self._weight = row[order].astype(np.int32), weight[order].astype(np.float32)

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        if k < 1:
            raise ParameterError(f"k={k} asks for no candidates", hint="1 is the least")
        found = []
        for begin in range(0, len(queries), _BATCH):
            progress("searching", begin, len(queries))
            for scores in self._scores(self._to_terms(queries.texts[begin : begin + _BATCH])):
                found.append(best(scores, k, self._places))  # noqa: PERF401
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)

    def _scores(self, queries: Sequence[Sequence[str]]) -> Iterable[NDArray[np.float32]]:
        row, feature, count = self._count(queries)
        column, known = self._columns(feature)
        row, column, count = row[known], column[known], count[known]
        weight = self._weights(row, column, count)
        ends = np.searchsorted(row, np.arange(len(queries) + 1))
        for begin, end in pairwise(ends):
            scores = np.zeros(len(self._places))
            for at in range(begin, end):
                postings = slice(self._bounds[column[at]], self._bounds[column[at] + 1])
                # A segment stands among the postings of a feature once, so nothing is lost.
                scores[self._row[postings]] += weight[at] * self._weight[postings]
            yield scores.astype(np.float32)

    def _count(
        self, texts: Sequence[Sequence[str]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return text, feature and occurrences of each feature in each text, in that order."""
        lengths = np.array([len(terms) for terms in texts], np.int64)
        number = self._number
        word = np.array([number.get(term, -1) for terms in texts for term in terms], np.int64)
        row = np.repeat(np.arange(len(texts)), lengths)
        step = len(number) + 1
        feature = word * step
        known = word >= 0
        rows, features = row[known], feature[known]
        if self._method.ngrams == _NGRAMS[1]:
            neighbours = (row[:-1] == row[1:]) & known[:-1] & known[1:]
            rows = np.concatenate([rows, row[:-1][neighbours]])
            features = np.concatenate([features, (feature[:-1] + word[1:] + 1)[neighbours]])
        order = np.lexsort((features, rows))
        rows, features = rows[order], features[order]
        first = np.flatnonzero(
            np.diff(rows, prepend=-1).astype(bool) | np.diff(features, prepend=-1).astype(bool)
        )
        return rows[first], features[first], np.diff(first, append=len(rows))

    def _commonest(self, feature: NDArray[np.int64], count: NDArray[np.int64]) -> NDArray[np.int64]:
        features, place = np.unique(feature, return_inverse=True)
        total = np.bincount(place, count, minlength=len(features))
        return np.sort(features[np.argsort(-total, kind="stable")[: self._method.max_features]])

    def _columns(self, feature: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the place of each feature among those in use, and whether it is."""
        column = np.searchsorted(self._features, feature)
        column[column == len(self._features)] = 0
        if not len(self._features):
            return column, np.zeros(len(feature), np.bool_)
        return column, self._features[column] == feature

    def _weights(
        self, row: NDArray[np.int64], column: NDArray[np.int64], count: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        weight = (1 + np.log(count) if self._method.sublinear_tf else count) * self._idf[column]
        length = np.sqrt(np.bincount(row, weight**2))
        scaled: NDArray[np.float64] = weight / length[row]
        return scaled
