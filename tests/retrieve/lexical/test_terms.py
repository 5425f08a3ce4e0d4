"""What a text is to a sparse retriever."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import ParameterError
from locisimiles.index import TextPart
from locisimiles.latin import lemmatize
from locisimiles.retrieve.lexical.terms import TermKind, term_function, weighted_terms


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
def test_stop_words_are_terms_too(kind):
    assert term_function(kind)(["et et"]) == [["et", "et"]]


def test_an_unknown_kind_is_refused_with_the_choices():
    with pytest.raises(ParameterError) as caught:
        term_function("stem")
    assert str(caught.value) == (
        "unknown terms 'stem'; "
        "choose one of lemma, surface, analyses, bigrams, skipgrams, characters"
    )


def test_neighbours_make_bigrams_in_their_order():
    assert term_function("bigrams")(["arma uirum cano", "arma", ""]) == [
        ["arma uir", "uir cano"],
        [],
        [],
    ]


def test_skipgrams_are_pairs_in_any_order_without_stop_words():
    one, other = term_function("skipgrams")(["arma et uirum", "uirum in armis"])
    assert one == other == ["arma uir"]


def test_skipgrams_reach_no_further_than_their_window():
    (terms,) = term_function("skipgrams")(["arma uirum cano Troia ora Italia"])
    assert "arma italia" not in terms
    assert "arma uir" in terms


def test_a_word_does_not_pair_with_itself():
    assert term_function("skipgrams")(["arma arma"]) == [[]]


@given(st.text(alphabet="abcuvij ", max_size=30))
@settings(deadline=None)
def test_runs_of_letters_are_parts_of_marked_words(text):
    (words,) = term_function("surface")([text])
    (runs,) = term_function("characters")([text])
    marked = [f"<{word}>" for word in words]
    expected = [
        word[at : at + length]
        for word in marked
        for length in (3, 4, 5)
        for at in range(len(word) - length + 1)
    ]
    assert runs == expected


def test_analyses_count_by_their_probability():
    found = weighted_terms("analyses")(TextPart.of(["cano 12 uirum", ""]))
    assert [len(own) for own in found.terms] == [len(own) for own in found.weights]
    assert {"cano", "uir"} <= set(found.terms[0])
    assert all(0 < weight <= 1 for own in found.weights for weight in own)
    assert found.terms[1] == []


@pytest.mark.parametrize("kind", get_args(TermKind))
@given(texts=st.lists(st.text(), max_size=3))
@settings(deadline=None, max_examples=30)
def test_any_text_has_terms_of_every_kind(kind, texts):
    assert len(term_function(kind)(texts)) == len(texts)


def test_kinds_can_be_joined_and_do_not_mix():
    found = weighted_terms("surface+lemma")(TextPart.of(["arma cano", ""]))
    assert found.terms == [["surface:arma", "surface:cano", "lemma:arma", "lemma:cano"], []]
    assert found.weights == [[1.0] * 4, []]


def test_a_repeated_kind_is_refused():
    with pytest.raises(ParameterError, match="repeat a kind"):
        term_function("lemma+lemma")
