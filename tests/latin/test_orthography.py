"""One spelling for words that editions spell differently, and the way back to the original."""

import sys
import unicodedata
from itertools import product
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import ParameterError
from locisimiles.latin import Folded, fold, fold_text, fold_word
from locisimiles.latin.orthography import fold_words

ANYTHING = (
    st.text(alphabet=st.characters())  # half characters too
    | st.text(alphabet="aeuvwjqsdxnobcAEVJWÆœ\u0304\u0301āÿßſİǣλΛ́ []<>()†|{}⟨⟩1_.'")
    | st.text(alphabet="adefquxsnobpcimlr", min_size=4)
)
LATIN = st.text(alphabet="abcdefghijklmnopqrstuvwxyzæœāēīōūȳăĕĭŏŭëǣ")


LETTERS_FOLDED = """
    Arma arma, VOX uox, uox uox, virumque uirumque, vivvs uiuus, Juno iuno, juvenis iuuenis,
    mājor maior, vōx uox, VŌX uox, rosă rosa, aër aer, Cæsar caesar, CÆSAR caesar, pœna poena,
    ŒDIPVS oedipus, ǣtās aetas, ǽtas aetas, ſanctus sanctus, quî qui, Waltharius uualtharius,
    İ i, uir[um]que uirumque, uir<um> uirum>, ui<r>†um uirum, a[nn]i anni, [uirum] [uirum],
    adfero adfero, Λόγος Λόγος, Слово Слово
"""


@pytest.mark.parametrize(("word", "folded"), [pair.split() for pair in LETTERS_FOLDED.split(",")])
def test_letters_are_folded(word, folded):
    assert fold(word) == folded


@pytest.mark.parametrize("word", ["vo\u0304x", "VO\u0304\u0301X"])
def test_accents_after_their_letter_are_folded(word):
    assert fold(word) == "uox"


UNCHANGED = ["", "(arma) uirum", "λόγοσ\u0301", "\ud800", "3 \u0304"]


@pytest.mark.parametrize("text", UNCHANGED, ids=map(ascii, UNCHANGED))
def test_other_signs_are_left_alone(text):
    assert fold(text) == text


WORDS_FOLDED = """
    adfero affero, Adfero affero, affero affero, adcipio accipio, adquiro acquiro,
    adgredior aggredior, adgnosco agnosco, adloquor alloquor, adnuo annuo, adpono appono,
    adripio arripio, adsum assum, adspicio aspicio, adscendo ascendo, adsto asto, adtuli attuli,
    conloco colloco, conmoueo commoueo, conripio corripio, conpono compono, conbibo combibo,
    inlustris illustris, inmotus immotus, inruo irruo, Inpius impius, inbuo imbuo,
    obcido occido, obfero offero, obpono oppono, subcurro succurro, subfero suffero,
    subpono suppono, subripio surripio, ecfero effero, disfero differo, exspecto expecto,
    exsilium exilium, exsul exul, sequuntur secuntur, equus ecus, ĀDFERŌ affero,
    ad[f]ero affero, adsi adsi, inde inde, adeo adeo, inire inire, obeo obeo, conatus conatus
"""


@pytest.mark.parametrize(("word", "folded"), [pair.split() for pair in WORDS_FOLDED.split(",")])
def test_spellings_of_words_are_folded(word, folded):
    assert fold_word(word) == folded


SAME_WORD = """
    amaverunt amauerunt, adfero affero, exspecto expecto, sequuntur secuntur, Cæsar Caesar,
    iuvenis juuenis, inprobus improbus
"""


@pytest.mark.parametrize(("one", "other"), [pair.split() for pair in SAME_WORD.split(",")])
def test_two_spellings_are_one_word(one, other):
    assert fold_word(one) == fold_word(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("bellum", "bellus"), ("anus", "annus"), ("adeo", "abeo"), ("ora", "hora"), ("uis", "bis")],
)
def test_different_words_stay_different(one, other):
    assert fold_word(one) != fold_word(other)


@settings(deadline=None)
@given(ANYTHING)
def test_folding_twice_changes_nothing_more(text):
    assert fold(fold(text)) == fold(text)
    assert fold_word(fold_word(text)) == fold_word(text)


@settings(deadline=None)
@given(ANYTHING, st.booleans())
def test_folding_a_text_twice_changes_nothing_more(text, words):
    folded = fold_text(text, words=words).text
    assert fold_text(folded, words=words).text == folded


def test_every_latin_letter_is_folded_once_and_for_all():
    letters = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isalpha()]
    latin = [letter for letter in letters if "LATIN" in unicodedata.name(letter, "")]
    assert len(latin) > 1000
    for letter in latin:
        for text in (letter, f"{letter}\u0304", f"a{letter}b"):
            assert fold(fold(text)) == fold(text)


@settings(deadline=None)
@given(ANYTHING)
def test_a_text_is_folded_the_same_with_and_without_spans(text):
    assert fold_text(text).text == fold(text)


