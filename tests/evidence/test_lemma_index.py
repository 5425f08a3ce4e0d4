"""The inverted index of lemmas."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.evidence.lemma_index import LemmaIndex
from locisimiles.latin.text_words import Lexicon, TextWords

LEMMAS = ["uox", "rosa", "mare", "arma"]
TEXTS = st.lists(
    st.lists(st.sampled_from([*LEMMAS, "et"]), max_size=7).map(" ".join), min_size=1, max_size=6
)


def number(lemma):
    return Lexicon.shared().number(lemma)


def content(text):
    return [word for word in text.split() if word != "et"]


@settings(deadline=None)
@given(TEXTS, st.integers(1, 3))
def test_counts_agree_with_a_naive_loop(texts, window):
    index = LemmaIndex(TextWords.read(texts), window)
    for one in LEMMAS:
        rows = [row for row, text in enumerate(texts) if one in text.split()]
        assert index.texts_with(number(one)).tolist() == rows
        assert index.count(number(one)) == len(rows)
        assert index.rarity(number(one)) == pytest.approx(
            math.log((len(texts) + 1) / (len(rows) + 1))
        )
        for other in LEMMAS:
            if one == other:
                continue
            expected = [
                row
                for row, text in enumerate(texts)
                if any(
                    {a, b} == {one, other} and abs(i - j) <= window
                    for i, a in enumerate(content(text))
                    for j, b in enumerate(content(text))
                )
            ]
            assert index.texts_with_both(number(one), number(other)).tolist() == expected


@settings(deadline=None)
@given(TEXTS, st.sets(st.sampled_from(LEMMAS), min_size=1), st.integers(1, 4))
def test_the_best_stretch_agrees_with_a_naive_loop(texts, wanted, width):
    index = LemmaIndex(TextWords.read(texts), 2)
    for row, text in enumerate(texts):
        words = content(text)
        stretches = [set(words[at : at + width]) & wanted for at in range(len(words))]
        values = [sum(index.rarity(number(w)) for w in found) for found in stretches]
        value, found = index.best_stretch(row, [number(w) for w in sorted(wanted)], width)
        assert value == pytest.approx(max(values, default=0))
        assert value == pytest.approx(sum(map(index.rarity, found)))
        # What a text has anywhere is never less, which ends the search for rivals early.
        anywhere = index.explained([number(w) for w in sorted(wanted)])[row]
        assert anywhere >= value - 1e-9
        assert anywhere == pytest.approx(sum(index.rarity(number(w)) for w in wanted & set(words)))


def test_words_of_different_texts_never_stand_together():
    index = LemmaIndex(TextWords.read(["uox", "rosa"]), 5)
    assert index.texts_with_both(number("uox"), number("rosa")).tolist() == []


def test_an_unknown_lemma_is_nowhere():
    index = LemmaIndex(TextWords.read(["uox"]), 5)
    assert index.count(number("nescioquid")) == 0
    assert index.texts_with(number("nescioquid")).tolist() == []
    assert index.texts_with_both(number("nescioquid"), number("uox")).tolist() == []
