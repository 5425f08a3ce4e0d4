"""An encoder that needs no model."""

import zlib

import numpy as np
import pytest

from locisimiles.latin import tokenize_all
from locisimiles.models.encoders import TokenVectors

_NEAR = {"sonus": "uox"}


class WordHashEncoder:
    """Gives each word a vector of its own, and a text their mean; *uox* and *sonus* are near."""

    dimensions = 32

    def __init__(self, name="words"):
        self.name = name
        self.encoded = []

    def describe(self):
        return {"model": self.name}

    def _vector(self, word):
        stem = _NEAR.get(word, word)
        vector = np.random.default_rng(zlib.crc32(stem.encode())).normal(size=self.dimensions)
        if stem != word:
            vector += 0.3 * np.random.default_rng(zlib.crc32(word.encode())).normal(size=32)
        return vector.astype(np.float32)

    def encode_tokens(self, texts, *_, **__):
        self.encoded += texts
        table = tokenize_all(texts)
        words = [table.vocabulary[word].lower() for word in table.word]
        vectors = np.array([self._vector(word) for word in words], np.float32)
        return TokenVectors(
            vectors.reshape(-1, self.dimensions), table.start, table.end, table.bounds
        )

    def encode(self, texts, *_, **__):
        tokens = self.encode_tokens(texts)
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, (begin, end) in enumerate(zip(tokens.bounds, tokens.bounds[1:], strict=False)):
            if end > begin:
                vectors[row] = tokens.vectors[begin:end].mean(axis=0)
                vectors[row] /= np.linalg.norm(vectors[row])
        return vectors


@pytest.fixture
def word_encoder():
    return WordHashEncoder()
