"""The inverted index of lemmas."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import Document, Index, Segment
from locisimiles.evidence.lemma_index import LemmaIndex, StoredLemmaIndex, lemma_index
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


@settings(max_examples=20)
@given(TEXTS, st.integers(1, 3))
def test_an_index_on_disk_counts_the_same(tmp_path_factory, texts, window):
    segments = [Segment(f"{n}", text, work=f"w{n % 2}") for n, text in enumerate(texts)]
    stored = Index.build(tmp_path_factory.mktemp("lemmas") / "i", Document.from_segments(segments))
    on_disk = lemma_index(stored, None, window)
    in_memory = lemma_index(Document.from_segments(stored), None, window)
    assert isinstance(on_disk, StoredLemmaIndex)
    numbers = [number(lemma) for lemma in LEMMAS]
    for one in numbers:
        assert on_disk.texts_with(one).tolist() == in_memory.texts_with(one).tolist()
        for other in numbers:
            both = (index.texts_with_both(one, other) for index in (on_disk, in_memory))
            assert one == other or len({tuple(rows) for rows in both}) == 1
    assert on_disk.explained(numbers).tolist() == in_memory.explained(numbers).tolist()
    for row in range(len(texts)):
        best = {
            (rarity, *sorted(lemmas))
            for index in (on_disk, in_memory)
            for rarity, lemmas in [index.best_stretch(row, numbers, 3)]
        }
        assert len(best) == 1
