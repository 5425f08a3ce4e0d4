"""Works as sequences of words."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Segment
from locisimiles.benchmark.sets.words import WorkWords, folded_words, locus_key, word_overlap

texts = st.lists(st.text("abuvij ,./0", max_size=20), min_size=1, max_size=8)
bags = st.text("abcd", max_size=8).map(Counter)


def segments(*texts):
    return [Segment(f"a. {n}.1", text, locus=str(n)) for n, text in enumerate(texts, 1)]


def test_words_are_folded_and_without_punctuation():
    assert folded_words("Jam, vērum — 3 / Æneas!") == ("iam", "uerum", "aeneas")


@pytest.mark.parametrize(
    ("first", "second", "overlap"),
    [("", "", 0), ("a", "", 0), ("ab", "ab", 1), ("aab", "ab", 4 / 5), ("abc", "cde", 1 / 3)],
)
def test_overlap_by_hand(first, second, overlap):
    assert word_overlap(Counter(first), Counter(second)) == pytest.approx(overlap)


@given(bags, bags)
def test_overlap_is_symmetric_and_1_only_for_the_same_words(first, second):
    overlap = word_overlap(first, second)
    assert overlap == word_overlap(second, first)
    assert 0 <= overlap <= 1
    assert (overlap == 1) == (first == second and bool(first))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [("1.9", "1.10"), ("2", "10.1"), ("0249c", "0249d"), ("0249d", "0250a"), ("1", "1.1")],
)
def test_loci_in_order(earlier, later):
    assert locus_key(earlier) < locus_key(later)


@given(texts)
def test_every_word_belongs_to_the_segment_it_stands_in(texts):
    work = WorkWords.of(segments(*texts))
    for number, text in enumerate(texts):
        assert work.words_of(number) == (folded_words(text) or ("",))
        for position in range(work.begins[number], work.begins[number + 1]):
            assert work.segment_at(position) == number
            start, end = work.offsets[position]
            if work.words[position]:
                assert folded_words(text[start:end]) == (work.words[position],)


def test_segments_without_words_have_positions_of_their_own():
    work = WorkWords.of(segments("12.", "...", "tu"))
    assert work.begins == (0, 1, 2, 3)


def test_an_unknown_id_is_placed_by_its_locus():
    work = WorkWords.of([Segment(f"a. 2.{n}.1", "tu", locus=f"2.{n}-2.{n + 1}") for n in (1, 9)])
    assert work.place_of("a. 2.9.1", "wherever") == 1
    assert work.place_of("a. 2.5.1", "2.5") == 1
    assert work.place_of("a. 2.10.1", "2.10") == 2
