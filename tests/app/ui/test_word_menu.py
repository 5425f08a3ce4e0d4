"""The entry of a word as HTML."""

from locisimiles.app.results.words import LemmaFacts, WordFacts, WordPart, look_up
from locisimiles.app.ui.translator import Translator
from locisimiles.app.ui.word_menu import word_entry
from locisimiles.latin.dictionary import DictionaryEntry


def test_senses_are_english_in_every_language():
    html = word_entry(look_up("faucibus"), None, translate=Translator("de"))
    assert '<dd lang="en">' in html
    assert "englisch" in html
    assert "2\u202f511\u202f346" in html or "2.511.346" in html


def test_forms_are_listed_with_their_counts_and_sides_without_any_left_out():
    forms = {"faux": {"query": {"faucibus": 1200}, "source": {}}}
    html = word_entry(look_up("faucibus"), forms, translate=Translator("en"))
    assert 'In your text 1,200 times: <span lang="la">faucibus</span> 1,200' in html
    assert "In the sources" not in html


def test_several_lemmas_have_their_probabilities():
    html = word_entry(look_up("canis"), None, translate=Translator("en"))
    assert "canus" in html
    assert "%" in html


def test_everything_is_escaped():
    attack = "<script>"
    entry = DictionaryEntry(attack, attack, "NOUN", (attack,))
    lemmas = (LemmaFacts(attack, "NOUN", 0.5, (entry,), 1), LemmaFacts(attack, "X", 0.5, (), 0))
    word = WordFacts(attack, (WordPart(attack, lemmas),), 10)
    forms = {attack: {"query": {attack: 1}, "source": {attack: 2}}}
    assert attack not in word_entry(word, forms, translate=Translator("en"))
