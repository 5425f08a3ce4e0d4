"""One spelling for words that editions spell differently."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.latin import fold


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("", ""),
        ("Arma", "arma"),
        ("VOX", "uox"),
        ("uox", "uox"),
        ("virumque", "uirumque"),
        ("vivvs", "uiuus"),
        ("Juno", "iuno"),
        ("juvenis", "iuuenis"),
        ("mājor", "maior"),
        ("vōx", "uox"),
        ("VŌX", "uox"),
        ("vo\u0304x", "uox"),
        ("rosă", "rosa"),
        ("aër", "aer"),
        ("Cæsar", "caesar"),
        ("CÆSAR", "caesar"),
        ("pœna", "poena"),
        ("ŒDIPVS", "oedipus"),
        ("ǣtās", "aetas"),
        ("ǽtas", "aetas"),
        ("ſanctus", "sanctus"),
        ("quî", "qui"),
        ("λόγος", "λογος"),
    ],
)
def test_a_word_is_folded(word, folded):
    assert fold(word) == folded


@settings(deadline=None)
@given(st.text())
def test_folding_twice_changes_nothing_more(word):
    assert fold(fold(word)) == fold(word)


@settings(deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzæœāēīōūȳ"))
def test_case_makes_no_difference(word):
    assert fold(word.upper()) == fold(word)


@settings(deadline=None)
@given(st.text(alphabet="aeiouvjāēīōūăĕĭŏŭëǣ\u0304\u0306"))
def test_composed_and_decomposed_accents_make_no_difference(word):
    composed, decomposed = (unicodedata.normalize(form, word) for form in ("NFC", "NFD"))
    assert fold(composed) == fold(decomposed)


@settings(deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZæœÆŒāĀëǣſ"))
def test_only_the_letters_of_one_alphabet_are_left(word):
    assert set(fold(word)) <= set("abcdefghiklmnopqrstuwxyz")
