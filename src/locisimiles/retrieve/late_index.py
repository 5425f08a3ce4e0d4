"""Source segments as vectors: search them, score pairs, compare words."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.progress import silent
from locisimiles.retrieve.candidates import Candidates, best
from locisimiles.retrieve.late_answers import compare_words
from locisimiles.retrieve.late_scoring import VIEWS, check_views, score_texts
from locisimiles.retrieve.late_words import WordReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.late_answers import WordSimilarities
    from locisimiles.retrieve.late_first_stage import WordLists
    from locisimiles.retrieve.late_scoring import Scoring
    from locisimiles.retrieve.late_words import PieceWeights, Words

__all__ = ["LateIndex", "length_first"]

_REPORT_EVERY = 16  # queries


class LateIndex:
    """Source segments as vectors of pieces of words; made by `Late.index`.

    Attributes
    ----------
    weights
        How much pieces of words count.
    """

    def __init__(
        self,
        reader: WordReader,
        weights: PieceWeights,
        *,
        scoring: Scoring,
        depth: int,
        words: Words,
        lists: WordLists | None,
        row_of_source: NDArray[np.int64],
        places: NDArray[np.int64],
    ) -> None:
        self._scoring = scoring
        self._depth = depth
        self._reader = reader
        self.weights = weights
        self._words = words
        self._lists = lists
        self._row_of_source = row_of_source
        self._places = places
        # Pairs are mostly scored after they were searched: their queries are known then.
        self._last: tuple[dict[str, int], Words] = {}, words

    def reweighted(self, weights: PieceWeights) -> LateIndex:
        """Return the same segments, in which pieces of words count differently.

        Vectors are shared. What the first stage finds is still weighed as it was.
        """
        other = copy(self)
        words = self._words.weighted(weights)
        vars(other).update(weights=weights, _words=words, _last=({}, words))
        return other

    @property
    def pieces(self) -> int:
        """How many pieces of words the distinct texts of the source have."""
        return len(self._words.vectors)

    @property
    def nbytes(self) -> int:
        """How many bytes of memory pieces and lists take."""
        return self._words.nbytes + (self._lists.nbytes if self._lists else 0)

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment.

        Those that the first stage ranks below `Late.depth` come after all others, in its order.
        """
        if k < 1:
            raise ParameterError(f"k={k} asks for no candidates", hint="1 is the least")
        rows, words = self._read(queries.texts, progress)
        found = []
        for number, scores in enumerate(self._scores(words)):
            if number % _REPORT_EVERY == 0:
                progress("searching", number, len(words))
            found.append(best(scores[self._row_of_source], k, self._places))
        progress("searching", len(words), len(words))
        return Candidates.join([found[rows[text]] for text in queries.texts])

    def score(
        self,
        queries: Document,
        query: NDArray[np.int64],
        source: NDArray[np.int64],
        *,
        views: Sequence[str] = tuple(VIEWS),
        progress: Progress = silent,
    ) -> dict[str, NDArray[np.float64]]:
        """Return several exact scores of given pairs, as columns.

        Parameters
        ----------
        queries
            The query segments.
        query, source
            The pairs, as positions in the two documents.
        views
            Which scores: ``window`` is that of `search`, ``narrow`` and ``wide`` the same with a
            narrower and a wider window; ``local`` wants the answers close together in the source
            too; ``second`` and ``third`` add the two or three best pieces of the best window;
            ``whole`` and ``answered`` are the shares of the query's and of the source's weight
            that are answered.

        Raises
        ------
        ParameterError
            If there is no such view, or a position is none of the documents.
        """
        check_views(views)
        query, source = np.asarray(query, np.int64), np.asarray(source, np.int64)
        _check_positions(query, source, len(queries), len(self._row_of_source))
        columns = np.zeros((len(views), len(query)), np.float64)
        asked, number = np.unique(query, return_inverse=True)
        texts_asked = [queries.texts[place] for place in asked.tolist()]
        last = self._last
        known = last[0].keys() >= set(texts_asked)
        rows, words = last if known else self._read(texts_asked, progress)
        order = np.argsort(number, kind="stable")
        bounds = np.searchsorted(number[order], np.arange(len(asked) + 1)).tolist()
        for done, place in enumerate(asked.tolist()):
            if done % _REPORT_EVERY == 0:
                progress("scoring", done, len(asked))
            own = order[bounds[done] : bounds[done + 1]]
            texts = self._row_of_source[source[own]]
            words_of_query = words.of(rows[queries.texts[place]])
            columns[:, own] = score_texts(words_of_query, self._words, texts, self._scoring, views)
        progress("scoring", len(asked), len(asked))
        return dict(zip(views, columns, strict=True))

    def similarities(self, query: str, source: str) -> WordSimilarities:
        """Return how similar the words of two texts are, and where they stand.

        Any two texts can be compared; pieces of words count as much as they do in this source.
        """
        texts = sorted({query, source}, key=length_first)
        reader = WordReader(self._reader.encoder, EmbeddingCache(None))
        words = reader.read(texts, silent, "pair").weighted(self.weights)
        own, other = (words.of(texts.index(text)) for text in (query, source))
        return compare_words(own, other, self._scoring)

    def _read(self, texts: Sequence[str], progress: Progress) -> tuple[dict[str, int], Words]:
        """Return the words of the distinct texts of queries, and which row each text is."""
        distinct = sorted(set(texts), key=length_first)
        words = self._reader.read(distinct, progress, "query").weighted(self.weights)
        self._last = {text: row for row, text in enumerate(distinct)}, words
        return self._last

    def _scores(self, queries: Words) -> Iterator[NDArray[np.float32]]:
        """Yield for each query the scores of all distinct texts."""
        everything = np.arange(len(self._words))
        if self._lists is None:
            for number in range(len(queries)):
                own = queries.of(number)
                yield score_texts(own, self._words, everything, self._scoring)[0]
            return
        estimates = self._lists.scores(queries, self._scoring)
        for number, estimate in enumerate(estimates):
            yield self._refined(queries.of(number), estimate)

    def _refined(self, query: Words, estimate: NDArray[np.float32]) -> NDArray[np.float32]:
        """Score the best of the first stage exactly, and put the rest below them."""
        likely, _ = best(estimate, self._depth, np.arange(len(estimate)))
        if not len(likely):
            return estimate
        exact = score_texts(query, self._words, likely, self._scoring)[0]
        # What depends on how many are asked for would make the first ten of ten others than
        # those of a thousand; so the order of the two groups is fixed.
        estimate[likely] = 0
        highest = estimate.max()
        if highest > 0:
            estimate *= exact[exact > 0].min(initial=np.inf) / highest * np.float32(0.5)
        estimate[likely] = exact
        return estimate


def length_first(text: str) -> tuple[int, str]:
    """Return what texts are ordered by: those of a length together are encoded faster."""
    return len(text), text


def _check_positions(
    query: NDArray[np.int64], source: NDArray[np.int64], queries: int, sources: int
) -> None:
    if len(query) != len(source):
        raise ParameterError(f"{len(query)} queries and {len(source)} sources are no pairs")
    for name, column, most in (("query", query, queries), ("source", source, sources)):
        if len(column) and not 0 <= column.min() <= column.max() < most:
            raise ParameterError(f"a pair points beyond the {most} {name} segments")
