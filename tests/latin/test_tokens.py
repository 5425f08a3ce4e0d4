"""Words and where they stand."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.latin import Token, tokenize

ANYTHING = st.text() | st.text(alphabet="aeuvAEā\u0304 .,;/-_'3²½\n\t<>[]")


def is_part_of_a_word(character):
    return character.isalnum() or unicodedata.combining(character) > 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \n\t ", []),
        ("... — 3, 14 / ?!", []),
        ("Arma uirumque cano", ["Arma", "uirumque", "cano"]),
        ("Arma, uirumque; cano.", ["Arma", "uirumque", "cano"]),
        ("primus ab oris / Italiam", ["primus", "ab", "oris", "Italiam"]),
        ("arma/uirum", ["arma", "uirum"]),
        ("'te ipsum intellege'! —", ["te", "ipsum", "intellege"]),
        ("res publica-que", ["res", "publica", "que"]),
        ("arma_uirum 12a", ["arma", "uirum", "a"]),
        ("uo\u0304x Cæsar aër", ["uo\u0304x", "Cæsar", "aër"]),
        ("\u0304 uox", ["uox"]),
        ("γνῶθι σεαυτόν, dixit", ["γνῶθι", "σεαυτόν", "dixit"]),
        ("arma\u200buirum\x00cano", ["arma", "uirum", "cano"]),
    ],
)
def test_words_are_letters_and_their_marks(text, words):
    assert [token.text for token in tokenize(text)] == words


def test_a_token_knows_its_place():
    assert tokenize("et, tu") == [Token("et", 0, 2), Token("tu", 4, 6)]


@settings(deadline=None)
@given(ANYTHING)
def test_a_token_is_what_stands_at_its_place(text):
    tokens = tokenize(text)
    assert [text[token.start : token.end] for token in tokens] == [t.text for t in tokens]


@settings(deadline=None)
@given(ANYTHING)
def test_tokens_come_one_after_the_other(text):
    places = [place for token in tokenize(text) for place in (token.start, token.end)]
    assert places == sorted(places)
    assert all(token.start < token.end for token in tokenize(text))


@settings(deadline=None)
@given(ANYTHING)
def test_a_token_holds_nothing_but_letters_and_marks(text):
    assert all(is_part_of_a_word(letter) for token in tokenize(text) for letter in token.text)
    assert not any(letter in "0123456789_" for token in tokenize(text) for letter in token.text)


@settings(deadline=None)
@given(ANYTHING)
def test_no_letter_is_lost(text):
    inside = {place for token in tokenize(text) for place in range(token.start, token.end)}
    assert all(place in inside for place, letter in enumerate(text) if letter.isalpha())


@pytest.mark.parametrize("text", ["uirum²", "uirum ½", "uirum Ⅷ", "uirum ①"])
def test_a_number_is_no_part_of_a_word(text):
    assert [token.text for token in tokenize(text)] == ["uirum"]
