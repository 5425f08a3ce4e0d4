"""Search for pairs of words of similar meaning, by word vectors (Word2Vec, fastText)."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.candidates import Candidates, Found, best
from locisimiles.checks import check_at_least, check_choice, check_positive
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument
from locisimiles.latin import STOPWORDS, Frequencies
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.parameters import Parameters
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.terms import TermKind, check_term_kind, weighted_terms
from locisimiles.retrieve.vectors.bigrams import PairScorer, query_pairs
from locisimiles.retrieve.vectors.word_places import SourceWords

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.index import TextPart
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.models.vectors import WordVectors
    from locisimiles.progress import Progress
    from locisimiles.retrieve.lexical.terms import Terms
    from locisimiles.retrieve.vectors.bigrams import SimilarWords

__all__ = ["Weighting", "WordVectorSearch", "cosines"]

Weighting = Literal["equal", "rarity"]

_SOURCE_BATCH, _QUERY_BATCH = 8192, 128
_WORDS_AT_A_TIME = 512
_MOST_KEPT = 1 << 21  # words that are similar to words of queries
_STEPS = 2047
"""Cosines are computed in whole numbers: products of unit vectors in 2047 steps stay below 2²⁴,
where float32 is exact, so they do not depend on the order of additions."""


@dataclass(frozen=True, slots=True)
class WordVectorSearch(Parameters):
    r"""Rank source segments by pairs of words that are similar to pairs of the query.

    Pairs of content words that stand close together in the query are compared with such pairs in
    the source. Their similarity is the mean of the cosines of the words, paired in whichever order
    is better (Burns et al. 2021):

    .. math:: s(a b, c d) = \tfrac12 \max\bigl(\cos(a, c) + \cos(b, d),
              \cos(a, d) + \cos(b, c)\bigr)

    A query pair has the similarity of the best pair in a segment, and the score of a segment is the
    mean of its `best_pairs` best query pairs. Cosines are raised to the power `sharpness`, so the
    same word scores clearly more than a similar one, and with ``weighting="rarity"`` each is
    multiplied by the rarity of the query's word, :math:`\log(N / n_a) / \log N`, from counts of 48
    million words. The search of Burns et al. is ``weighting="equal", sharpness=1, best_pairs=1``.

    Parameters
    ----------
    vectors
        Word2Vec vectors; or fastText vectors, which cover unknown words by their subwords.
    interval
        Maximum number of content words between the two of a pair, on both sides.
    best_pairs
        The number of query pairs whose mean is the score.
    least
        Minimum cosine of two words that match.
    weighting
        ``rarity``, or ``equal``.
    sharpness
        The power of the cosines.
    subwords
        Whether words without a vector get one from their subwords, if the vectors have any. A word
        without a vector is similar only to itself.
    terms
        The words of the vectors: ``lemma`` or ``surface``.
    lemmatizer
        The lemmatizer; see `locisimiles.latin.choose_lemmatizer`.

    Examples
    --------
    >>> import numpy as np
    >>> from locisimiles import Document, Segment
    >>> from locisimiles.models.vectors import WordVectors
    >>> vectors = WordVectors.from_matrix(
    ...     ["uox", "sermo", "faux", "haereo"],
    ...     np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 1, 0], [0, 0, 1]], np.float32),
    ... )
    >>> source = Document.from_segments([Segment("a", "vox haesit"), Segment("b", "fauces tacent")])
    >>> query = Document.from_segments([Segment("q", "haeret sermo")])
    >>> search = WordVectorSearch(vectors, weighting="equal", sharpness=1)
    >>> candidates = search.index(source).search(query, k=10)
    >>> [source.ids[row] for row in candidates.source], candidates.score.round(3)
    (['a'], array([0.9], dtype=float32))
    """

    vectors: WordVectors
    interval: int = 2
    best_pairs: int = 1
    least: float = 0.4
    weighting: Weighting = "rarity"
    sharpness: float = 3.0
    subwords: bool = True
    terms: TermKind = "lemma"
    lemmatizer: str | LemmatizeFunction = "fast"

    def __post_init__(self) -> None:
        check_term_kind(self.terms)
        check_at_least(0, interval=self.interval)
        check_at_least(1, best_pairs=self.best_pairs)
        check_choice(get_args(Weighting), weighting=self.weighting)
        if not 0 < self.least <= 1:
            raise ParameterError("retrieve.least_cosine", value=str(self.least))
        check_positive(sharpness=self.sharpness)
        if self.weighting == "rarity" and self.terms != "lemma":
            raise ParameterError("retrieve.rarity_of_lemmas")

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "name": "fasttext" if self._uses_subwords else "word2vec",
            "vectors_sha256": self.vectors.fingerprint(),
            "interval": self.interval,
            "best_pairs": self.best_pairs,
            "least": self.least,
            "weighting": self.weighting,
            "sharpness": self.sharpness,
            "terms": self.terms,
            **(describe_lemmatizer(self.lemmatizer) if self.terms == "lemma" else {}),
        }

    @property
    def _uses_subwords(self) -> bool:
        return self.subwords and self.vectors.subwords is not None

    def index(self, source: Document, *, progress: Progress = silent) -> WordVectorIndex:
        """Prepare source segments for searching."""
        texts = PreparedDocument.of(source)
        to_terms = weighted_terms(self.terms, self.lemmatizer)
        stored = texts.lemma_rows(self.lemmatizer) if self.terms == "lemma" else None
        if stored is not None:
            prepared = SourceWords.from_shards(stored.shards, self.interval)
            return WordVectorIndex(self, prepared, to_terms, texts.ties)
        words: list[list[str]] = []
        for part in texts.parts(_SOURCE_BATCH):
            progress("indexing", len(words), len(texts))
            words += content_words(to_terms, part)
        prepared = SourceWords.from_segments(words, self.interval)
        progress("indexing", len(texts), len(texts))
        return WordVectorIndex(self, prepared, to_terms, texts.ties)


class WordVectorIndex:
    """Source segments, prepared for word vectors; returned by `WordVectorSearch.index`."""

    def __init__(
        self,
        settings: WordVectorSearch,
        source: SourceWords,
        to_terms: Callable[[TextPart], Terms],
        ties: NDArray[np.int64],
    ) -> None:
        self._settings = settings
        self._source = source
        self._to_terms = to_terms
        self._ties = ties
        # A word without a vector is similar to itself alone.
        matrix = self._steps(source.vocabulary)
        self._with_vector = np.flatnonzero(matrix.any(axis=1))
        self._matrix = matrix[self._with_vector]
        self._known: dict[str, SimilarWords] = {}
        self._kept = 0

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        scorer = PairScorer(self._source, self._settings.best_pairs)
        found: list[Found] = []
        for part in queries.parts(_QUERY_BATCH):
            progress("searching", len(found), len(queries))
            batch = content_words(self._to_terms, part)
            pairs = [query_pairs(words, self._settings.interval) for words in batch]
            words = sorted({word for own in pairs for pair in own for word in pair})
            similar, weights = self._similar(words), self._weights(words)
            for own in pairs:
                excluded = queries.excluded(len(found))
                segments, scores = scorer.best(own, similar, weights, k, excluded)
                first, values = best(scores, k, self._ties[segments])
                found.append((segments[first], values))
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)

    def _similar(self, words: Sequence[str]) -> Mapping[str, SimilarWords]:
        """Return for each word the source words that are similar enough."""
        if self._kept > _MOST_KEPT:
            self._known.clear()
            self._kept = 0
        new = [word for word in words if word not in self._known]
        for begin in range(0, len(new), _WORDS_AT_A_TIME):
            some = new[begin : begin + _WORDS_AT_A_TIME]
            rows = cosines(self._steps(some), self._matrix)
            for word, own in zip(some, rows, strict=True):
                self._known[word] = self._enough(word, own)
                self._kept += len(self._known[word][0])
        return self._known

    def _enough(self, word: str, own: NDArray[np.float32]) -> SimilarWords:
        """Return the source words that are similar enough, given the cosines; itself comes last."""
        rows = np.flatnonzero(own >= self._settings.least)
        similar, values = self._with_vector[rows], own[rows] ** np.float32(self._settings.sharpness)
        place = bisect_left(self._source.vocabulary, word)
        if self._source.vocabulary[place : place + 1] != [word]:
            return similar, values
        others = similar != place
        return np.append(similar[others], place), np.append(values[others], np.float32(1))

    def _weights(self, words: Sequence[str]) -> dict[str, float]:
        if self._settings.weighting == "equal":
            return dict.fromkeys(words, 1.0)
        frequencies = Frequencies.shipped()
        highest = math.log(frequencies.sentences)
        return {word: frequencies.rarity(word) / highest for word in words}

    def _steps(self, words: Sequence[str]) -> NDArray[np.float32]:
        vectors = self._settings.vectors
        unit = vectors.unit(words, use_subwords=self._settings.subwords)
        steps: NDArray[np.float32] = np.rint(unit * _STEPS)
        return steps


def content_words(to_terms: Callable[[TextPart], Terms], part: TextPart) -> list[list[str]]:
    """Return the words of each text, without stop words."""
    return [[term for term in terms if term not in STOPWORDS] for terms in to_terms(part).terms]


def cosines(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosines of unit vectors in steps, never above 1."""
    products = one @ other.T
    products /= np.float32(_STEPS**2)
    found: NDArray[np.float32] = np.minimum(products, np.float32(1), out=products)
    return found
