"""Similarity of meaning: by word vectors, or by an encoder that reads words in context."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from locisimiles.late.matches import match_words
from locisimiles.late.pieces import PieceEncoder
from locisimiles.late.scoring import Scoring
from locisimiles.late.search import Late
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.late.pieces import Pieces
    from locisimiles.latin.text_words import TextWords
    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.models.vectors import WordVectors

    Places = NDArray[np.int64]

__all__ = ["EncoderMeanings", "MeaningThresholds", "Meanings", "VectorMeanings"]


class MeaningThresholds(NamedTuple):
    """The least cosine of words that are related in meaning, and of synonyms."""

    meaning: float
    synonym: float


class Meanings(Protocol):
    """Compares words by meaning."""

    thresholds: MeaningThresholds

    def prepare(self, words: TextWords, texts: Sequence[str], rows: Places) -> None:
        """Prepare the texts in some rows for `cosines`."""

    def cosines(
        self, query: int, source: int, query_places: Places, source_places: Places
    ) -> NDArray[np.float32]:
        """Return the cosines of words, given by their places in two prepared texts."""


class VectorMeanings:
    """Compares lemmas by word vectors, whatever their context.

    Parameters
    ----------
    vectors
        Vectors of lemmas; by default those that come with the package.
    """

    # The cosine of one in a hundred pairs of lemmas is above 0.35, of one in a thousand above 0.53.
    thresholds = MeaningThresholds(meaning=0.5, synonym=0.6)

    def __init__(self, vectors: WordVectors | None = None) -> None:
        self._vectors = vectors
        self._words: TextWords | None = None
        self._row_of_lemma = np.empty(0, np.int64)
        self._rows = np.empty((0, 0), np.float32)

    def prepare(self, words: TextWords, texts: Sequence[str], rows: Places) -> None:
        """Look up the lemmas of some texts."""
        del texts
        if self._vectors is None:
            from locisimiles.models.vectors import shipped_vectors  # half a second to load

            self._vectors = shipped_vectors()
        self._words = words
        by_text = [words.lemma[words.of(row)] for row in rows.tolist()]
        lemmas = np.unique(np.concatenate([np.empty(0, np.int64), *by_text]))
        names = [words.lexicon.lemmas[lemma] for lemma in lemmas.tolist()]
        self._rows = self._vectors.unit(names)
        self._row_of_lemma = np.zeros(len(words.lexicon.lemmas), np.int64)
        self._row_of_lemma[lemmas] = np.arange(len(lemmas))

    def cosines(
        self, query: int, source: int, query_places: Places, source_places: Places
    ) -> NDArray[np.float32]:
        """Return the cosines of the lemmas of words, given by their places in two texts."""
        if self._words is None:
            return np.zeros((len(query_places), len(source_places)), np.float32)
        query_vectors, source_vectors = (
            self._rows[self._row_of_lemma[self._words.lemma[self._words.of(text)][places]]]
            for text, places in ((query, query_places), (source, source_places))
        )
        cosines: NDArray[np.float32] = query_vectors @ source_vectors.T
        return cosines


class EncoderMeanings:
    """Compares words in context, by the late interaction of an encoder.

    Nothing is cached: the same texts are rarely compared again.

    Parameters
    ----------
    model
        ``latin`` (which comes with the package), a folder, or any `PiecewiseEncoder`.
    """

    # In context, unrelated words are more alike; one pair in a thousand passes, as above.
    thresholds = MeaningThresholds(meaning=0.58, synonym=0.68)

    def __init__(self, model: str | PathLike[str] | PiecewiseEncoder = "latin") -> None:
        self._encoder = PieceEncoder(Late(model, cache=None).encoder(), EmbeddingCache(None))
        self._words: TextWords | None = None
        self._pieces: Pieces | None = None
        self._row_of_text: dict[int, int] = {}

    def prepare(self, words: TextWords, texts: Sequence[str], rows: Places) -> None:
        """Encode some texts."""
        encoded = self._encoder.encode_distinct([texts[row] for row in rows], silent, "texts")
        self._words, self._pieces = words, encoded.pieces
        self._row_of_text = {row: encoded.rows[texts[row]] for row in rows.tolist()}

    def cosines(
        self, query: int, source: int, query_places: Places, source_places: Places
    ) -> NDArray[np.float32]:
        """Return the cosines of words in their contexts, given by their places in two texts."""
        cosines = np.zeros((len(query_places), len(source_places)), np.float32)
        if self._words is None or self._pieces is None:
            return cosines
        first, second = (self._pieces.of(self._row_of_text[text]) for text in (query, source))
        if not len(first.vectors) or not len(second.vectors):
            return cosines
        compared = match_words(first, second, Scoring())
        rows = self._encoded(self._words, query, query_places, compared.query_spans)
        columns = self._encoded(self._words, source, source_places, compared.source_spans)
        known = np.ix_(rows >= 0, columns >= 0)
        cosines[known] = compared.cosines[np.ix_(rows[rows >= 0], columns[columns >= 0])]
        return cosines

    @staticmethod
    def _encoded(
        words: TextWords, text: int, places: Places, spans: Sequence[tuple[int, int]]
    ) -> NDArray[np.int64]:
        """Return the encoder's numbers of the words at some places; -1 for none."""
        number = {start: at for at, (start, _) in enumerate(spans)}
        starts = words.start[words.of(text)][places].tolist()
        return np.array([number.get(start, -1) for start in starts], np.int64)
