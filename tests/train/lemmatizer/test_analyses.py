"""Analyses of forms in treebanks, and rules from forms to lemmas."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.latin.guesser import LONGEST_ENDING, Analysis, Rule
from locisimiles.train.lemmatizer.analyses import (
    CLOSED_CLASSES,
    count_analyses,
    endings_of,
    prepare,
    rule_of,
)

FORMS = st.text(alphabet="aeimnostru", min_size=1, max_size=14)
SILUA = Analysis("silua", "NOUN")


def test_forms_and_lemmas_are_brought_into_our_spelling(make_text):
    text = make_text("Vīrum/vir1/NOUN Adfert/adfero/VERB\nCæsar/Caesar/PROPN x//NOUN 12/12/NUM")
    assert prepare([text]) == [
        [("uirum", Analysis("uir", "NOUN")), ("affert", Analysis("affero", "VERB"))],
        [("caesar", Analysis("caesar", "PROPN"))],
    ]


def test_analyses_are_counted():
    canis, cano = Analysis("canis", "NOUN"), Analysis("cano", "VERB")
    counts = count_analyses([[("canis", canis), ("canis", cano)], [("canis", canis)]])
    assert counts.analyses["canis"] == {canis: 2, cano: 1}
    assert counts.known == {canis: 2, cano: 1}


def test_an_untagged_analysis_gets_the_most_frequent_tag_of_its_lemma():
    tagged, other = Analysis("cum", "ADP"), Analysis("cum", "SCONJ")
    untagged, alone = Analysis("cum", ""), Analysis("quom", "")
    words = [tagged, tagged, other, untagged, untagged, alone]
    counts = count_analyses([[("cum", analysis) for analysis in words]])
    assert counts.analyses["cum"] == {tagged: 4, other: 1, alone: 1}
    assert counts.known == counts.analyses["cum"]


def test_rules_are_counted_for_forms_not_for_occurrences():
    sentence = [("siluarum", SILUA)] * 3 + [("rosarum", Analysis("rosa", "NOUN"))]
    rules = count_analyses([sentence]).rules
    rule = Rule(3, "", "NOUN")
    assert {ending: rules[ending][rule] for ending in ("rum", "arum", "uarum", "sarum")} == {
        "rum": 2,
        "arum": 2,
        "uarum": 1,
        "sarum": 1,
    }
    assert "um" not in rules


@pytest.mark.parametrize(
    ("form", "lemma", "rule"),
    [
        ("siluarum", "silua", (3, "")),
        ("uirum", "uir", (2, "")),
        ("tulit", "fero", (5, "fero")),
        ("amo", "amo", (0, "")),
        ("am", "amo", (0, "o")),
    ],
)
def test_a_rule_leads_from_form_to_lemma(form, lemma, rule):
    assert rule_of(form, Analysis(lemma, "X")) == (*rule, "X")


@settings(deadline=None)
@given(FORMS, FORMS)
def test_a_rule_makes_the_lemma_it_was_learnt_from(form, lemma):
    rule = rule_of(form, Analysis(lemma, "NOUN"))
    assert form[: len(form) - rule.cut] + rule.add == lemma
    assert 0 <= rule.cut <= len(form)


@settings(deadline=None)
@given(FORMS, FORMS)
def test_endings_contain_the_letters_that_are_cut(form, lemma):
    for ending, rule in endings_of(form, Analysis(lemma, "NOUN")):
        assert form.endswith(ending)
        assert max(rule.cut, 1) <= len(ending) <= LONGEST_ENDING


@pytest.mark.parametrize("pos", sorted(CLOSED_CLASSES))
def test_closed_classes_have_no_rules(pos):
    assert list(endings_of("siluarum", Analysis("silua", pos))) == []


@pytest.mark.parametrize(("form", "lemma"), [("am", "amo"), ("praestiterunt", "x")])
def test_short_or_dissimilar_forms_have_no_rules(form, lemma):
    assert list(endings_of(form, Analysis(lemma, "VERB"))) == []