@settings(deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzæœāēīōūλ") | st.text(alphabet="adxsbfquon"))
def test_a_word_is_folded_the_same_with_and_without_spans(word):
    assert fold_text(word, words=True).text == fold_word(word)


@settings(deadline=None)
@given(LATIN)
def test_folding_is_what_it_is_said_to_be(word):
    bare = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    for written, meant in [("æ", "ae"), ("œ", "oe"), ("v", "u"), ("j", "i"), ("w", "uu")]:
        bare = bare.replace(written, meant)
    assert fold(word) == bare


@settings(deadline=None)
@given(LATIN)
def test_case_makes_no_difference(word):
    assert fold(word.upper()) == fold(word)
    assert fold_word(word.upper()) == fold_word(word)


@settings(deadline=None)
@given(st.text(alphabet="aeiouvjāēīōūăĕĭŏŭëǣ\u0304\u0306"))
def test_composed_and_decomposed_accents_make_no_difference(word):
    composed, decomposed = (unicodedata.normalize(form, word) for form in ("NFC", "NFD"))
    assert fold(composed) == fold(decomposed)


@settings(deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZæœÆŒāĀëǣſß"))
def test_only_the_letters_of_one_alphabet_are_left(word):
    assert set(fold(word)) <= set("abcdefghiklmnopqrstuxyz")


@settings(deadline=None)
@given(ANYTHING, st.booleans())
def test_every_folded_letter_comes_from_somewhere(text, words):
    folded = fold_text(text, words=words)
    assert len(folded.spans) == len(folded.text)
    assert all(0 <= begin < end <= len(text) for begin, end in folded.spans)
    assert list(folded.spans) == sorted(folded.spans)


@settings(deadline=None)
@given(ANYTHING)
def test_a_folded_letter_lands_on_the_letter_it_came_from(text):
    folded = fold_text(text)
    for letter, (begin, end) in zip(folded.text, folded.spans, strict=True):
        assert letter in fold(text[begin:end])


@settings(deadline=None)
@given(ANYTHING)
def test_only_editorial_signs_are_dropped(text):
    covered = {place for begin, end in fold_text(text).spans for place in range(begin, end)}
    lost = {text[place] for place in range(len(text)) if place not in covered}
    assert lost <= set("[](){}<>⟨⟩〈〉‹›†|")


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["Vīnum", "adfer", "ÆNEAS", "sequuntur", "exspecto", "vo\u0304x", "λόγον"]),
        min_size=1,
    )
)
def test_every_word_of_a_folded_text_leads_back_to_the_original(words):
    text = " ".join(words)
    folded = fold_text(text, words=True)
    at = 0
    for word in words:
        length = len(fold_word(word))
        begin, end = folded.span(at, at + length)
        assert text[begin:end] == word
        at += length + 1


def test_a_span_includes_the_accents_and_brackets_inside():
    original = "Ænea\u0304s uir[um]"
    folded = fold_text(original)
    assert folded.text == "aeneas uirum]"
    assert [original[slice(*folded.span(*place))] for place in ((0, 2), (0, 6), (7, 12))] == [
        "Æ",
        "Ænea\u0304s",
        "uir[um",
    ]


@pytest.mark.parametrize(
    ("word", "folded", "sources"),
    [
        ("sequuntur", "secuntur", "sequntur"),
        ("adfero", "affero", "adfero"),
        ("adspicio", "aspicio", "aspicio"),
        ("exspecto", "expecto", "expecto"),
        ("Œquus", "oecus", "ŒŒqus"),
    ],
)
def test_respelled_letters_come_from_the_letters_they_replace(word, folded, sources):
    found = fold_text(word, words=True)
    assert found.text == folded
    assert "".join(word[begin:end] for begin, end in found.spans) == sources


@pytest.mark.parametrize(("start", "end"), [(0, 0), (2, 2), (3, 1)])
def test_an_empty_span_is_refused(start, end):
    with pytest.raises(ParameterError, match=rf"end must be at least {start + 1} \(got {end}\)"):
        fold_text("arma").span(start, end)


def test_nothing_folds_to_nothing():
    assert fold_text("") == Folded("", ())
    assert fold_text("", words=True) == Folded("", ())


@settings(deadline=None)
@given(st.lists(ANYTHING | LATIN | st.text(alphabet="adconisubefxqquw[]VJ\n", max_size=9)))
def test_many_words_are_folded_like_each_of_them(words):
    assert fold_words(words) == [fold_word(word) for word in words]


def test_every_prefix_that_changes_is_looked_for_when_many_words_are_folded():
    starts = ["".join(letters) for letters in product(ascii_lowercase, repeat=4)]
    changed = [start for start in starts if fold_word.__wrapped__(f"{start}um") != f"{start}um"]
    folded = fold_words([f"{start}um" for start in changed])
    assert len(changed) > 500
    assert folded == [fold_word.__wrapped__(f"{start}um") for start in changed]
