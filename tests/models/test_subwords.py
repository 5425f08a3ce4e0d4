"""The n-grams of fastText and their numbers."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.models.subwords import subword_means, subwords, subwords_of_all

WORDS = st.lists(st.text(max_size=8), max_size=6)


def fnv(piece):
    """Hash as fastText's source does: 32 bits, each byte widened as a signed one."""
    found = 2166136261
    for byte in piece.encode("utf-8", "surrogatepass"):
        widened = byte if byte < 128 else byte | 0xFFFFFF00
        found = ((found ^ widened) * 16777619) & 0xFFFFFFFF
    return found


def test_ngrams_include_the_signs_at_both_ends():
    assert subwords("ara", 3, 6) == ["<ar", "<ara", "<ara>", "ara", "ara>", "ra>"]


def test_a_bracket_alone_is_no_ngram():
    assert subwords("ab", 1, 1) == ["a", "b"]


def test_letters_are_characters_not_bytes():
    assert subwords("æs", 4, 4) == ["<æs>"]


@given(WORDS, st.integers(1, 4), st.integers(0, 3), st.integers(1, 10_000))
def test_numbers_are_those_of_the_hash(words, shortest, more, buckets):
    found, bounds = subwords_of_all(words, shortest, shortest + more, buckets)
    expected = [[fnv(p) % buckets for p in subwords(w, shortest, shortest + more)] for w in words]
    assert [found[a:b].tolist() for a, b in pairwise(bounds)] == expected


def test_the_mean_is_over_the_ngrams_and_the_word_itself():
    buckets = np.arange(14, dtype=np.float32).reshape(7, 2)
    own = np.array([[100.0, 0.0]], np.float32)
    numbers = [fnv(piece) % 7 for piece in ("<ab", "ab>")]
    expected = (buckets[numbers].sum(axis=0) + own[0]) / 3
    assert subword_means(["ab"], buckets, 3, 3, own)[0] == pytest.approx(expected)
    assert subword_means(["ab"], buckets, 3, 3)[0] == pytest.approx(buckets[numbers].mean(axis=0))


def test_a_word_too_short_for_ngrams_has_the_zero_vector():
    means = subword_means(["a", "abcdef", ""], np.ones((5, 3), np.float32), 5, 6)
    assert means.tolist() == [[0, 0, 0], [1, 1, 1], [0, 0, 0]]


def test_many_words_have_the_same_vectors_as_few():
    words = [f"w{number}x" for number in range(5000)]
    buckets = np.random.default_rng(0).normal(size=(50, 2)).astype(np.float32)
    together = subword_means(words, buckets, 3, 4)
    alone = [subword_means([word], buckets, 3, 4)[0] for word in words[4090:4100]]
    assert together[4090:4100] == pytest.approx(np.array(alone))


@pytest.mark.train
@settings(deadline=None)  # the first call imports gensim
@given(WORDS)
def test_gensim_gives_ngrams_the_same_numbers(words):
    from gensim.models.fasttext import ft_ngram_hashes

    for word in words:
        if all(not 0xD800 <= ord(letter) < 0xE000 for letter in word):
            found, _ = subwords_of_all([word], 3, 6, 977)
            assert sorted(found.tolist()) == sorted(map(int, ft_ngram_hashes(word, 3, 6, 977)))
