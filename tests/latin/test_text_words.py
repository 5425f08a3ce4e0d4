"""The words of texts as numbers."""

import numpy as np

from locisimiles.latin import lemmatize, tokenize
from locisimiles.latin.frequencies import Frequencies
from locisimiles.latin.text_words import Lexicon, TextWords, is_content_lemma


def test_words_are_those_of_the_tokenizer_with_their_lemmas():
    texts = ["Arma virumque cano, 12", "", "ARMA"]
    words = TextWords.read(texts)
    for row, text in enumerate(texts):
        own = words.of(row)
        tokens = tokenize(text)
        assert words.start[own].tolist() == [token.start for token in tokens]
        assert words.end[own].tolist() == [token.end for token in tokens]
        lemmas = [words.lexicon.lemmas[lemma] for lemma in words.lemma[own]]
        assert lemmas == lemmatize([token.text for token in tokens], "fast")
    assert words.content.tolist() == [True, True, False, True, False, True]
    assert words.form[0] == words.form[-1]
    assert len(words) == 3


def test_a_part_has_the_words_of_some_texts():
    texts = ["arma", "uox faucibus", "haesit"]
    whole, part = TextWords.read(texts), TextWords.read(texts).part(1, 3)
    assert len(part) == 2
    assert part.bounds.tolist() == [0, 2, 3]
    assert np.array_equal(part.lemma, whole.lemma[1:])
    assert part.start.tolist() == [0, 4, 0]


def test_analyses_are_likely_lemmas_of_content_words():
    words = TextWords.read(["uiris modo"])
    lemmas, chances = words.lexicon.analyses(words.word)
    named = [[words.lexicon.lemmas[lemma] for lemma in row if lemma >= 0] for row in lemmas]
    assert named == [["uir", "uis"], ["modus"]]
    assert chances[0, 0] > chances[0, 1] > 0.1
    assert chances[0, 2] == 0


def test_all_texts_share_one_lexicon():
    assert TextWords.read(["arma"]).lexicon is TextWords.read(["uox"]).lexicon is Lexicon.shared()


def test_function_words_and_figures_are_no_content():
    assert [is_content_lemma(lemma) for lemma in ("et", "12", "uox")] == [False, False, True]


def test_frequencies_are_those_of_the_lemmas_and_each_is_looked_up_once(monkeypatch):
    lexicon, asked = Lexicon(), []
    known, rarity = Frequencies.shipped(), Frequencies.rarity

    def noted(self, lemma):
        asked.append(lemma)
        return rarity(self, lemma)

    monkeypatch.setattr(Frequencies, "rarity", noted)
    for words in (["uox", "et"], ["uox", "et"], ["uox", "et", "nescioquidnam"], []):
        lexicon.learn(words)
        rarities, rows = lexicon.frequencies()
        assert rarities.tolist() == [rarity(known, lemma) for lemma in lexicon.lemmas]
        assert rows.tolist() == known.rows_of(lexicon.lemmas).tolist()
    assert asked == lexicon.lemmas
    assert len(asked) == 3
