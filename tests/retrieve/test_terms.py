"""What a text is to a sparse retriever."""

import pytest

from locisimiles import ParameterError
from locisimiles.retrieve.terms import term_function


def test_surface_terms_are_folded_words_in_order():
    terms = term_function("surface")("Vox, vōx / Jam ædes 3!")
    assert terms == ["uox", "uox", "iam", "aedes"]


def test_lemma_terms_are_the_same_for_all_forms_of_a_word():
    assert term_function("lemma")("Haesit uox!") == term_function("lemma")("haeret voce")


@pytest.mark.parametrize("kind", ["lemma", "surface"])
@pytest.mark.parametrize("text", ["", "  ", "1 2 3 / ..."])
def test_a_text_without_words_has_no_terms(kind, text):
    assert term_function(kind)(text) == []


@pytest.mark.parametrize("kind", ["lemma", "surface"])
def test_function_words_are_terms_too(kind):
    assert term_function(kind)("et et") == ["et", "et"]


def test_an_unknown_kind_is_refused_with_the_choices():
    with pytest.raises(ParameterError) as caught:
        term_function("stem")
    assert str(caught.value) == "terms='stem' is unknown; choose one of lemma, surface"
