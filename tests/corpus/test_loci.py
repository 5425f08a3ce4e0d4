import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.corpus import CtsUrn
from locisimiles.corpus.loci import (
    join_locus,
    locus_range,
    numeric_range,
    parent_locus,
    roman_to_int,
)
from locisimiles.errors import ParameterError

NAMES = st.from_regex(r"[a-z0-9][a-z0-9_-]*", fullmatch=True)


@pytest.mark.parametrize(
    ("text", "urn"),
    [
        ("urn:cts:latinLit:phi0690", CtsUrn("latinLit", "phi0690")),
        ("urn:cts:latinLit:phi0690.phi003", CtsUrn("latinLit", "phi0690.phi003")),
        (
            "urn:cts:latinLit:phi0690.phi003.perseus-lat2",
            CtsUrn("latinLit", "phi0690.phi003", "perseus-lat2"),
        ),
        (
            "urn:cts:latinLit:phi0690.phi003:6.847-6.850",
            CtsUrn("latinLit", "phi0690.phi003", passage="6.847-6.850"),
        ),
        (" urn:cts:latinLit:stoa0162.stoa004: \n", CtsUrn("latinLit", "stoa0162.stoa004")),
    ],
)
def test_a_urn_is_parsed(text, urn):
    assert CtsUrn.parse(text) == urn


@pytest.mark.parametrize(
    "text",
    ["", "phi0690.phi003", "urn:isbn:3150000000", "urn:cts:latinLit", "urn:cts:latinLit:a b"],
)
def test_an_invalid_urn_is_refused(text):
    with pytest.raises(ParameterError, match=r"is not a CTS URN; .* look like urn:cts:latinLit"):
        CtsUrn.parse(text)


@settings(deadline=None)
@given(NAMES, st.tuples(NAMES, NAMES), NAMES | st.just(""), NAMES | st.just(""))
def test_urns_survive_writing_and_reading(namespace, work, edition, passage):
    urn = CtsUrn(namespace.replace("-", "_"), ".".join(work), edition, passage)
    assert CtsUrn.parse(str(urn)) == urn


def test_a_passage_replaces_the_one_before():
    urn = CtsUrn.parse("urn:cts:latinLit:phi0690.phi003:6.847")
    assert str(urn.at("1.1")) == "urn:cts:latinLit:phi0690.phi003:1.1"
    assert str(urn.at("")) == "urn:cts:latinLit:phi0690.phi003"


def test_empty_levels_are_left_out_of_a_locus():
    assert join_locus("", "6", "", "847") == "6.847"
    assert join_locus() == ""


@pytest.mark.parametrize(
    ("locus", "parent"), [("6.847", "6"), ("12", ""), ("1.2.3", "1.2"), ("", "")]
)
def test_the_parent_of_a_locus_is_all_but_its_last_level(locus, parent):
    assert parent_locus(locus) == parent


def test_a_range_of_one_locus_is_that_locus():
    assert locus_range("6.847", "6.847") == "6.847"
    assert locus_range("6.847", "6.848") == "6.847-6.848"


def _roman(number):
    steps = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC")]
    steps += [(50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    written = ""
    for value, letters in steps:
        written += letters * (number // value)
        number %= value
    return written


@settings(deadline=None)
@given(st.integers(min_value=1, max_value=3999))
def test_every_roman_numeral_is_understood(number):
    assert roman_to_int(_roman(number)) == number


@pytest.mark.parametrize(
    ("numeral", "value"), [("iiii", 4), ("VIIII", 9), ("XXXX", 40), ("lxxxx", 90), ("CCCC", 400)]
)
def test_additive_spellings_are_understood(numeral, value):
    assert roman_to_int(numeral) == value


@pytest.mark.parametrize("word", ["", "dixit", "IC", "VX", "IIIII", "X1", "Kal", "IIX"])
def test_other_words_are_not_numerals(word):
    assert roman_to_int(word) is None


@pytest.mark.parametrize(
    ("locus", "numbers"),
    [
        ("6.847", ((6, 847), (6, 847))),
        ("6.847-6.850", ((6, 847), (6, 850))),
        ("12-", ((12,), (12,))),
        ("12a", None),
        ("6.847-pr.", None),
        ("", None),
    ],
)
def test_a_range_of_numbers_is_parsed(locus, numbers):
    assert numeric_range(locus) == numbers
