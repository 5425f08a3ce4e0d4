"""Which words of two texts match: the evidence of late interaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.late.pieces import STEPS
from locisimiles.late.scoring import Compared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.late.pieces import Pieces
    from locisimiles.late.scoring import Scoring

__all__ = ["WordMatch", "WordMatches", "match_words"]

_Span = tuple[int, int]


class WordMatch(NamedTuple):
    """A word of the query and the word of the source that contributes most to it.

    Attributes
    ----------
    query, source
        Their spans.
    cosine
        Their similarity in context: the mean over the pieces of the query's word of the nearest
        piece of the source's word.
    contribution
        What these pieces add to the score of a window that has them all.
    """

    query: _Span
    source: _Span
    cosine: float
    contribution: float


@dataclass(frozen=True, slots=True, eq=False)
class WordMatches:
    """The similarities of all words of a pair, from those of their pieces.

    Attributes
    ----------
    query_spans, source_spans
        The spans of the words.
    cosines
        A row per word of the query, a column per word of the source.
    contributions
        What each pair of words would add to the score.
    window
        The first word in the best window of the query, and the first after it.
    score
        The score of that window: the view ``window`` of the pair.
    """

    query_spans: tuple[_Span, ...]
    source_spans: tuple[_Span, ...]
    cosines: NDArray[np.float32]
    contributions: NDArray[np.float32]
    window: tuple[int, int]
    score: float

    def best(self, least: float = 0.3) -> list[WordMatch]:
        """Return the best match of each word of the query that has one with this cosine."""
        if not self.cosines.size:
            return []
        most = self.contributions.max(axis=1, keepdims=True)
        # Where nothing contributes, the nearest word will do.
        best = np.where(self.contributions == most, self.cosines, -np.inf).argmax(axis=1)
        return [
            WordMatch(
                self.query_spans[word],
                self.source_spans[other],
                float(self.cosines[word, other]),
                float(self.contributions[word, other]),
            )
            for word, other in enumerate(best.tolist())
            if self.cosines[word, other] >= least
        ]


def match_words(query: Pieces, source: Pieces, scoring: Scoring) -> WordMatches:
    """Compare the words of one text with those of another.

    Neighbouring pieces with the same span are one word.

    Examples
    --------
    Two words, the second of two pieces:

    >>> from locisimiles.late.scoring import Scoring
    >>> from locisimiles.late.pieces import Pieces
    >>> start, end = np.array([0, 4, 4], np.int32), np.array([3, 9, 9], np.int32)
    >>> rows = 127 * np.eye(3, dtype=np.int8)
    >>> weight, bounds, piece = np.array([2, 5, 3], np.float32), np.array([0, 3]), np.arange(3)
    >>> pieces = Pieces(rows, weight, start, end, bounds, piece.astype(np.int32))
    >>> found = match_words(pieces, pieces, Scoring())
    >>> [(match.query, match.source, match.contribution) for match in found.best()]
    [((0, 3), (0, 3), 2.0), ((4, 9), (4, 9), 8.0)]
    >>> found.score
    2.0
    """
    products = query.vectors.astype(np.float32) @ source.vectors.astype(np.float32).T
    query_first, source_first = _first_pieces(query), _first_pieces(source)
    nearest = np.maximum.reduceat(products, source_first, axis=1)
    cosines = np.add.reduceat(np.clip(nearest / np.float32(STEPS**2), -1, 1), query_first, axis=0)
    pieces = np.diff(query_first, append=len(query.vectors))[:, None]
    contributions = scoring.worth(nearest) * query.weight[:, None]
    window, score = _best_window(query, products, scoring)
    first, last = np.searchsorted(
        query_first, [window.start, window.stop - 1], side="right"
    ).tolist()
    return WordMatches(
        query_spans=_spans(query, query_first),
        source_spans=_spans(source, source_first),
        cosines=(cosines / pieces).astype(np.float32),
        contributions=np.add.reduceat(contributions, query_first, axis=0),
        window=(max(first - 1, 0), last),
        score=score,
    )


def _best_window(
    query: Pieces, products: NDArray[np.float32], scoring: Scoring
) -> tuple[range, float]:
    """Return the pieces of the window that scores best, and its score."""
    length = len(query.vectors)
    begin, score = 0, 0.0
    if products.size:
        highest = products.max(axis=1, keepdims=True)
        compared = Compared(scoring, query.weight, highest, {}, np.ones(1, bool))
        begin = int(compared.windows[:, 0].argmax())
        score = float(compared.windows[begin, 0] / np.float32(scoring.window))
    return range(begin, min(begin + scoring.window, length)), score


def _first_pieces(words: Pieces) -> NDArray[np.int64]:
    """Return the first piece of each word."""
    places = np.stack([words.start, words.end], axis=1)
    changes = (places[1:] != places[:-1]).any(axis=1)
    return np.flatnonzero(np.concatenate([np.ones(min(len(places), 1), bool), changes]))


def _spans(words: Pieces, first: NDArray[np.int64]) -> tuple[_Span, ...]:
    return tuple(zip(words.start[first].tolist(), words.end[first].tolist(), strict=True))
