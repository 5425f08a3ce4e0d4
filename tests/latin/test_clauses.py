"""Which clause a word stands in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.latin import tokenize, tokenize_all
from locisimiles.latin.clauses import HARD_STOPS, clause_numbers


def clauses(*texts, **options):
    return clause_numbers(texts, tokenize_all(texts), **options).tolist()


@pytest.mark.parametrize("sign", HARD_STOPS)
def test_a_hard_stop_ends_a_clause(sign):
    assert clauses(f"arma{sign} cano") == [0, 1]


@pytest.mark.parametrize("sign", [",", " –", "(", "'", " /", "\n", ""])
def test_other_signs_do_not(sign):
    assert clauses(f"arma{sign} cano") == [0, 0]


def test_several_stops_count_as_one():
    assert clauses("?! arma... cano?! uirum.") == [0, 1, 2]


def test_a_new_text_is_a_new_clause():
    assert clauses("arma", "cano", "", "...", "uirum. ora") == [0, 1, 2, 3]


def test_the_stop_of_an_abbreviation_does_not_end_a_clause():
    assert clauses("Cn. Pompeius M. Tullius dixit. Cano") == [0, 0, 0, 0, 0, 1]


def test_an_enclitic_is_in_the_clause_of_its_word():
    assert clauses("arma uirumque: cano") == [0, 0, 0, 1]


def test_other_signs_can_be_chosen():
    assert clauses("arma, cano. uirum", ends=",") == [0, 1, 1]
    assert clauses("arma, cano. uirum", ends="") == [0, 0, 0]


def test_no_words_have_no_clauses():
    assert clauses() == clauses("") == clauses("...", "\0") == []


TEXTS = st.lists(
    st.lists(
        st.sampled_from(
            ["arma", "uirumque", "Cn.", "xii", ".", ";", "?!", ",", "\ud800", "𐌰", "\0"]
        ),
        max_size=8,
    ).map(" ".join),
    max_size=4,
)


@settings(max_examples=60)
@given(TEXTS)
def test_clauses_are_what_a_slow_reading_says(texts):
    expected, number = [], -1
    for text in texts:
        end = None
        for token in tokenize(text):
            if end is None or any(sign in HARD_STOPS for sign in text[end : token.start]):
                number += 1
            expected.append(number)
            end = token.end
    assert clauses(*texts) == expected
