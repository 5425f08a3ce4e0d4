"""Words as columns, their weights, and that they are encoded once."""

import math

import numpy as np
import pytest

from locisimiles import ParameterError
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.models.encoders import TokenVectors
from locisimiles.progress import silent
from locisimiles.retrieve import late_words
from locisimiles.retrieve.late_words import LemmaWeights, WordReader


def read(encoder, texts, *, cache=None, weights=None):
    if weights is None:
        weights = LemmaWeights("fast")
        weights.count(texts, [1] * len(texts))
    return WordReader(encoder, EmbeddingCache(cache)).read(texts, weights, silent, "source")


def test_words_have_their_vector_in_steps_their_place_and_their_weight(context_encoder):
    texts = ["uox", "Arma 12 uirumque"]
    words = read(context_encoder, texts)
    assert words.bounds.tolist() == [0, 1, 4]
    spans = zip(words.start[1:].tolist(), words.end[1:].tolist(), strict=True)
    assert [texts[1][start:end] for start, end in spans] == ["Arma", "uirum", "que"]
    exact = context_encoder.encode_pieces(texts).vectors
    assert np.abs(words.vectors / 127 - exact).max() <= 0.5 / 127 + 1e-6
    assert words.weight.tolist() == pytest.approx([math.log(3 / 2)] * 4)


def test_a_lemma_counts_once_in_a_segment_and_again_in_each_copy_of_it():
    weights = LemmaWeights("fast")
    weights.count(["uox uocis", "arma"], [3, 1])
    weights.count(["uocem 7 arma"], [1])
    assert weights.weight("uocibus") == pytest.approx(math.log(6 / 5))
    assert weights.weight("armis") == pytest.approx(math.log(6 / 3))
    assert weights.weight("fauces") == pytest.approx(math.log(6))
    assert weights.weight("7") == 0


def test_a_word_that_is_everywhere_still_counts_a_little():
    weights = LemmaWeights("fast")
    weights.count(["uox"], [1])
    assert weights.weight("uox") == pytest.approx(0.01)


def test_what_is_no_word_of_ours_counts_nothing():
    weights = LemmaWeights("fast")
    tokens = TokenVectors(
        np.empty((0, 0), np.float32), np.array([0, 4]), np.array([3, 5]), np.array([0, 2])
    )
    assert weights.of_words(["... a"], tokens).tolist() == pytest.approx([0, 0.01])


def test_rows_of_texts_follow_one_another(context_encoder):
    words = read(context_encoder, ["uox", "", "arma uirum", "et uox faucibus haesit"])
    assert words.rows_of(np.array([2, 1, 0, 2])).tolist() == [1, 2, 0, 1, 2]
    assert words.of(2).start.tolist() == [0, 5]
    assert len(words.of(1).vectors) == 0


def test_texts_are_encoded_once_and_come_back_the_same(context_encoder, tmp_path, monkeypatch):
    monkeypatch.setattr(late_words, "_TEXTS_IN_A_FILE", 2)
    texts = ["uox", "", "arma uirum", "12", "haesit"]
    first = read(context_encoder, texts, cache=tmp_path)
    assert context_encoder.encoded == texts
    second = read(context_encoder, texts, cache=tmp_path)
    assert context_encoder.encoded == texts
    for column in ("vectors", "weight", "start", "end", "bounds"):
        assert np.array_equal(getattr(first, column), getattr(second, column))
        assert getattr(first, column).dtype == getattr(second, column).dtype
    read(type(context_encoder)("another"), texts, cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == 6


def test_no_texts_are_no_words(context_encoder):
    words = read(context_encoder, [])
    assert len(words) == 0
    assert words.vectors.shape == (0, 32)


def test_an_encoder_that_forgets_words_is_refused(context_encoder):
    class Forgetful(type(context_encoder)):
        def encode_pieces(self, texts, **_):
            whole = super().encode_pieces(texts)
            return TokenVectors(whole.vectors[1:], whole.start, whole.end, whole.bounds)

    with pytest.raises(ParameterError, match="a row for each word"):
        read(Forgetful(), ["arma uirum"])
