"""Texts as word pieces, and windows over long ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.models.pieces import PieceTokenizer, windows


@pytest.fixture(scope="module")
def tokenizer(tiny_latin):
    return PieceTokenizer(OnnxEncoder(tiny_latin).tokenizer())


@settings(deadline=None)
@given(
    begin=st.integers(0, 50), count=st.integers(0, 400), longest=st.integers(1, 60), data=st.data()
)
def test_every_piece_belongs_to_one_window_and_has_context_in_it(begin, count, longest, data):
    found = list(windows(begin, begin + count, longest))
    owned = [place for window in found for place in range(window.first, window.last)]
    assert owned == list(range(begin, begin + count))
    for window in found:
        assert begin <= window.begin <= window.first < window.last <= window.end <= begin + count
        assert window.end - window.begin == min(longest, count)
    if count:
        # What is not at an end of the text has at least an eighth of a window on both sides.
        window = data.draw(st.sampled_from(found))
        least = longest // 4 // 2
        assert window.begin == begin or window.first - window.begin >= least
        assert window.end == begin + count or window.end - window.last >= least


def test_pieces_are_those_of_the_units(tokenizer):
    pieces = tokenizer.read(["Arma virumque, canis!", "", "... 12", "te"])
    names = {number: piece for piece, number in tokenizer._tokenizer.get_vocab().items()}
    assert [names[number] for number in pieces.number.tolist()] == [
        *("arma", "uirum", "que", ",", "c", "##a", "##n", "##i", "##s", "!"),
        "te",
    ]
    assert pieces.unit.tolist() == [0, 1, 2, 3, 4, 4, 4, 4, 4, 5, 6]
    assert pieces.bounds.tolist() == [0, 10, 10, 10, 11]
    assert len(pieces.start) == 7
    assert pieces.is_word.tolist() == [True, True, True, False, True, False, True]
    assert pieces.start.tolist() == [0, 5, 10, 13, 15, 20, 0]
    assert pieces.end.tolist() == [4, 10, 13, 14, 20, 21, 2]


def test_pieces_are_those_the_tokenizer_finds_in_the_whole_text(tokenizer):
    from locisimiles.latin.units import text_units

    text = "Vox faucibus haesit: nosce te ipsum, arma virumque cano; w " + "a" * 120
    joined = " ".join(unit.text for unit in next(text_units([text])))
    expected = tokenizer._tokenizer.encode(joined, add_special_tokens=False).ids
    assert tokenizer.read([text]).number.tolist() == expected
    assert expected[-1] == 1  # too long a word, and unknown


@settings(deadline=None)
@given(texts=st.lists(st.text(), max_size=4))
def test_any_text_is_read(tokenizer, texts):
    pieces = tokenizer.read(texts)
    assert pieces.bounds[-1] == len(pieces.number) == len(pieces.unit)
    assert len(pieces.start) == len(pieces.end) == len(pieces.is_word)
    # Every unit has a piece, and they come in order.
    assert np.unique(pieces.unit).tolist() == list(range(len(pieces.start)))
    assert (np.diff(pieces.unit) >= 0).all()
