"""Abbreviations with a full stop."""

import pytest

from locisimiles.latin import analyse, fold_word, lemmatize, tokenize
from locisimiles.latin.abbreviations import ABBREVIATIONS


def kinds(text):
    return [(token.text, token.kind) for token in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("M. Tullius", [("M.", "abbreviation"), ("Tullius", "word")]),
        ("M'. Curius", [("M'.", "abbreviation"), ("Curius", "word")]),
        ("M’. Curius", [("M’.", "abbreviation"), ("Curius", "word")]),
        ("C. Caesar", [("C.", "abbreviation"), ("Caesar", "word")]),
        ("Cn. Pompeius", [("Cn.", "abbreviation"), ("Pompeius", "word")]),
        ("C.Caesar", [("C.", "abbreviation"), ("Caesar", "word")]),
        ("Kal. Ian.", [("Kal.", "abbreviation"), ("Ian.", "abbreviation")]),
        ("L. Murena cos.", [("L.", "abbreviation"), ("Murena", "word"), ("cos.", "abbreviation")]),
        ("uidit M.", [("uidit", "word"), ("M.", "abbreviation")]),
        ("M.", [("M.", "abbreviation")]),
        ("M...", [("M.", "abbreviation")]),
    ],
)
def test_an_abbreviation_has_its_stop(text, cut):
    assert kinds(text) == cut


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("nix.", [("nix", "word")]),
        ("Non. Id.", [("Non", "word"), ("Id", "word")]),
        ("A Caesare", [("A", "word"), ("Caesare", "word")]),
        ("m. tullius", [("m", "word"), ("tullius", "word")]),
        ("M .", [("M", "numeral")]),
        ("M, D", [("M", "numeral"), ("D", "numeral")]),
        ("M' Curius", [("M", "numeral"), ("Curius", "word")]),
        ("P'. Curius", [("P", "word"), ("Curius", "word")]),
        ("XII.", [("XII", "numeral")]),
    ],
)
def test_a_word_has_no_stop(text, cut):
    assert kinds(text) == cut


@pytest.mark.parametrize("short", sorted(ABBREVIATIONS))
def test_every_abbreviation_is_found_with_its_place_and_lemma(short):
    text = f"uidit {short}. Caesar"
    token = tokenize(text)[1]
    assert token == (f"{short}.", 6, 7 + len(short), "abbreviation")
    analysis = analyse([token.text])[0]
    assert (analysis.lemma, analysis.pos) == ABBREVIATIONS[short]
    for mode in ("context", "fast"):
        assert lemmatize([token.text], mode) == [ABBREVIATIONS[short].lemma]


@pytest.mark.parametrize(
    ("text", "lemma"),
    [
        ("M.", "marcus"),
        ("M'.", "manius"),
        ("C.", "gaius"),
        ("Kal.", "kalendae"),
        ("cos.", "consul"),
    ],
)
def test_an_abbreviation_is_what_it_stands_for(text, lemma):
    assert lemmatize([token.text for token in tokenize(text)]) == [lemma]


def test_both_apostrophes_are_the_same_name():
    assert lemmatize(["M’."]) == lemmatize(["M'."])


@pytest.mark.parametrize("analysis", sorted(set(ABBREVIATIONS.values())))
def test_lemmas_of_abbreviations_are_folded(analysis):
    assert fold_word(analysis.lemma) == analysis.lemma
