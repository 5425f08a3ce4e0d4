"""The inverted index."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.retrieve.lexical.postings import Postings, TermCounts

TEXTS = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=8), max_size=12)


@given(TEXTS)
def test_terms_are_counted(texts):
    numbers = {}
    counts = TermCounts.of(texts, numbers, grow=True)
    found = Counter()
    for text, term, count in zip(counts.text, counts.term, counts.count, strict=True):
        found[text, term] = count
    assert found == Counter((at, numbers[term]) for at, own in enumerate(texts) for term in own)
    assert counts.lengths.tolist() == [len(own) for own in texts]


@given(TEXTS, TEXTS)
def test_batches_are_the_same_as_all_at_once(first, second):
    apart, together = {}, {}
    parts = [TermCounts.of(own, apart, grow=True) for own in (first, second)]
    whole = TermCounts.of([*first, *second], together, grow=True)
    joined = TermCounts.join(parts)
    assert apart == together
    for name in ("text", "term", "count"):
        np.testing.assert_array_equal(getattr(joined, name), getattr(whole, name))
    assert joined.texts == whole.texts


def test_unknown_terms_are_left_out_if_the_vocabulary_is_fixed():
    numbers = {"a": 0}
    counts = TermCounts.of([["a", "x"], ["x"]], numbers, grow=False)
    assert (numbers, counts.text.tolist(), counts.count.tolist()) == ({"a": 0}, [0], [1.0])


def test_terms_may_count_less_than_one():
    counts = TermCounts.of([["a", "a", "b"]], {}, [[0.5, 0.25, 1.0]], grow=True)
    assert counts.count.tolist() == [0.75, 1.0]


@settings(deadline=None)
@given(TEXTS, st.lists(st.sampled_from("abcdefg"), max_size=6))
def test_scores_are_sums_over_shared_terms(texts, query):
    counts, numbers = TermCounts.of(texts, found := {}, grow=True).in_order(found)
    own = TermCounts.of([query], numbers, grow=False)
    scores = Postings(counts, counts.count, len(numbers)).score(own.term, own.count)
    expected = [sum(Counter(query)[term] * n for term, n in Counter(t).items()) for t in texts]
    np.testing.assert_allclose(scores, expected)


@pytest.mark.parametrize("share", [1, 5, 30])
def test_common_and_rare_terms_are_added_up_alike(share):
    texts = [["a"] if at % share == 0 else ["b"] for at in range(60)]
    counts = TermCounts.of(texts, {}, grow=True)
    scores = Postings(counts, counts.count, 2).score(np.array([0]), np.array([2.0]))
    assert scores.tolist() == [2.0 if own == ["a"] else 0.0 for own in texts]


def test_columns_of_common_terms_need_no_more_room_than_the_postings():
    terms = [[chr(97 + at) for at in range(26)] for _ in range(100)]
    counts = TermCounts.of(terms, {}, grow=True)
    postings = Postings(counts, counts.count, 26)
    assert len(postings._columns) == 26
    few = TermCounts.of([["a", "b"]] + [[]] * 20, {}, grow=True)
    assert len(Postings(few, few.count, 2)._columns) == 0


@settings(deadline=None)
@given(TEXTS)
def test_terms_are_put_in_order_as_sorting_by_text_and_term_does(texts):
    counts = TermCounts.of(texts, numbers := {}, grow=True)
    ordered, renumbered = counts.in_order(numbers)
    assert list(renumbered) == sorted(numbers)
    rows = list(zip(ordered.text.tolist(), ordered.term.tolist(), strict=True))
    assert rows == sorted(rows)
    assert rows == sorted({(at, renumbered[term]) for at, own in enumerate(texts) for term in own})
