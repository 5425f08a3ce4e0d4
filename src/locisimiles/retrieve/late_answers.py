"""Which words of two texts answer each other: the evidence of late interaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.retrieve.late_words import STEPS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.retrieve.late_scoring import Scoring
    from locisimiles.retrieve.late_words import Words

__all__ = ["Answer", "WordSimilarities", "compare_words"]

_Span = tuple[int, int]


class Answer(NamedTuple):
    """A word of the query and the word of the source that is nearest to it.

    Attributes
    ----------
    query, source
        Where they stand in their texts, as offsets of first and after-last character.
    cosine
        How similar they are in their contexts.
    contribution
        What that adds to the score of a window.
    """

    query: _Span
    source: _Span
    cosine: float
    contribution: float


@dataclass(frozen=True, slots=True, eq=False)
class WordSimilarities:
    """The similarities of all words of a pair.

    Attributes
    ----------
    query_spans, source_spans
        Where the words stand in their texts.
    cosines
        A row a word of the query, a column a word of the source.
    contributions
        What each of them would add to the score.
    window
        The first word of the window of the query that scores best, and the first after it.
    score
        What it scores.
    """

    query_spans: tuple[_Span, ...]
    source_spans: tuple[_Span, ...]
    cosines: NDArray[np.float32]
    contributions: NDArray[np.float32]
    window: tuple[int, int]
    score: float

    def answers(self, least: float = 0.3) -> list[Answer]:
        """Return the nearest word of the source for each word of the query that has one.

        Parameters
        ----------
        least
            The smallest cosine that is an answer.
        """
        if not self.cosines.size:
            return []
        nearest = self.cosines.argmax(axis=1).tolist()
        return [
            Answer(
                self.query_spans[word],
                self.source_spans[other],
                float(self.cosines[word, other]),
                float(self.contributions[word, other]),
            )
            for word, other in enumerate(nearest)
            if self.cosines[word, other] >= least
        ]


def compare_words(query: Words, source: Words, scoring: Scoring) -> WordSimilarities:
    """Compare the words of one text with those of another.

    Examples
    --------
    >>> from locisimiles.retrieve.late_scoring import Scoring
    >>> from locisimiles.retrieve.late_words import Words
    >>> place = np.array([0, 4], np.int32)
    >>> two = np.array([[127, 0], [0, 127]], np.int8)
    >>> words = Words(two, np.array([2, 6], np.float32), place, place + 3, np.array([0, 2]))
    >>> found = compare_words(words, words, Scoring())
    >>> [(answer.query, answer.source, answer.contribution) for answer in found.answers()]
    [((0, 3), (0, 3), 2.0), ((4, 7), (4, 7), 6.0)]
    >>> found.score
    1.0
    """
    products = query.vectors.astype(np.float32) @ source.vectors.astype(np.float32).T
    contributions = scoring.worth(products) * query.weight[:, None]
    best = contributions.max(axis=1, initial=0)
    begins = range(max(len(best) - scoring.window, 0) + 1)
    sums = [float(best[begin : begin + scoring.window].sum()) for begin in begins]
    begin = int(np.argmax(sums))
    return WordSimilarities(
        query_spans=_spans(query),
        source_spans=_spans(source),
        cosines=np.clip(products / np.float32(STEPS**2), -1, 1),
        contributions=contributions,
        window=(begin, min(begin + scoring.window, len(best))),
        score=sums[begin] / scoring.window,
    )


def _spans(words: Words) -> tuple[_Span, ...]:
    return tuple(zip(words.start.tolist(), words.end.tolist(), strict=True))
