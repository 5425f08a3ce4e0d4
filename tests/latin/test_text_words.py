"""The words of texts as numbers."""

import numpy as np
import pytest

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
    first = TextWords.read(texts).part(0, 2)
    assert first.bounds.tolist() == [0, 1, 3]
    assert [first.of(row) for row in range(2)] == [slice(0, 1), slice(1, 3)]


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


def test_a_new_lexicon_analyses_what_it_learnt_since():
    lexicon = Lexicon()
    lexicon.learn(["uiris"])
    first = lexicon.analyses(np.array([0, 0]))
    lexicon.learn(["uiris", "et", "12", "modo"])
    lemmas, chances = lexicon.analyses(np.array([3, 1, 2, 0]))
    named = [[lexicon.lemmas[lemma] for lemma in row if lemma >= 0] for row in lemmas]
    assert named == [["modus"], [], [], ["uir", "uis"]]
    assert (lemmas[3].tolist(), chances[3].tolist()) == (first[0][0].tolist(), first[1][1].tolist())
    assert first[0][0].tolist() == first[0][1].tolist()
    assert (chances[1] == 0).all()
    assert (lemmas[1] == -1).all()


def test_words_and_forms_are_numbered_as_they_come():
    lexicon = Lexicon()
    lexicon.learn(["Arma", "arma", "armorum", "uox"])
    assert lexicon.form.tolist() == [0, 0, 1, 2]
    assert lexicon.lemma.tolist() == [0, 0, 0, 1]
    assert lexicon.lemmas == ["arma", "uox"]
    lexicon.learn(["Arma", "arma", "armorum", "uox"])  # nothing is new
    assert len(lexicon.form) == 4
    assert lexicon.number("uox") == 1
    assert lexicon.number("fax") == 2
    assert lexicon.is_content(np.array([0, 2])).tolist() == [True, True]


@pytest.mark.parametrize(("word", "is_content"), [("et", False), ("12", False), ("uox", True)])
def test_the_first_lemma_is_content_or_not(word, is_content):
    lexicon = Lexicon()
    lexicon.learn([word])
    assert lexicon.is_content(np.array([0])).tolist() == [is_content]
    lexicon.learn([word, "arma", "que"])
    assert lexicon.is_content(np.array([2, 1, 0])).tolist() == [False, True, is_content]


def test_less_likely_lemmas_are_left_out(monkeypatch):
    """At most three, each likely enough; what treebanks split by part of speech counts together."""
    from locisimiles.latin import text_words
    from locisimiles.latin.lemmas import AnalysedToken, WeightedAnalysis

    def analysis(*found):
        one = tuple(WeightedAnalysis(lemma, pos, chance) for lemma, pos, chance in found)
        return AnalysedToken("x", one, "lexicon")

    least = text_words._LEAST_PROBABILITY
    known = {
        "a": analysis(("uir", "NOUN", 0.4), ("uis", "NOUN", 0.3), ("uir", "ADJ", 0.3)),
        "b": analysis(("et", "CCONJ", 0.5), ("uox", "NOUN", 0.5)),
        "c": analysis(*((name, "NOUN", 0.25) for name in ("fax", "dux", "uox", "arx"))),
        "d": analysis(("arx", "NOUN", 0.5), ("arx", "NOUN", 0.4), ("dux", "NOUN", 0.001)),
        "e": analysis(("arx", "NOUN", 1 - least), ("dux", "NOUN", least)),
    }
    asked = []

    class Known:
        def analyse(self, words, mode):
            assert mode == "fast"
            asked.extend(words)
            return [known[word] for word in words]

        def lemmatize(self, words, _):
            return words

    monkeypatch.setattr(text_words.Lemmatizer, "shipped", Known)
    lexicon = Lexicon()
    lexicon.learn([*known])
    for _ in range(2):
        lemmas, chances = lexicon.analyses(np.array([0, 1, 2, 3, 4, 4]))
    assert asked == [*known]  # each once
    named = [
        [(lexicon.lemmas[number], round(chance, 3)) for number, chance in zip(*row, strict=True)
         if number >= 0]
        for row in zip(lemmas.tolist(), chances.tolist(), strict=True)
    ]  # fmt: skip
    assert named[0] == [("uir", 0.7), ("uis", 0.3)]
    assert named[1] == [("uox", 0.5)]
    assert named[2] == [("arx", 0.25), ("dux", 0.25), ("fax", 0.25)]
    assert named[3] == [("arx", 0.9)]
    assert named[4] == [("arx", round(1 - least, 3)), ("dux", round(least, 3))]
