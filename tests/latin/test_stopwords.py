"""Words too common to make a parallel."""

import pytest

from locisimiles.latin import STOPWORDS, fold_word, lemmatize, tokenize
from locisimiles.latin.conventions import spell_lemma


def test_stopwords_are_single_words_in_the_folded_spelling():
    for word in STOPWORDS:
        assert [fold_word(token.text) for token in tokenize(word)] == [word]


@pytest.mark.parametrize(
    "word", ["et", "in", "qui", "non", "sum", "ut", "uel", "siue", "que", "ne", "ue", "hic", "ex"]
)
def test_function_words_are_stopwords(word):
    assert word in STOPWORDS


@pytest.mark.parametrize(
    "text",
    [
        "et in ex a ab de cum per pro sub",
        "est sunt erat fuit esse sit",
        "qui quae quod cuius quem quibus",
        "hic haec hoc huius hunc his",
        "ille illa illud illius is ea id eius",
        "non sed autem enim nam igitur ergo tamen",
        "si nisi ut cum dum quia quoniam",
        "me mihi te tibi se sibi nos uobis",
        "uirumque hominesne terraue",
    ],
)
def test_function_words_are_found_in_texts_by_their_lemmas(text):
    tokens = tokenize(text)
    lemmas = lemmatize([token.text for token in tokens], "fast")
    content = {"uir", "homo", "terra"}
    assert set(lemmas) - content <= STOPWORDS


@pytest.mark.parametrize(
    "word",
    ["arma", "uox", "amor", "deus", "omnis", "animus", "patientia", "dico", "facio", "magnus"],
)
def test_content_words_are_not_stopwords(word):
    assert word not in STOPWORDS


def test_other_spellings_of_a_stopword_are_stopwords():
    assert {spell_lemma(word) for word in STOPWORDS} <= STOPWORDS


def test_the_list_cannot_be_changed():
    assert isinstance(STOPWORDS, frozenset)
