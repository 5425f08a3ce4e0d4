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
from locisimiles.index.finding import without
from locisimiles.latin import STOPWORDS, Frequencies
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.parameters import Parameters
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.terms import TermKind, check_term_kind, weighted_terms
from locisimiles.retrieve.vectors.bigrams import PairScorer, SourceWords, StoredWords, query_pairs

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
            shards = [StoredWords(shard, self.interval) for shard in stored.shards]
            return WordVectorIndex(self, shards, to_terms, texts.ties)
        words: list[list[str]] = []
        for part in texts.parts(_SOURCE_BATCH):
            progress("indexing", len(words), len(texts))
            words += content_words(to_terms, part)
        prepared = SourceWords.from_segments(words, self.interval)
        progress("indexing", len(texts), len(texts))
        return WordVectorIndex(self, [prepared], to_terms, texts.ties)


class WordVectorIndex:
    """Source segments, prepared for word vectors; returned by `WordVectorSearch.index`.

    Those on disk come in several shards, one after the other.
    """

    def __init__(
        self,
        settings: WordVectorSearch,
        shards: Sequence[SourceWords | StoredWords],
        to_terms: Callable[[TextPart], Terms],
        ties: NDArray[np.int64],
    ) -> None:
        self._settings = settings
        self._to_terms = to_terms
        self._ties = ties
        self._shards = [(source, self._matrix(source)) for source in shards]

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        scorers = [PairScorer(source, self._settings.best_pairs) for source, _ in self._shards]
        found: list[Found] = []
        for part in queries.parts(_QUERY_BATCH):
            progress("searching", len(found), len(queries))
            batch = content_words(self._to_terms, part)
            pairs = [query_pairs(words, self._settings.interval) for words in batch]
            words = sorted({word for own in pairs for pair in own for word in pair})
            similar = [self._similar(words, source, matrix) for source, matrix in self._shards]
            weights = self._weights(words)
            for own in pairs:
                scores = [
                    scorer.scores(own, likely, weights)
                    for scorer, likely in zip(scorers, similar, strict=True)
                ]
                together = scores[0] if len(scores) == 1 else np.concatenate(scores)
                excluded = queries.excluded(len(found))
                found.append(best(without(together, excluded), k, self._ties))
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)

    def _similar(
        self,
        words: Sequence[str],
        source: SourceWords | StoredWords,
        matrix: NDArray[np.float32],
    ) -> dict[str, SimilarWords]:
        """Return for each word the source words that are similar enough."""
        similar: dict[str, SimilarWords] = {}
        for begin in range(0, len(words), _WORDS_AT_A_TIME):
            some = words[begin : begin + _WORDS_AT_A_TIME]
            rows = cosines(self._steps(some), matrix)
            for word, own in zip(some, rows, strict=True):
                place = bisect_left(source.vocabulary, word)
                if source.vocabulary[place : place + 1] == [word]:
                    own[place] = 1
                enough = np.flatnonzero(own >= self._settings.least)
                similar[word] = enough, own[enough] ** np.float32(self._settings.sharpness)
        return similar

    def _weights(self, words: Sequence[str]) -> dict[str, float]:
        if self._settings.weighting == "equal":
            return dict.fromkeys(words, 1.0)
        frequencies = Frequencies.shipped()
        highest = math.log(frequencies.sentences)
        return {word: frequencies.rarity(word) / highest for word in words}

    def _matrix(self, source: SourceWords | StoredWords) -> NDArray[np.float32]:
        matrix = self._steps(source.vocabulary)
        # An index on disk has stop words too.
        matrix[[word in STOPWORDS for word in source.vocabulary]] = 0
        return matrix

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
