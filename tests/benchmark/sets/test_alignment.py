"""Labelled texts found in a work that is cut and spelt differently."""

import string
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Segment
from locisimiles.benchmark.sets.alignment import LEAST_OVERLAP, align_work
from locisimiles.benchmark.sets.gold import GoldSegment
from locisimiles.benchmark.sets.words import WorkWords


def work(*texts):
    return WorkWords.of(
        [Segment(f"verg. aen. 1.{n}.1", text, locus=f"1.{n}") for n, text in enumerate(texts, 1)]
    )


def gold(text, line=1, *others):
    return GoldSegment(f"verg. aen. 1.{line}.1", "Virgil", "verg. aen.", (text, *others))


def words_found(text, where, line=1):
    labelled = gold(text, line)
    passage = align_work([labelled], where)[labelled.id]
    return " ".join(where.words[passage.begin : passage.end])


def test_same_words_are_exact_whatever_their_spelling_and_punctuation():
    labelled = gold("Arma, VIRUMQUE — cano!")
    passage = align_work([labelled], work("tu", "arma uirumque cano", "ego"))[labelled.id]
    assert (passage.how, passage.score, passage.recut_score) == ("exact", 1, 1)
    assert (passage.begin, passage.end) == (1, 4)


@pytest.mark.parametrize(("line", "begin"), [(1, 0), (2, 0), (3, 4), (4, 4)])
def test_the_match_nearest_to_the_labelled_locus_is_taken(line, begin):
    where = work("arma cano", "tu ego", "arma cano", "ille")
    labelled = gold("arma cano", line)
    assert align_work([labelled], where)[labelled.id].begin == begin


def test_a_part_of_a_segment_is_found_with_its_score_before_the_cut():
    where = work("sic enim dixit: ‘Brutus pugionem tenens exclamavit.’", "alia")
    labelled = gold("Brutus pugionem tenens exclamavit")
    passage = align_work([labelled], where)[labelled.id]
    assert passage.how == "overlap"
    assert passage.score == pytest.approx(2 * 4 / (4 + 7))
    assert passage.recut_score == 1
    assert (passage.begin, passage.end) == (3, 7)


def test_a_text_over_several_segments_is_found():
    where = work("alia", "Ille autem:", "Neque te Phoebi fefellit.", "nihil")
    assert words_found("Ille autem: Neque te Phoebi fefellit", where) == (
        "ille autem neque te phoebi fefellit"
    )


@pytest.mark.parametrize(
    "labelled",
    [
        "quid enim gratia nostra queat largirier ut causa gerere aggrediantur",
        "aquid enim gratia nostra queat largirier ut causa gerere adgrediantur",
        "quid enim gratia nostra queat largirier ut causa gerere adgrediantur F",
    ],
    ids=["last word spelt differently", "first word", "a stray word"],
)
def test_one_word_at_the_edge_does_not_justify_a_cut(labelled):
    edition = "quid enim gratia nostra queat largirier ut causa gerere adgrediantur"
    assert words_found(labelled, work("alia prorsus", edition, "nihil est")) == edition


def test_a_missing_word_in_a_long_text_does_not_justify_a_cut():
    edition = " ".join(f"x{a}{b}" for a in "abcdef" for b in "abcdef")
    shortened = edition.rpartition(" ")[0]
    assert words_found(shortened, work("alia prorsus", edition, "nihil est")) == edition


def test_words_added_in_the_middle_do_not_split_a_text():
    where = work("alia", "praecipitant luctus [neuterque recedens] vitamque per omnem dies", "nil")
    assert words_found("praecipitant luctus vitamque per omnem dies", where) == (
        "praecipitant luctus neuterque recedens uitamque per omnem dies"
    )


def test_two_texts_of_one_segment_get_different_words():
    where = work("scio quod nescio et alterius te ipsum intellege semper")
    first, second = gold("scio quod nescio et alterius", 1), gold("te ipsum intellege semper", 2)
    found = align_work([second, first], where)
    assert (found[first.id].begin, found[first.id].end) == (0, 5)
    assert (found[second.id].begin, found[second.id].end) == (5, 9)


def test_two_equal_texts_need_two_places():
    first, second = gold("arma cano", 1), gold("arma cano", 3)
    once = align_work([first, second], work("arma cano", "tu", "ego"))
    assert list(once) == [first.id]
    twice = align_work([first, second], work("arma cano", "tu", "arma cano"))
    assert {name: passage.begin for name, passage in twice.items()} == {first.id: 0, second.id: 3}


def test_a_missing_text_is_not_found():
    assert align_work([gold("Diruit, aedificat, mutat")], work("arma virumque cano")) == {}
    assert align_work([gold("...")], work("arma virumque cano")) == {}


def test_the_best_of_several_spellings_counts():
    labelled = gold("adparent terrae caelum", 1, "apparent terrae caelum")
    passage = align_work([labelled], work("apparent terrae caelum"))[labelled.id]
    assert passage.how == "exact"


letters = st.lists(st.sampled_from(string.ascii_lowercase[:20]), min_size=1, max_size=60)


@st.composite
def works_and_golds(draw):
    words = draw(letters)
    cuts = sorted(draw(st.sets(st.integers(1, max(len(words) - 1, 1)), max_size=8)))
    bounds = [0, *(cut for cut in cuts if cut < len(words)), len(words)]
    texts = [" ".join(words[a:b]) for a, b in pairwise(bounds)]
    golds = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        begin = draw(st.integers(0, len(words) - 1))
        end = draw(st.integers(begin + 1, len(words)))
        golds.append(gold(" ".join(words[begin:end]), number))
    return work(*texts), golds


@given(works_and_golds())
def test_passages_never_overlap_and_are_good_enough(case):
    where, golds = case
    found = align_work(golds, where)
    passages = sorted(found.values(), key=lambda passage: passage.begin)
    for before, after in pairwise(passages):
        assert before.end <= after.begin
    for passage in passages:
        assert 0 <= passage.begin < passage.end <= len(where.words)
        assert LEAST_OVERLAP <= passage.recut_score <= 1
    assert found == align_work(golds[::-1], where)


@given(st.data())
def test_any_run_of_a_work_whose_words_are_all_different_is_found(data):
    words = [f"x{a}{b}" for a in "abcdefgh" for b in "abcdefgh"]
    cuts = sorted(data.draw(st.sets(st.integers(1, len(words) - 1), max_size=8)))
    bounds = [0, *cuts, len(words)]
    texts = [" ".join(words[a:b]) for a, b in pairwise(bounds)]
    begin = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(begin + 1, len(words)))
    where = work(*texts)
    run = words[begin:end]
    labelled = gold(" ".join(run))
    passage = align_work([labelled], where)[labelled.id]
    # Each of the two cuts may be saved at the cost of a few words that are not the text's.
    assert passage.recut_score >= 1 - 2 * 0.03 - 1e-9
