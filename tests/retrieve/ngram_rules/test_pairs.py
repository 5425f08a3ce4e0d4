"""Pairs of words that stand close together."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.retrieve.ngram_rules.pairs import pair_key, word_pairs
from locisimiles.retrieve.ngram_rules.words import Words

CLAUSES = st.lists(st.lists(st.integers(0, 5), max_size=8), max_size=6)


def words_of(clauses, numbers):
    term = np.array([numbers[own] for clause in clauses for own in clause], np.int64)
    clause = np.repeat(np.arange(len(clauses)), [len(own) for own in clauses])
    return Words(term, clause.astype(np.int32), clause, np.arange(len(term), dtype=np.int32))


def by_loop(words, window):
    """Return the rows of all pairs: for each key, clause and direction the closest."""
    found = {}
    for distance in range(1, window + 1):
        for one in range(len(words) - distance):
            other = one + distance
            terms = int(words.term[one]), int(words.term[other])
            if words.clause[one] != words.clause[other] or terms[0] == terms[1]:
                continue
            low, high = (one, other) if terms[0] < terms[1] else (other, one)
            key = int(pair_key(words.term[low], words.term[high]))
            row = (distance if low == one else -distance, words.form[low], words.form[high])
            found.setdefault((key, int(words.clause[one]), low != one), row)
    return [(key, clause, *found[key, clause, order]) for key, clause, order in sorted(found)]


# Of few terms pairs are one small number each; of many they are numbered first.
@pytest.mark.parametrize("numbers", [range(6), range(2**31 - 7, 2**31 - 1)])
@settings(deadline=None)
@given(clauses=CLAUSES, window=st.integers(1, 6))
def test_pairs_are_those_that_a_loop_finds(clauses, window, numbers):
    words = words_of(clauses, numbers)
    pairs = word_pairs(words, window)
    columns = (pairs.key, pairs.clause, pairs.distance, pairs.form, pairs.other_form)
    assert list(zip(*(c.tolist() for c in columns), strict=True)) == by_loop(words, window)
