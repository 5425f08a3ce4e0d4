"""Words too common to make a parallel."""

import pytest

from locisimiles.latin import STOPWORDS, fold, tokenize


@pytest.mark.parametrize("word", sorted(STOPWORDS))
def test_stopwords_are_single_words_in_the_folded_spelling(word):
    assert [fold(token.text) for token in tokenize(word)] == [word]


@pytest.mark.parametrize("word", ["et", "in", "qui", "non", "sum", "est", "ut", "uel", "siue"])
def test_function_words_are_stopwords(word):
    assert word in STOPWORDS


@pytest.mark.parametrize("word", ["arma", "uox", "amor", "deus", "omnis", "animus", "patientia"])
def test_words_with_a_meaning_of_their_own_are_not(word):
    assert word not in STOPWORDS


def test_nobody_can_change_the_list():
    assert isinstance(STOPWORDS, frozenset)
