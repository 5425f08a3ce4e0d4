"""The words of texts as vectors that depend on their context."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin import STOPWORDS, Frequencies, choose_lemmatizer, tokenize_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.latin import TokenTable
    from locisimiles.models.embedding_cache import Arrays, EmbeddingCache
    from locisimiles.models.encoders import TextEncoder, TokenVectors
    from locisimiles.models.families import Kind
    from locisimiles.progress import Progress
    from locisimiles.retrieve.vectors.whitening import LinearMap

__all__ = ["ContextVectors", "WordEncoder", "words_of_tokens"]

_TEXTS_IN_A_BLOCK = 512


@dataclass(frozen=True, slots=True, eq=False)
class ContextVectors:
    """A unit vector and a weight for each word of many texts, as columns.

    Text ``i`` has the words from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    vectors: NDArray[np.float16]
    weight: NDArray[np.float32]
    bounds: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WordEncoder:
    """Encodes the words of texts; `stopwords` and `rarity` are those of `Contextual`."""

    encoder: TextEncoder
    cache: EmbeddingCache
    stopwords: bool = False
    rarity: bool = True
    _weights: dict[str, float] = field(default_factory=dict, repr=False, compare=False)

    def raw(self, texts: Sequence[str], kind: Kind) -> tuple[NDArray[np.float32], TokenTable]:
        """Return the mean vector of the tokens of each word, and the words.

        Words that the encoder did not read, because their text is too long, have zeros.
        """
        table = tokenize_all(texts)
        tokens = self.encoder.encode_tokens(texts, kind)
        words = words_of_tokens(table, tokens)
        inside = words >= 0
        sums = np.zeros((len(table), self.encoder.dimensions), np.float32)
        np.add.at(sums, words[inside], tokens.vectors[inside])
        counts = np.bincount(words[inside], minlength=len(table))
        sums /= np.maximum(counts, 1)[:, None].astype(np.float32)
        return sums, table

    def blocks(
        self, texts: Sequence[str], kind: Kind, mapped: LinearMap, progress: Progress
    ) -> Iterator[ContextVectors]:
        """Yield the words of texts, a few hundred texts at a time."""
        settings = {
            "what": "words",
            "kind": kind,
            "map": mapped.fingerprint(),
            "stopwords": self.stopwords,
            "rarity": self.rarity,
            **self.encoder.describe(),
        }
        compute = partial(self._compute, kind=kind, mapped=mapped)
        report = partial(progress, f"encoding {kind}")
        for arrays in self.cache.blocks(settings, texts, _TEXTS_IN_A_BLOCK, compute, report):
            yield ContextVectors(
                vectors=arrays["vectors"].astype(np.float16, copy=False),
                weight=arrays["weight"].astype(np.float32, copy=False),
                bounds=arrays["bounds"].astype(np.int64, copy=False),
            )

    def _compute(self, texts: Sequence[str], kind: Kind, mapped: LinearMap) -> Arrays:
        raw, table = self.raw(texts, kind)
        distinct, word = np.unique(table.word, return_inverse=True)
        weights = [self._weight(table.vocabulary[number]) for number in distinct.tolist()]
        weight = np.array(weights, np.float32)[word]
        vectors = mapped(raw)
        kept = (weight > 0) & vectors.any(axis=1)
        before = np.concatenate([[0], np.cumsum(kept)])
        return {
            "vectors": vectors[kept].astype(np.float16),
            "weight": weight[kept],
            "bounds": before[table.bounds].astype(np.int64),
        }

    def _weight(self, word: str) -> float:
        """Return the weight of a word; 0 for a stop word or a figure."""
        if word not in self._weights:
            lemma = choose_lemmatizer("fast")([word])[0]
            counts = not word.isdigit() and (self.stopwords or lemma not in STOPWORDS)
            value = Frequencies.shipped().rarity(lemma) if self.rarity else 1.0
            self._weights[word] = value if counts else 0.0
        return self._weights[word]


def words_of_tokens(table: TokenTable, tokens: TokenVectors) -> NDArray[np.int64]:
    """Return the word that each token is part of, -1 if none.

    A token belongs to the word of its first character, or else (tokens may begin with the space
    before a word) of its last.

    Examples
    --------
    >>> from locisimiles.latin import tokenize_all
    >>> from locisimiles.models.encoders import TokenVectors
    >>> place = np.array([[0, 3], [3, 5], [5, 6], [6, 10]])
    >>> tokens = TokenVectors(
    ...     np.zeros((4, 2), np.float32), place[:, 0], place[:, 1], np.array([0, 4])
    ... )
    >>> words_of_tokens(tokenize_all(["uocem, cano"]), tokens).tolist()
    [0, 0, -1, 1]
    """
    text_of_word = np.repeat(np.arange(len(table.bounds) - 1), np.diff(table.bounds))
    text_of_token = np.repeat(np.arange(len(tokens.bounds) - 1), np.diff(tokens.bounds))
    # Spans in all texts at once: each text begins where no earlier one reaches.
    room = int(max(table.end.max(initial=0), tokens.end.max(initial=0))) + 1
    begins = text_of_word * room + table.start
    ends = text_of_word * room + table.end

    def word_at(place: NDArray[np.int64]) -> NDArray[np.int64]:
        word = np.searchsorted(begins, place, side="right") - 1
        return np.where((word >= 0) & (place < ends[word]), word, -1)

    if not len(begins):
        return np.full(len(text_of_token), -1, np.int64)
    first = word_at(text_of_token * room + tokens.start)
    last = word_at(text_of_token * room + tokens.end - 1)
    return np.where(first >= 0, first, last)
