"""Comparison of texts word by word, against a naive implementation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.classify.comparison import MOST_MATCHES, MOST_WORDS, ComparableTexts
from locisimiles.index import TextPart


def compared(query, *others):
    texts = ComparableTexts(TextPart.of([query, *others]))
    return texts.compare(0, 1 + np.arange(len(others)))


def places(found):
    """Return the matches: number of the other text, word in the query, word in the other."""
    begins = found.texts.words.bounds
    return sorted(
        (text, int(one - begins[found.query]), int(other - begins[found.others[text]]))
        for text, one, other in zip(
            found.text.tolist(), found.in_query, found.in_other, strict=True
        )
    )


@settings(max_examples=60)
@given(st.data())
def test_matches_agree_with_a_naive_comparison(latin_texts, slow_pair, data):
    query = data.draw(latin_texts)
    others = data.draw(st.lists(latin_texts, max_size=4))
    found = compared(query, *others)
    expected = [
        (number, a.at, b.at)
        for number, other in enumerate(others)
        for a, b in slow_pair(query, other).matches
    ]
    assert places(found) == sorted(expected)
    assert (np.diff(found.text) >= 0).all()


@settings(max_examples=60)
@given(st.data())
def test_pairs_of_matches_agree_with_a_naive_comparison(latin_texts, slow_pair, data):
    query, other = data.draw(latin_texts), data.draw(latin_texts)
    pairs = compared(query, other).pairs
    expected = sorted(
        (
            abs(in_query) + abs(in_other),
            abs(in_query) <= 3 and abs(in_other) <= 3,
            a.clause == c.clause and b.clause == d.clause,
            in_query * in_other > 0,
            round(min(a.rarity, b.rarity) + min(c.rarity, d.rarity), 6),
        )
        for ((a, b), (c, d)), in_query, in_other in slow_pair(query, other).pairs_of_matches
    )
    found = sorted(
        zip(
            pairs.distance.tolist(),
            pairs.close.tolist(),
            pairs.in_one_clause.tolist(),
            (pairs.apart_query * pairs.apart_other > 0).tolist(),
            pairs.weight.round(6).tolist(),
            strict=True,
        )
    )
    assert found == expected


def test_forms_lemmas_and_second_lemmas_match_and_function_words_do_not():
    found = compared("et uocem 12 regi", "12 et uox", "rexit", "sed non")
    words = found.texts.words
    forms = [words.lexicon.lemmas[words.lemma[row]] for row in found.in_other]
    assert found.text.tolist() == [0, 1]
    assert forms == ["uox", "rego"]


def test_every_occurrence_of_a_function_word_counts():
    found = compared("et in oris", "et arma et in", "oris", "non")
    assert found.function_words.tolist() == [3, 0, 0]


def test_a_repeated_lemma_counts_once():
    lemmas = compared("uox uoces", "uocem uox uoci").lemmas
    assert (lemmas.text.tolist(), lemmas.same_form.tolist()) == ([0], [1.0])


def test_the_rarest_come_first():
    found = compared("arma faucibus uox", "faucibus arma uox", "uox", "")
    weight = sorted(found.weight[found.text == 0], reverse=True)
    nth = [found.lemmas.nth(place, 3).tolist() for place in range(4)]
    assert nth[0][0] == weight[0] > nth[1][0] == weight[1] > nth[2][0] == weight[2]
    assert [own[1] for own in nth] == [min(weight), 0, 0, 0]
    assert [own[2] for own in nth] == [0, 0, 0, 0]
    assert nth[3][0] == 0


def test_a_text_may_be_compared_twice():
    found = compared("uox faucibus", "uox", "arma", "uox")
    assert found.text.tolist() == [0, 2]


@pytest.mark.parametrize("query", ["", "...", "\0", "uox"])
def test_texts_without_words_share_nothing(query):
    found = compared(query, "", " ", "\0;", "?")
    assert len(found.text) == len(found.pairs.one) == len(found.lemmas.text) == 0
    assert found.function_words.tolist() == [0, 0, 0, 0]


def test_no_texts_at_all():
    assert len(ComparableTexts(TextPart.of([])).lengths) == 0


def test_rarer_pairs_are_more_unusual():
    usual = compared("res publica", "rem publicam").pairs.unusual
    unusual = compared("uox faucibus", "uocem faucibus").pairs.unusual
    assert len(usual) == len(unusual) == 1
    assert unusual[0] > usual[0] + 3


@settings(max_examples=30)
@given(st.data())
def test_texts_are_compared_independently(latin_texts, data):
    query = data.draw(latin_texts)
    others = data.draw(st.lists(latin_texts, min_size=1, max_size=4))
    together = compared(query, *others)
    for number, other in enumerate(others):
        own = [match[1:] for match in places(together) if match[0] == number]
        assert own == [match[1:] for match in places(compared(query, other))]


def test_words_beyond_the_limit_are_not_compared():
    filler = "arma " * MOST_WORDS
    assert len(compared("uox", f"uox {filler}").text) == 1
    assert len(compared("uox", f"{filler} uox").text) == 0
    assert len(compared(f"{filler} uox", "uox").text) == 0


def test_of_very_many_matches_some_of_each_word_are_paired():
    text = " ".join(["uox arma faucibus"] * 30)
    found = compared(text, text)
    assert len(found.text) == 3 * 30 * 30
    used = np.unique(np.concatenate([found.pairs.one, found.pairs.other]))
    lemmas = found.texts.words.lemma[found.in_query[used]]
    _, times = np.unique(lemmas, return_counts=True)
    assert times.tolist() == [MOST_MATCHES / 3] * 3
    assert found.pairs.close.any()


def test_batches_cover_all_texts_in_order():
    texts = ComparableTexts(TextPart.of(["uox " * 900, "arma " * 2000, "cano"]))
    others = np.array([1, 2, 1, 1, 1, 1, 1, 2, 0])
    batches = list(texts.batches(0, others))
    assert np.concatenate([others[own] for own in batches]).tolist() == others.tolist()
    assert len(batches) > 1
    alone = ComparableTexts(TextPart.of(["uox"]))
    assert list(alone.batches(0, np.zeros(0, np.int64))) == []
