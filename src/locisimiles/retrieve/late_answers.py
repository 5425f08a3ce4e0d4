"""Which words of two texts answer each other: the evidence of late interaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.retrieve.late_scoring import Compared
from locisimiles.retrieve.late_words import STEPS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.retrieve.late_scoring import Scoring
    from locisimiles.retrieve.late_words import Words

__all__ = ["Answer", "WordSimilarities", "compare_words"]

_Span = tuple[int, int]


class Answer(NamedTuple):
    """A word of the query and the word of the source that contributes most to it.

    Attributes
    ----------
    query, source
        Where they stand in their texts, as offsets of first and after-last character.
    cosine
        How similar they are in their contexts: the mean of the pieces of the query's word, each
        with the piece of the source's word that is nearest to it.
    contribution
        What these pieces add to the score of a window that has them all.
    """

    query: _Span
    source: _Span
    cosine: float
    contribution: float


@dataclass(frozen=True, slots=True, eq=False)
class WordSimilarities:
    """The similarities of all words of a pair, put together from those of their pieces.

    Attributes
    ----------
    query_spans, source_spans
        Where the words stand in their texts.
    cosines
        A row a word of the query, a column a word of the source.
    contributions
        What each of them would add to the score.
    window
        The first word that the best window of the query touches, and the first after it.
    score
        What it scores: the view ``window`` of the pair.
    """

    query_spans: tuple[_Span, ...]
    source_spans: tuple[_Span, ...]
    cosines: NDArray[np.float32]
    contributions: NDArray[np.float32]
    window: tuple[int, int]
    score: float

    def answers(self, least: float = 0.3) -> list[Answer]:
        """Return the word of the source that answers best, for each word of the query with one.

        Parameters
        ----------
        least
            The smallest cosine that is an answer.
        """
        if not self.cosines.size:
            return []
        most = self.contributions.max(axis=1, keepdims=True)
        # Where nothing contributes, the nearest is as good as any.
        best = np.where(self.contributions == most, self.cosines, -np.inf).argmax(axis=1)
        return [
            Answer(
                self.query_spans[word],
                self.source_spans[other],
                float(self.cosines[word, other]),
                float(self.contributions[word, other]),
            )
            for word, other in enumerate(best.tolist())
            if self.cosines[word, other] >= least
        ]


def compare_words(query: Words, source: Words, scoring: Scoring) -> WordSimilarities:
    """Compare the words of one text with those of another.

    Neighbouring pieces with the same place are one word.

    Examples
    --------
    Two words, the second of two pieces:

    >>> from locisimiles.retrieve.late_scoring import Scoring
    >>> from locisimiles.retrieve.late_words import Words
    >>> start, end = np.array([0, 4, 4], np.int32), np.array([3, 9, 9], np.int32)
    >>> rows = 127 * np.eye(3, dtype=np.int8)
    >>> weight, bounds, piece = np.array([2, 5, 3], np.float32), np.array([0, 3]), np.arange(3)
    >>> pieces = Words(rows, weight, start, end, bounds, piece.astype(np.int32))
    >>> found = compare_words(pieces, pieces, Scoring())
    >>> [(answer.query, answer.source, answer.contribution) for answer in found.answers()]
    [((0, 3), (0, 3), 2.0), ((4, 9), (4, 9), 8.0)]
    >>> found.score
    2.0
    """
    products = query.vectors.astype(np.float32) @ source.vectors.astype(np.float32).T
    asking, answering = _first_pieces(query), _first_pieces(source)
    nearest = np.maximum.reduceat(products, answering, axis=1)
    cosines = np.add.reduceat(np.clip(nearest / np.float32(STEPS**2), -1, 1), asking, axis=0)
    pieces = np.diff(asking, append=len(query.vectors))[:, None]
    contributions = scoring.worth(nearest) * query.weight[:, None]
    window, score = _best_window(query, source, products, scoring)
    first, last = np.searchsorted(asking, [window.start, window.stop - 1], side="right").tolist()
    return WordSimilarities(
        query_spans=_spans(query, asking),
        source_spans=_spans(source, answering),
        cosines=(cosines / pieces).astype(np.float32),
        contributions=np.add.reduceat(contributions, asking, axis=0),
        window=(max(first - 1, 0), last),
        score=score,
    )


def _best_window(
    query: Words, source: Words, products: NDArray[np.float32], scoring: Scoring
) -> tuple[range, float]:
    """Return the pieces of the window that scores best, and its score."""
    length = len(query.vectors)
    begin, score = 0, 0.0
    if products.size:
        whole = np.zeros(1, np.int64)
        compared = Compared(scoring, query.weight, source.weight, products, whole)
        begin = int(compared.windows[:, 0].argmax())
        score = float(compared.windows[begin, 0] / np.float32(scoring.window))
    return range(begin, min(begin + scoring.window, length)), score


def _first_pieces(words: Words) -> NDArray[np.int64]:
    """Return the first piece of each word."""
    places = np.stack([words.start, words.end], axis=1)
    changes = (places[1:] != places[:-1]).any(axis=1)
    return np.flatnonzero(np.concatenate([np.ones(min(len(places), 1), bool), changes]))


def _spans(words: Words, first: NDArray[np.int64]) -> tuple[_Span, ...]:
    return tuple(zip(words.start[first].tolist(), words.end[first].tolist(), strict=True))
