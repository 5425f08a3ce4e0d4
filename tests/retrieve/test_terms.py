"""What a text is to a sparse retriever."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import ParameterError
from locisimiles.latin import lemmatize
from locisimiles.retrieve.terms import term_function


def test_surface_terms_are_folded_words_in_order():
    terms = term_function("surface")(["Vox, vōx / Jam ædes 3!", "", "arma virumque"])
    assert terms == [["uox", "uox", "iam", "aedes"], [], ["arma", "uirumque"]]


def test_lemma_terms_are_the_same_for_all_forms_of_a_word():
    one, other = term_function("lemma")(["Haesit uox!", "haeret voce"])
    assert one == other


def test_enclitics_are_terms_of_their_own_where_there_are_lemmas():
    assert term_function("lemma")(["uirumque"]) == [["uir", "que"]]


@pytest.mark.parametrize("mode", ["context", "fast"])
def test_lemmas_are_those_of_the_lemmatizer_that_was_chosen(mode):
    words = ["arma", "uirum", "que", "cano"]
    assert term_function("lemma", mode)(["arma uirumque cano 3"]) == [lemmatize(words, mode)]


def test_any_function_may_lemmatize():
    terms = term_function("lemma", lambda words: [word[:2] for word in words])
    assert terms(["arma uirum", "cano"]) == [["ar", "ui"], ["ca"]]


@given(st.lists(st.text()))
@settings(deadline=None)
def test_texts_do_not_mix(texts):
    together = term_function("lemma")(texts)
    assert together == [term_function("lemma")([text])[0] for text in texts]


@pytest.mark.parametrize("kind", ["lemma", "surface"])
@pytest.mark.parametrize("text", ["", "  ", "1 2 3 / ..."])
def test_a_text_without_words_has_no_terms(kind, text):
    assert term_function(kind)([text]) == [[]]


@pytest.mark.parametrize("kind", ["lemma", "surface"])
def test_function_words_are_terms_too(kind):
    assert term_function(kind)(["et et"]) == [["et", "et"]]


def test_an_unknown_kind_is_refused_with_the_choices():
    with pytest.raises(ParameterError) as caught:
        term_function("stem")
    assert str(caught.value) == "terms='stem' is unknown; choose one of lemma, surface"
