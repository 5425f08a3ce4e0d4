"""Source segments as vectors of pieces: search them, score pairs, compare words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from locisimiles.candidates import Candidates, best
from locisimiles.checks import check_at_least, check_choice, check_pairs
from locisimiles.index import PreparedDocument
from locisimiles.index.finding import best_of_texts, without
from locisimiles.late.matches import match_words
from locisimiles.late.pieces import PieceEncoder
from locisimiles.late.scoring import VIEWS, score_texts
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.candidates import Found
    from locisimiles.corpus import Document
    from locisimiles.late.first_stage import PieceLists
    from locisimiles.late.matches import WordMatches
    from locisimiles.late.pieces import EncodedTexts, Pieces, PieceWeights
    from locisimiles.late.scoring import Scoring
    from locisimiles.late.stored import StoredLists, StoredPieces
    from locisimiles.progress import Progress

__all__ = ["LateIndex"]

_REPORT_EVERY = 16  # queries
_Excluded = NDArray[np.bool_] | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LateIndex:
    """Source segments as vectors of pieces, returned by `Late.index`.

    `pieces` are those of the distinct source texts, `lists` those of the first stage, if there is
    one; `row_of_source` and `ties` are the text and the place in the tie order of each segment.
    """

    encoder: PieceEncoder
    weights: PieceWeights
    scoring: Scoring
    depth: int
    pieces: Pieces | StoredPieces
    lists: PieceLists | StoredLists | None
    row_of_source: NDArray[np.int64]
    ties: NDArray[np.int64]

    def reweighted(self, weights: PieceWeights) -> LateIndex:
        """Return the same segments with other weights of pieces.

        Vectors are shared; the first stage keeps the weights it was built with.
        """
        return replace(self, weights=weights, pieces=self.pieces.weighted(weights))

    @property
    def nbytes(self) -> int:
        """The memory that pieces and lists take, in bytes."""
        return self.pieces.nbytes + (self.lists.nbytes if self.lists else 0)

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment.

        Those that the first stage ranks below `Late.depth` come last, in its order.
        """
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        encoded = self.encoder.encode_prepared(queries, progress, "query")
        pieces = encoded.pieces.weighted(self.weights)

        def scored() -> Iterator[tuple[int, NDArray[np.float32]]]:
            for number, scores in enumerate(self._scores(pieces)):
                if number % _REPORT_EVERY == 0:
                    progress("searching", number, len(pieces))
                yield number, scores
            progress("searching", len(pieces), len(pieces))

        def chosen(text: tuple[int, NDArray[np.float32]], excluded: _Excluded) -> Found:
            number, scores = text
            if self.lists is not None:
                query = pieces.of(number)
                scores = self._refined(query, self._open(scores, excluded))
            return best(without(scores[self.row_of_source], excluded), k, self.ties)

        rows = [encoded.rows[text] for text in queries.texts]
        return Candidates.join(best_of_texts(queries, rows, scored(), chosen))

    def _open(self, scores: NDArray[np.float32], excluded: _Excluded) -> NDArray[np.float32]:
        """Return the scores of texts with 0 for those whose segments are all excluded."""
        if excluded is None:
            return scores
        found = np.zeros_like(scores)
        texts = self.row_of_source[~excluded]
        found[texts] = scores[texts]
        return found

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
        for view in views:
            check_choice(VIEWS, view=view)
        queries = PreparedDocument.of(queries)
        query, source = np.asarray(query, np.int64), np.asarray(source, np.int64)
        check_pairs(query, source, len(queries), len(self.row_of_source))
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
            texts = self.row_of_source[source[pairs]]
            query_pieces = pieces.of(encoded.rows[queries.texts[position]])
            own, texts = self.pieces.picked(texts)
            columns[:, pairs] = score_texts(query_pieces, own, texts, self.scoring, views)
        progress("scoring", len(positions), len(positions))
        return dict(zip(views, columns, strict=True))

    def match(self, query: str, source: str) -> WordMatches:
        """Return how similar the words of two texts are, and where they stand.

        Any two texts can be compared; pieces weigh as much as they do in this source.
        """
        encoder = PieceEncoder(self.encoder.encoder, EmbeddingCache(None))
        encoded = encoder.encode_distinct([query, source], silent, "pair")
        pieces = encoded.pieces.weighted(self.weights)
        query_pieces, source_pieces = (pieces.of(encoded.rows[text]) for text in (query, source))
        return match_words(query_pieces, source_pieces, self.scoring)

    def _encoded(
        self, queries: PreparedDocument, positions: NDArray[np.int64], progress: Progress
    ) -> EncodedTexts:
        """Return the pieces of some queries; after a search, all are known."""
        known = self.encoder.known(queries)
        if known is not None:
            return known
        if len(positions) == len(queries):
            return self.encoder.encode_prepared(queries, progress, "query")
        texts = [queries.texts[position] for position in positions.tolist()]
        return self.encoder.encode_distinct(texts, progress, "query")

    def _scores(self, queries: Pieces) -> Iterator[NDArray[np.float32]]:
        """Yield for each query the scores of all distinct texts, estimated if there are lists."""
        if self.lists is None:
            everything = np.arange(len(self.pieces))
            for number in range(len(queries)):
                query = queries.of(number)
                own, texts = self.pieces.picked(everything, weigh=False)
                yield score_texts(query, own, texts, self.scoring)[0]
            return
        yield from self.lists.scores(queries, self.scoring)

    def _refined(self, query: Pieces, estimate: NDArray[np.float32]) -> NDArray[np.float32]:
        """Score the best of the first stage exactly, and put the rest below them."""
        likely, _ = best(estimate, self.depth, np.arange(len(estimate)))
        if not len(likely):
            return estimate
        own, texts = self.pieces.picked(likely, weigh=False)
        exact = score_texts(query, own, texts, self.scoring)[0]
        # Neither group depends on k: the first ten of ten are the first ten of a thousand.
        estimate[likely] = 0
        highest = estimate.max()
        if highest > 0:
            estimate *= exact[exact > 0].min(initial=np.inf) / highest * np.float32(0.5)
        estimate[likely] = exact
        return estimate
