"""Other forms and other words."""

import random

import numpy as np
import pytest

from locisimiles.models.vectors import WordVectors
from locisimiles.train.late.alterations import WordChoices, nearest_lemmas, synonyms_by_sense

LEMMA = {"rex": "rex", "regis": "rex", "regem": "rex", "tyranni": "tyrannus", "et": "et"}


def choices(**synonyms):
    words = ["regis", "rex", "regis", "regem", "tyranni", "et"]
    return WordChoices.from_words(words, LEMMA, synonyms)


def test_forms_of_the_texts_are_sorted_by_frequency():
    assert choices().forms == {
        "rex": ("regis", "regem", "rex"),
        "tyrannus": ("tyranni",),
        "et": ("et",),
    }


def test_a_lemma_has_at_most_forty_forms():
    forms = [f"uerbum{number:02}" for number in range(60)]
    words = WordChoices.from_words(forms, dict.fromkeys(forms, "uerbum"), {})
    assert words.forms["uerbum"] == tuple(forms[:40])


def test_inflecting_gives_another_form_of_the_lemma():
    drawn = {choices().inflected("regis", random.Random(seed)) for seed in range(30)}
    assert drawn == {"rex", "regem"}
    assert choices().inflected("et", random.Random(0)) == "et"


def test_a_synonym_has_the_same_ending_if_possible():
    words = WordChoices.from_words(
        ["regis", "regem", "ducis", "ducem"],
        {"regis": "rex", "regem": "rex", "ducis": "dux", "ducem": "dux"},
        {"rex": ["dux", "not in the texts"]},
    )
    for seed in range(20):
        assert words.synonym("regis", random.Random(seed)) == "ducis"
    assert words.synonym("ducis", random.Random(0)) == "ducis"


def test_without_the_same_ending_any_form_is_a_synonym():
    assert choices(rex=["tyrannus"]).synonym("regem", random.Random(0)) == "tyranni"


def vectors(**rows):
    matrix = np.array(list(rows.values()), np.float32)
    return WordVectors.from_matrix(list(rows), matrix)


def test_nearest_lemmas_are_similar_and_exclude_the_lemma():
    known = vectors(mare=[1, 0], fluctus=[0.9, 0.1], lex=[0, 1], unda=[0.8, 0.3])
    found = nearest_lemmas(known, ["mare", "fluctus", "lex", "unda", "unknown"], most=2)
    assert set(found["mare"]) == {"fluctus", "unda"}
    assert "lex" not in found  # nothing is near enough
    assert "unknown" not in found


@pytest.mark.parametrize("lemmas", [[], ["mare"], ["mare", "fluctus"]])
def test_few_lemmas_have_few_neighbours(lemmas):
    found = nearest_lemmas(vectors(mare=[1, 0], fluctus=[1, 0.1]), lemmas)
    expected = {"mare": ["fluctus"], "fluctus": ["mare"]} if len(lemmas) == 2 else {}
    assert found == expected


def test_synonyms_share_a_sense():
    senses = [("1", "rex"), ("1", "dux"), ("2", "dux"), ("2", "caput"), ("3", "solus")]
    assert synonyms_by_sense(senses) == {
        "caput": ["dux"],
        "dux": ["caput", "rex"],
        "rex": ["dux"],
    }
