"""Pieces of words as columns, their weights, and that they are encoded once."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import ParameterError
from locisimiles.late import pieces as late_words
from locisimiles.late.pieces import PieceEncoder, PieceWeights
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.models.encoders import PieceVectors
from locisimiles.progress import silent


def read(encoder, texts, *, cache=None):
    return PieceEncoder(encoder, EmbeddingCache(cache)).encode(texts, silent, "source")


def weights(texts, copies):
    """Return weights, given the numbers of the pieces of each text."""
    flat = np.array([number for own in texts for number in own], np.int32)
    return PieceWeights.of_texts(flat, np.cumsum([0, *map(len, texts)]), copies)


def test_pieces_have_their_vector_in_steps_their_number_and_the_place_of_their_word(
    context_encoder,
):
    texts = ["uox", "Arma 12 faucibusque"]
    words = read(context_encoder, texts)
    assert words.bounds.tolist() == [0, 1, 5]
    spans = zip(words.start[1:].tolist(), words.end[1:].tolist(), strict=True)
    assert [texts[1][start:end] for start, end in spans] == ["Arma", "faucibus", "faucibus", "que"]
    exact = context_encoder.encode_pieces(texts)
    assert np.abs(words.vectors / 127 - exact.vectors).max() <= 0.5 / 127 + 1e-6
    assert words.piece.tolist() == exact.piece.tolist()
    assert len(set(words.piece.tolist())) == 5
    assert not words.weight.any()


def test_pieces_have_the_weights_of_their_ids(context_encoder):
    words = read(context_encoder, ["uox", "uox et faucibus", "et et"])
    weighted = words.weighted(PieceWeights.of_texts(words.piece, words.bounds, [1, 1, 1]))
    everywhere, once = math.log(4 / 3), math.log(4 / 2)
    assert weighted.weight.tolist() == pytest.approx(
        [everywhere, everywhere, everywhere, once, once, everywhere, everywhere]
    )
    assert weighted.vectors is words.vectors


def test_a_piece_counts_once_in_a_segment_and_again_in_each_copy_of_it():
    found = weights([[7, 7, 3], [5], [7, 5]], [3, 1, 1])
    assert found.of(np.array([7, 3, 5, 4, 8, 10**6])).tolist() == pytest.approx(
        [math.log(6 / 5), math.log(6 / 4), math.log(6 / 3), *[math.log(6)] * 3]
    )


def test_a_piece_that_is_everywhere_still_counts_a_little():
    assert weights([[7]], [1]).of(np.array([7])).tolist() == pytest.approx([0.01])


def test_where_there_is_no_source_every_piece_counts_the_same():
    assert weights([], []).of(np.array([0, 9])).tolist() == pytest.approx([0.01, 0.01])


@given(
    texts=st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=6),
    copies=st.lists(st.integers(1, 4), min_size=6, max_size=6),
)
def test_rarity_is_counted_as_by_hand(texts, copies):
    copies = copies[: len(texts)]
    found = weights(texts, copies).of(np.arange(12))
    for piece in range(12):
        have = sum(times for own, times in zip(texts, copies, strict=True) if piece in own)
        expected = max(math.log((sum(copies) + 1) / (have + 1)), 0.01)
        assert found[piece] == pytest.approx(expected, rel=1e-6)


def test_rows_of_texts_follow_one_another(context_encoder):
    words = read(context_encoder, ["uox", "", "arma uirum", "et uox haesit"])
    assert words.rows_of(np.array([2, 1, 0, 2])).tolist() == [1, 2, 0, 1, 2]
    assert words.of(2).start.tolist() == [0, 5]
    assert len(words.of(1).vectors) == 0


def test_texts_are_encoded_once_and_come_back_the_same(context_encoder, tmp_path, monkeypatch):
    monkeypatch.setattr(late_words, "_TEXTS_PER_BLOCK", 2)
    texts = ["uox", "", "arma uirum", "12", "haesit"]
    first = read(context_encoder, texts, cache=tmp_path)
    assert context_encoder.encoded == texts
    second = read(context_encoder, texts, cache=tmp_path)
    assert context_encoder.encoded == texts
    for column in ("vectors", "piece", "start", "end", "bounds"):
        assert np.array_equal(getattr(first, column), getattr(second, column))
        assert getattr(first, column).dtype == getattr(second, column).dtype
    another = type(context_encoder)("another")
    read(another, texts, cache=tmp_path)
    assert another.encoded == texts


def test_no_texts_are_no_words(context_encoder):
    words = read(context_encoder, [])
    assert len(words) == 0
    assert words.vectors.shape == (0, 32)


def test_an_encoder_that_forgets_pieces_is_refused(context_encoder):
    class Forgetful(type(context_encoder)):
        def encode_pieces(self, texts, **_):
            whole = super().encode_pieces(texts)
            places = whole.start, whole.end
            return PieceVectors(whole.vectors[1:], *places, whole.bounds, whole.piece)

    with pytest.raises(ParameterError, match="a row per piece"):
        read(Forgetful(), ["arma uirum"])
