"""How near words are in meaning: by word vectors, or by an encoder that reads their contexts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from locisimiles.evidence.bonds import Thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.evidence.words import TextWords
    from locisimiles.models.vectors import WordVectors

__all__ = ["Meanings", "VectorMeanings"]


class Meanings(Protocol):
    """Knows how near words are in meaning."""

    thresholds: Thresholds

    def prepare(self, words: TextWords, texts: Sequence[str], rows: NDArray[np.int64]) -> None:
        """Get ready for pairs of some texts."""

    def cosines(
        self, query: int, source: int, asking: NDArray[np.int64], answering: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return the cosines of words, by their places in two of these texts."""


class VectorMeanings:
    """Nearness by word vectors: the same for two lemmas wherever they stand.

    Parameters
    ----------
    vectors
        Vectors of lemmas; by default those that come with the package.
    """

    # One in a hundred pairs of lemmas is nearer than 0.35, one in a thousand nearer than 0.53.
    thresholds = Thresholds(meaning=0.5, synonym=0.6)

    def __init__(self, vectors: WordVectors | None = None) -> None:
        self._vectors = vectors
        self._words: TextWords | None = None
        self._row_of_lemma = np.empty(0, np.int64)
        self._rows = np.empty((0, 0), np.float32)

    def prepare(self, words: TextWords, texts: Sequence[str], rows: NDArray[np.int64]) -> None:
        """Look up the lemmas of some texts."""
        del texts
        if self._vectors is None:
            from locisimiles.models.vectors import shipped_vectors  # half a second to load

            self._vectors = shipped_vectors()
        self._words = words
        own = [words.lemma[words.of(row)] for row in rows.tolist()]
        lemmas = np.unique(np.concatenate([np.empty(0, np.int64), *own]))
        names = [words.lexicon.lemmas[lemma] for lemma in lemmas.tolist()]
        self._rows = self._vectors.unit(names)
        self._row_of_lemma = np.zeros(len(words.lexicon.lemmas), np.int64)
        self._row_of_lemma[lemmas] = np.arange(len(lemmas))

    def cosines(
        self, query: int, source: int, asking: NDArray[np.int64], answering: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return the cosines of the lemmas of words, by their places in two texts."""
        if self._words is None:
            return np.zeros((len(asking), len(answering)), np.float32)
        first, second = (
            self._rows[self._row_of_lemma[self._words.lemma[self._words.of(text)][places]]]
            for text, places in ((query, asking), (source, answering))
        )
        found: NDArray[np.float32] = first @ second.T
        return found
