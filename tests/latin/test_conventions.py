"""Where treebanks and dictionaries call the same word by different lemmas."""

from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.latin.conventions import lemma_class, spell_lemma
from locisimiles.latin.orthography import fold_word

ROWS = [
    line.split("\t")
    for line in (resources.files("locisimiles.latin") / "data" / "conventions.tsv")
    .read_text(encoding="utf-8")
    .splitlines()
]
TABLE = ROWS[1:]
REASONS = {
    *("spelling", "pronoun", "comparison", "adverb"),
    *("plural", "substantive", "deponent", "participle"),
}


SPELLED = """
    volo1 uolo, uolo_2 uolo, cum#2 cum, intelligo intellego, ex(s)isto existo, adfero affero,
    exspecto expecto, Juppiter iupiter, Cæsar caesar, equus equus, aequus aequus, coquus coquus,
    ac atque, e ex, coelum caelum, littera littera, bellum bellum, -que que, λόγος λόγος
"""


@pytest.mark.parametrize(
    ("lemma", "spelled"), [*(pair.split() for pair in SPELLED.split(",")), ("", ""), ("12", "")]
)
def test_a_lemma_is_converted_to_our_spelling(lemma, spelled):
    assert spell_lemma(lemma) == spelled


CLASSES = """
    nos ego, facile facilis, optimus bonus, abditus abdo, ego ego, uox uox, nescioquid nescioquid
"""


@pytest.mark.parametrize(("lemma", "of_class"), [pair.split() for pair in CLASSES.split(",")])
def test_lemmas_that_differ_by_convention_are_of_one_class(lemma, of_class):
    assert lemma_class(lemma) == of_class


@pytest.mark.parametrize(
    ("one", "other"), [("bellum", "bellus"), ("latus", "fero"), ("fere", "ferus"), ("os", "ora")]
)
def test_words_that_look_alike_are_kept_apart(one, other):
    assert lemma_class(one) != lemma_class(other)


def test_the_table_gives_a_lemma_its_class_and_a_reason():
    assert ROWS[0] == ["lemma", "class", "why"]
    assert {why for _, _, why in TABLE} == REASONS
    assert all(len(row) == 3 and all(row) for row in TABLE)


def test_a_lemma_is_in_the_table_once():
    lemmas = [lemma for lemma, _, _ in TABLE]
    assert sorted(lemmas) == sorted(set(lemmas))
    assert lemmas == sorted(lemmas)


def test_the_class_of_a_class_is_itself_in_our_spelling():
    for _, of_class, _ in TABLE:
        assert lemma_class(of_class) == of_class
        assert spell_lemma(of_class) == of_class


def test_lemmas_of_the_table_are_in_our_spelling():
    for lemma, of_class, why in TABLE:
        assert spell_lemma(lemma) == (of_class if why == "spelling" else lemma)
        assert lemma_class(lemma) == of_class != lemma


@settings(deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzæāABCDIV") | st.sampled_from(TABLE).map(min))
def test_spelling_twice_changes_nothing_more(lemma):
    assert spell_lemma(spell_lemma(lemma)) == spell_lemma(lemma)


@settings(deadline=None)
@given(st.text(alphabet=st.characters()))
def test_any_lemma_can_be_spelled_and_classed(lemma):
    assert isinstance(lemma_class(spell_lemma(lemma)), str)


@settings(deadline=None)
@given(st.text(alphabet="abcdefghiklmnopqrstuxyz"), st.sampled_from(["", "1", "_2", "#3", "12"]))
def test_numbers_of_homonyms_and_case_make_no_difference(lemma, number):
    assert spell_lemma(lemma.upper() + number) == spell_lemma(lemma)


@settings(deadline=None)
@given(st.text(alphabet="adeinosubcfglprt", min_size=5))
def test_lemmas_are_folded_like_words(lemma):
    spelled = spell_lemma(lemma)
    assert spelled == fold_word(lemma) or [fold_word(lemma), spelled, "spelling"] in TABLE


def test_only_spellings_change_the_spelling():
    spelt = {lemma: spell_lemma(lemma) for lemma, _, _ in TABLE}
    for lemma, of_class, why in TABLE:
        assert spelt[lemma] == (of_class if why == "spelling" else lemma), (lemma, why)
