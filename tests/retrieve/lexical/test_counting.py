"""Counting terms with and without lists of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.index import TextPart
from locisimiles.retrieve.lexical.counting import TermCounter
from locisimiles.retrieve.lexical.postings import TermCounts
from locisimiles.retrieve.lexical.terms import term_function, weighted_terms

TEXTS = st.lists(
    st.lists(st.sampled_from("arma uirumque uirum 12 λόγος et xyzzy Æneas, M. que".split())).map(
        " ".join
    ),
    max_size=6,
)
KINDS = ("lemma", "surface", "analyses", "bigrams", "lemma+characters")


def assert_alike(counts, others):
    for name in ("text", "term", "count"):
        np.testing.assert_array_equal(getattr(counts, name), getattr(others, name))
    assert counts.texts == others.texts


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=25)
@given(batches=st.lists(TEXTS, max_size=3), queries=TEXTS)
def test_terms_are_counted_like_lists_of_terms(kind, batches, queries):
    counter, to_terms = TermCounter(weighted_terms(kind)), weighted_terms(kind)
    numbers = {}
    counts = [counter.count(TextPart.of(texts)) for texts in batches]
    found = [to_terms(TextPart.of(texts)) for texts in batches]
    listed = [TermCounts.of(own.terms, numbers, own.weights, grow=True) for own in found]
    # New terms are numbered in another order, which the alphabet makes the same.
    ordered, fixed = TermCounts.join(counts).in_order(counter.numbers)
    other, other_fixed = TermCounts.join(listed).in_order(numbers)
    assert fixed == other_fixed
    assert_alike(ordered, other)
    counter.fix(fixed)
    own = to_terms(TextPart.of(queries))
    found = counter.count(TextPart.of(queries))
    assert_alike(found, TermCounts.of(own.terms, fixed, own.weights, grow=False))


def test_a_function_that_gives_other_lemmas_is_counted_too():
    counter = TermCounter(weighted_terms("lemma", lambda words: [word[:2] for word in words]))
    counts = counter.count(TextPart.of(["arma argo uirum"]))
    assert counts.count[[counter.numbers["ar"], counter.numbers["ui"]]].tolist() == [2.0, 1.0]


def test_terms_of_other_texts_are_not_numbered():
    term_function("lemma")(["Tityre tu patulae"])
    counter = TermCounter(weighted_terms("lemma"))
    counter.count(TextPart.of(["arma"]))
    assert counter.numbers == {"arma": 0}
