"""Encoders that need no model."""

import zlib
from collections import defaultdict
from itertools import count

import numpy as np
import pytest

from locisimiles.latin import fold, tokenize, tokenize_all
from locisimiles.models.encoders import PieceVectors, TokenVectors

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


class ContextEncoder:
    """Gives pieces vectors of their own, bent a little towards their neighbours.

    Longer words are two pieces: *faucibus* is *fauci* and *##bus*. Numbers are no words.
    """

    piece_dimensions = 32

    def __init__(self, name="pieces in context"):
        self.name = name
        self._numbers = defaultdict(count(5).__next__)
        self.encoded = []
        self._of_piece = WordHashEncoder()._vector

    def describe(self):
        return {"model": self.name}

    @staticmethod
    def cut(word):
        """Return the pieces of a word."""
        word = fold(word)
        return [word[:-3], f"##{word[-3:]}"] if len(word) > 6 else [word]

    def encode_pieces(self, texts, **_):
        self.encoded += texts
        rows, places, numbers, counts = [np.empty((0, self.piece_dimensions))], [], [], []
        for text in texts:
            tokens = [token for token in tokenize(text) if not token.text.isdigit()]
            pieces = [(piece, token) for token in tokens for piece in self.cut(token.text)]
            own = np.array([self._of_piece(piece) for piece, _ in pieces])
            own = own.reshape(-1, self.piece_dimensions)
            padded = np.pad(own, ((1, 1), (0, 0)))
            rows.append(own + 0.3 * (padded[:-2] + padded[2:]))
            places += [(token.start, token.end) for _, token in pieces]
            numbers += [self._numbers[piece] for piece, _ in pieces]
            counts.append(len(pieces))
        vectors = np.concatenate(rows)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        place = np.array(places, np.int32).reshape(-1, 2)
        return PieceVectors(
            vectors.astype(np.float32),
            place[:, 0],
            place[:, 1],
            np.cumsum([0, *counts], dtype=np.int64),
            np.array(numbers, np.int32),
        )


@pytest.fixture
def context_encoder():
    return ContextEncoder()
