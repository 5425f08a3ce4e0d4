"""What a language model reads."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.latin.units import Unit, text_units


def units(text):
    (found,) = text_units([text])
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Arma virumque, cano!", ["arma", "uirum", "que", ",", "cano", "!"]),
        ("'quid?' — inquit", ["quid", "?", "inquit"]),
        ("12 Adfero 3", ["affero"]),
        ("M. Tullius.", ["m.", "tullius", "."]),
        ("...", [".", ".", "."]),
        ("arma,uirum", ["arma", ",", "uirum"]),
        ("arma ;uirum", ["arma", ";", "uirum"]),
        ("arma  uirum", ["arma", "uirum"]),
    ],
)
def test_words_are_folded_and_stops_are_kept(text, expected):
    assert [unit.text for unit in units(text)] == expected


def test_units_know_whether_they_are_stops():
    assert [unit.is_stop for unit in units("uox, et")] == [False, True, False]


@settings(deadline=None)
@given(st.text() | st.text(alphabet="arma uirque.,;! "))
def test_units_are_in_order(text):
    found = units(text)
    assert all(isinstance(unit, Unit) and unit.text for unit in found)
    places = [place for unit in found for place in (unit.start, unit.end)]
    assert places == sorted(places)
    assert all(text[u.start : u.end] == u.text for u in found if u.is_stop)


def test_texts_do_not_mix():
    assert list(text_units(["arma", "", "uox."])) == [units("arma"), [], units("uox.")]
