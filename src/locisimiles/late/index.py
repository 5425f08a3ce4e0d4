"""Source segments as vectors of pieces: search them, score pairs, compare words."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Candidates, best, check_pairs
from locisimiles.checks import check_at_least
from locisimiles.index import PreparedDocument
from locisimiles.late.matches import match_words
from locisimiles.late.pieces import PieceEncoder
from locisimiles.late.scoring import VIEWS, check_views, score_texts
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.late.first_stage import PieceLists
    from locisimiles.late.matches import WordMatches
    from locisimiles.late.pieces import EncodedTexts, Pieces, PieceWeights
    from locisimiles.late.scoring import Scoring
    from locisimiles.progress import Progress

__all__ = ["LateIndex"]

_REPORT_EVERY = 16  # queries


class LateIndex:
    """Source segments as vectors of pieces; made by `Late.index`.

    Attributes
    ----------
    weights
        The weights of pieces.
    """

    def __init__(
        self,
        encoder: PieceEncoder,
        weights: PieceWeights,
        *,
        scoring: Scoring,
        depth: int,
        pieces: Pieces,
        lists: PieceLists | None,
        row_of_source: NDArray[np.int64],
        ties: NDArray[np.int64],
    ) -> None:
        self._encoder = encoder
        self.weights = weights
        self._scoring = scoring
        self._depth = depth
        self._pieces = pieces
        self._lists = lists
        self._row_of_source = row_of_source
        self._ties = ties

    def reweighted(self, weights: PieceWeights) -> LateIndex:
        """Return the same segments with other weights of pieces.

        Vectors are shared; the first stage keeps the weights it was built with.
        """
        other = copy(self)
        other.weights, other._pieces = weights, self._pieces.weighted(weights)  # noqa: SLF001
        return other

    @property
    def pieces(self) -> int:
        """The number of pieces in the distinct texts of the source."""
        return len(self._pieces.vectors)

    @property
    def nbytes(self) -> int:
        """The memory that pieces and lists take, in bytes."""
        return self._pieces.nbytes + (self._lists.nbytes if self._lists else 0)

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment.

        Those that the first stage ranks below `Late.depth` come after all others, in its order.
        """
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        encoded = self._encoder.encode_prepared(queries, progress, "query")
        pieces = encoded.pieces.weighted(self.weights)
        found = []
        for number, scores in enumerate(self._scores(pieces)):
            if number % _REPORT_EVERY == 0:
                progress("searching", number, len(pieces))
            found.append(best(scores[self._row_of_source], k, self._ties))
        progress("searching", len(pieces), len(pieces))
        return Candidates.join([found[encoded.rows[text]] for text in queries.texts])

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
            narrower and a wider window; ``local`` demands that the matches are close together in
            the source too; ``second`` and ``third`` sum the two or three best pieces of the best
            window; ``whole`` and ``answered`` are the shares of the query's and of the source's
            weight that have a match.
        progress
            Called every few queries.

        Raises
        ------
        ParameterError
            If a view is unknown, or a position lies outside the documents.
        """
        check_views(views)
        queries = PreparedDocument.of(queries)
        query, source = np.asarray(query, np.int64), np.asarray(source, np.int64)
        check_pairs(query, source, len(queries), len(self._row_of_source))
        columns = np.zeros((len(views), len(query)), np.float64)
        positions, number = np.unique(query, return_inverse=True)
        encoded = self._encoded(queries, positions, progress)
        pieces = encoded.pieces.weighted(self.weights)
        order = np.argsort(number, kind="stable")
        bounds = np.searchsorted(number[order], np.arange(len(positions) + 1)).tolist()
        for done, position in enumerate(positions.tolist()):
            if done % _REPORT_EVERY == 0:
                progress("scoring", done, len(positions))
            pairs = order[bounds[done] : bounds[done + 1]]
            texts = self._row_of_source[source[pairs]]
            query_pieces = pieces.of(encoded.rows[queries.texts[position]])
            columns[:, pairs] = score_texts(query_pieces, self._pieces, texts, self._scoring, views)
        progress("scoring", len(positions), len(positions))
        return dict(zip(views, columns, strict=True))

    def match(self, query: str, source: str) -> WordMatches:
        """Return how similar the words of two texts are, and where they stand.

        Any two texts can be compared; pieces weigh as much as they do in this source.
        """
        encoder = PieceEncoder(self._encoder.encoder, EmbeddingCache(None))
        encoded = encoder.encode_distinct([query, source], silent, "pair")
        pieces = encoded.pieces.weighted(self.weights)
        query_pieces, source_pieces = (pieces.of(encoded.rows[text]) for text in (query, source))
        return match_words(query_pieces, source_pieces, self._scoring)

    def _encoded(
        self, queries: PreparedDocument, positions: NDArray[np.int64], progress: Progress
    ) -> EncodedTexts:
        """Return the pieces of some queries; all of them are known after a search."""
        known = self._encoder.known(queries)
        if known is not None:
            return known
        if len(positions) == len(queries):
            return self._encoder.encode_prepared(queries, progress, "query")
        texts = [queries.texts[position] for position in positions.tolist()]
        return self._encoder.encode_distinct(texts, progress, "query")

    def _scores(self, queries: Pieces) -> Iterator[NDArray[np.float32]]:
        """Yield for each query the scores of all distinct texts."""
        if self._lists is None:
            everything = np.arange(len(self._pieces))
            for number in range(len(queries)):
                query = queries.of(number)
                yield score_texts(query, self._pieces, everything, self._scoring)[0]
            return
        for number, estimate in enumerate(self._lists.scores(queries, self._scoring)):
            yield self._refined(queries.of(number), estimate)

    def _refined(self, query: Pieces, estimate: NDArray[np.float32]) -> NDArray[np.float32]:
        """Score the best of the first stage exactly, and put the rest below them."""
        likely, _ = best(estimate, self._depth, np.arange(len(estimate)))
        if not len(likely):
            return estimate
        exact = score_texts(query, self._pieces, likely, self._scoring)[0]
        # The two groups do not depend on k: so the first ten of ten are those of a thousand.
        estimate[likely] = 0
        highest = estimate.max()
        if highest > 0:
            estimate *= exact[exact > 0].min(initial=np.inf) / highest * np.float32(0.5)
        estimate[likely] = exact
        return estimate
