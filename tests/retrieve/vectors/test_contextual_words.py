"""Which word a token belongs to, and what becomes of its vector."""

import numpy as np
import pytest

from locisimiles.latin import tokenize_all
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.models.encoders import TokenVectors
from locisimiles.retrieve.vectors.contextual_words import WordEncoder, words_of_tokens


def tokens(*texts):
    """Make tokens of places, text by text; the vector of a token is its number."""
    places = np.array([place for text in texts for place in text], np.int32).reshape(-1, 2)
    numbers = np.arange(len(places), dtype=np.float32)
    return TokenVectors(
        np.stack([numbers, np.ones_like(numbers)], axis=1),
        places[:, 0],
        places[:, 1],
        np.cumsum([0, *map(len, texts)]),
    )


def test_tokens_with_the_space_before_a_word_belong_to_the_word():
    found = words_of_tokens(tokenize_all(["arma cano"]), tokens([(0, 4), (4, 9)]))
    assert found.tolist() == [0, 1]


def test_a_token_over_a_word_and_its_enclitic_belongs_to_the_word():
    found = words_of_tokens(tokenize_all(["uirumque"]), tokens([(0, 8)]))
    assert found.tolist() == [0]


def test_texts_do_not_run_into_each_other():
    table = tokenize_all(["arma", "", "… uox", "cano"])
    found = words_of_tokens(table, tokens([(0, 4)], [], [(0, 1), (2, 5)], [(0, 4)]))
    assert found.tolist() == [0, -1, 1, 2]


def test_texts_without_words_have_no_tokens_of_words():
    assert words_of_tokens(tokenize_all(["…"]), tokens([(0, 1)])).tolist() == [-1]
    assert words_of_tokens(tokenize_all([]), tokens()).tolist() == []


class Pieces:
    """Cuts *haesit* in two, and reads no further than the second word."""

    dimensions = 2

    def encode_tokens(self, texts, *_, **__):
        return tokens(*([(0, 3), (3, 6), (6, 10)] for _ in texts))

    def describe(self):
        return {}


def test_the_vector_of_a_word_is_the_mean_of_its_tokens():
    raw, table = WordEncoder(Pieces(), EmbeddingCache(None)).raw(["haesit uox arma"], "query")
    assert [table.vocabulary[word] for word in table.word] == ["haesit", "uox", "arma"]
    assert raw.tolist() == [pytest.approx([0.5, 1]), pytest.approx([2, 1]), [0, 0]]
