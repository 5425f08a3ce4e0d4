"""A word of a passage: lemmas, dictionary, frequencies."""

import pytest

from locisimiles.app.results.words import forms_in_project, look_up
from locisimiles.errors import InputError
from locisimiles.latin import Frequencies


def test_a_form_has_its_lemmas_with_probabilities():
    lemmas = look_up("canis").parts[0].lemmas
    assert {"canis", "canus"} <= {one.lemma for one in lemmas}
    chances = [one.probability for one in lemmas]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) == pytest.approx(1, abs=0.05)
    assert lemmas[0].entries[0].headword == "canis"
    assert lemmas[0].sentences == Frequencies.shipped().count("canis") > 1000


def test_spelling_does_not_matter():
    assert [one.lemma for one in look_up("VOX").parts[0].lemmas] == ["uox"]


@pytest.mark.parametrize("form", ["", "!?", "a" * 81])
def test_what_is_no_word_is_an_error(form):
    with pytest.raises(InputError, match="no word"):
        look_up(form)


def test_greek_and_names_have_no_entry():
    for form in ("λόγος", "Nabuchodonosor"):
        assert look_up(form).parts[0].lemmas[0].entries == ()


def test_forms_are_counted_in_the_texts_of_a_search(searched):
    forms = forms_in_project(searched, "uox")
    assert forms["query"]["uox"] >= 1
    assert forms["source"]["uox"] >= 3
