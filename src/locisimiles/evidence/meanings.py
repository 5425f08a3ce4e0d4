"""How near words are in meaning: by word vectors, or by an encoder that reads their contexts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from locisimiles.evidence.bonds import Thresholds
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.progress import silent
from locisimiles.retrieve.late import Late
from locisimiles.retrieve.late_answers import compare_words
from locisimiles.retrieve.late_index import length_first
from locisimiles.retrieve.late_scoring import Scoring
from locisimiles.retrieve.late_words import WordReader

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.evidence.words import TextWords
    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.models.vectors import WordVectors
    from locisimiles.retrieve.late_words import Words

__all__ = ["EncoderMeanings", "Meanings", "VectorMeanings"]


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


class EncoderMeanings:
    """Nearness in context, by the late interaction of an encoder.

    Nothing is kept in a cache: the texts of some pairs are hardly ever asked for together again.

    Parameters
    ----------
    model
        ``latin`` (which comes with the package), a folder, or any `PiecewiseEncoder`.
    """

    # Contexts make unrelated words more alike; one pair in a thousand passes, as with word vectors.
    thresholds = Thresholds(meaning=0.58, synonym=0.68)

    def __init__(self, model: str | PathLike[str] | PiecewiseEncoder = "latin") -> None:
        self._reader = WordReader(Late(model, cache=None).encoder(), EmbeddingCache(None))
        self._words: TextWords | None = None
        self._pieces: Words | None = None
        self._row_of_text: dict[int, int] = {}

    def prepare(self, words: TextWords, texts: Sequence[str], rows: NDArray[np.int64]) -> None:
        """Encode some texts."""
        distinct = sorted({texts[row] for row in rows.tolist()}, key=length_first)
        number = {text: at for at, text in enumerate(distinct)}
        self._words = words
        self._pieces = self._reader.read(distinct, silent, "texts")
        self._row_of_text = {row: number[texts[row]] for row in rows.tolist()}

    def cosines(
        self, query: int, source: int, asking: NDArray[np.int64], answering: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return the cosines of words in their contexts, by their places in two texts."""
        if self._words is None or self._pieces is None:
            return np.zeros((len(asking), len(answering)), np.float32)
        own, other = (self._pieces.of(self._row_of_text[text]) for text in (query, source))
        if not len(own.vectors) or not len(other.vectors):
            return np.zeros((len(asking), len(answering)), np.float32)
        found = compare_words(own, other, Scoring())
        rows = self._encoded(query, asking, found.query_spans)
        columns = self._encoded(source, answering, found.source_spans)
        cosines = np.zeros((len(asking), len(answering)), np.float32)
        known = np.ix_(rows >= 0, columns >= 0)
        cosines[known] = found.cosines[np.ix_(rows[rows >= 0], columns[columns >= 0])]
        return cosines

    def _encoded(
        self, text: int, places: NDArray[np.int64], spans: Sequence[tuple[int, int]]
    ) -> NDArray[np.int64]:
        """Return which words of the encoder stand at some places; -1 where it has none."""
        if self._words is None:
            return np.full(len(places), -1)
        number = {start: at for at, (start, _) in enumerate(spans)}
        starts = self._words.start[self._words.of(text)][places].tolist()
        return np.array([number.get(start, -1) for start in starts], np.int64)
