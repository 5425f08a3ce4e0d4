"""Sentences as columns of word pieces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.errors import MalformedInputError
from locisimiles.late.pieces import PieceWeights
from locisimiles.latin.units import text_units
from locisimiles.models.pieces import PieceTokenizer
from locisimiles.train.encoder.folder import read_vocabulary
from locisimiles.train.late.pieces import STOPS, PieceTable, TuningData, rarity

SENTENCES = [["arma", ",", "cano"], [], ["canis"], ["."]]


@pytest.fixture(scope="module")
def tokenizer(tiny_latin):
    return read_vocabulary(tiny_latin / "tokenizer.json", 75)


def table(*rows):
    lengths = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    pieces = np.array([piece for row in rows for piece in row], np.uint16)
    return PieceTable(pieces, np.ones(len(pieces), bool), lengths)


def test_words_become_pieces_and_stops_are_not_compared(tokenizer):
    pieces = PieceTable.from_sentences(tokenizer, SENTENCES)
    names = [tokenizer.id_to_token(int(piece)) for piece in pieces.piece]
    assert names == ["arma", ",", "cano", "c", "##a", "##n", "##i", "##s", "."]
    assert pieces.compared.tolist() == [True, False, *[True] * 6, False]
    assert pieces.bounds.tolist() == [0, 3, 3, 8, 9]
    assert len(pieces) == 4


@settings(deadline=None)
@given(texts=st.lists(st.text("aceimnorstu ,.qQVj1-", max_size=40), max_size=4))
def test_training_and_searching_read_the_same_pieces(tiny_latin, texts):
    tokenizer = read_vocabulary(tiny_latin / "tokenizer.json", 75)
    searching = PieceTokenizer(tokenizer).read(texts)
    units = [[unit.text for unit in own] for own in text_units(texts)]
    # Texts without a word are nothing for searching.
    kept = [own if set(own) - STOPS else [] for own in units]
    training = PieceTable.from_sentences(tokenizer, kept)
    assert training.piece.tolist() == searching.number.tolist()
    assert training.compared.tolist() == searching.is_word[searching.unit].tolist()
    assert training.bounds.tolist() == searching.bounds.tolist()


def test_long_sentences_are_cut_off(tokenizer):
    pieces = PieceTable.from_sentences(tokenizer, SENTENCES, longest=2)
    assert pieces.bounds.tolist() == [0, 2, 2, 4, 5]


def test_batches_are_padded(tokenizer):
    pieces = PieceTable.from_sentences(tokenizer, SENTENCES)
    arma, stop, cano = pieces.piece[:3].tolist()
    weights = np.arange(75, dtype=np.float32)
    batch = pieces.batch([1, 0, 3], weights)
    dot = int(pieces.piece[-1])
    assert batch.numbers.tolist() == [[2, 3, 0, 0, 0], [2, arma, stop, cano, 3], [2, dot, 3, 0, 0]]
    assert batch.place.tolist() == [[0, 0], [1, 3], [0, 0]]
    assert batch.present.tolist() == [[False, False], [True, True], [False, False]]
    assert batch.weights.tolist() == [[0, 0], [arma, cano], [0, 0]]


rows = st.lists(st.lists(st.integers(5, 20), max_size=6), min_size=1, max_size=8)


@settings(deadline=None)
@given(rows)
def test_rarity_equals_the_weights_of_searching(sentences):
    pieces = table(*sentences)
    searching = PieceWeights.of_texts(
        pieces.piece.astype(np.int32), pieces.bounds, [1] * len(pieces)
    )
    for piece in range(5, 25):
        n = sum(piece in own for own in sentences)
        expected = max(np.log((len(sentences) + 1) / (n + 1)), 0.01)
        assert rarity(pieces, 25)[piece] == pytest.approx(expected, rel=1e-6)
    np.testing.assert_array_equal(rarity(pieces, 25), searching.of(np.arange(25, dtype=np.int32)))


@settings(deadline=None)
@given(rows, st.data())
def test_a_part_equals_a_table_of_its_sentences(sentences, data):
    begin = data.draw(st.integers(0, len(sentences)))
    end = data.draw(st.integers(begin, len(sentences)))
    found, expected = table(*sentences).part(begin, end), table(*sentences[begin:end])
    for name, column in expected.arrays("x").items():
        np.testing.assert_array_equal(found.arrays("x")[name], column)


@pytest.fixture
def data():
    sources, queries = table([5, 6], [7], [5, 6]), table([5], [7, 8], [6])
    negatives = np.array([[1, -1], [0, 2], [1, -1]], np.int32)
    duplicates = np.array([0, 1, 0], np.int32)
    answer = np.array([0, 1, 2], np.int32)
    return TuningData(sources, queries, rarity(sources, 10), answer, negatives, duplicates)


def test_data_can_be_written_and_read(data, tmp_path):
    data.save(tmp_path / "data.npz")
    read = TuningData.load(tmp_path / "data.npz", 10)
    for name in ("weights", "answer", "negatives", "duplicates"):
        np.testing.assert_array_equal(getattr(read, name), getattr(data, name))
    assert read.queries.piece.tolist() == [5, 7, 8, 6]
    data.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "data.npz").read_bytes()


def test_the_last_pairs_are_held_out(data):
    train, test = data.split(1)
    assert (train.answer.tolist(), test.answer.tolist()) == ([0, 1], [2])
    assert test.queries.piece.tolist() == [6]
    assert test.negatives.tolist() == [[1, -1]]
    assert len(train.sources) == len(test.sources) == 3


def test_a_file_of_other_arrays_is_refused(tmp_path):
    np.savez(tmp_path / "data.npz", answer=np.zeros(1))
    with pytest.raises(MalformedInputError, match="not a file of synthetic pairs: source_piece"):
        TuningData.load(tmp_path / "data.npz", 10)
