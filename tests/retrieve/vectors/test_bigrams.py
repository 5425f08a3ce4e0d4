"""Pairs of words that stand close together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.retrieve.vectors.bigrams import PairScorer, SourceWords, query_pairs

WORDS = st.lists(st.sampled_from("abcd"), max_size=6)


def answers(source, **of_words):
    """Return answers as the scorer wants them, from words with the words that answer them."""
    numbers = {word: number for number, word in enumerate(source.vocabulary)}
    return {
        word: (
            np.array([numbers[other] for other in others], np.int64),
            np.array(list(others.values()), np.float32),
        )
        for word, others in of_words.items()
    }


def scores(segments, pairs, *, interval=0, best_pairs=1, weights=None, **of_words):
    source = SourceWords.from_segments(segments, interval)
    weights = weights or dict.fromkeys(of_words, 1.0)
    scorer = PairScorer(source, best_pairs)
    return scorer.scores(pairs, answers(source, **of_words), weights).tolist()


def test_the_words_of_a_pair_may_have_so_many_others_between_them():
    assert query_pairs(list("abcd"), 0) == [("a", "b"), ("b", "c"), ("c", "d")]
    assert ("a", "c") in query_pairs(list("abcd"), 1)
    assert ("a", "d") not in query_pairs(list("abcd"), 1)


@given(WORDS, st.integers(0, 3))
def test_a_pair_is_the_same_in_either_order_and_counts_once(words, interval):
    pairs = query_pairs(words, interval)
    assert sorted(pairs) == sorted(query_pairs(words[::-1], interval))
    assert len(set(pairs)) == len(pairs)
    assert all(one < other for one, other in pairs)


@given(st.lists(WORDS, max_size=5), st.integers(0, 2))
def test_every_word_stands_once_in_its_own_segment(segments, interval):
    source = SourceWords.from_segments(segments, interval)
    found = [[] for _ in segments]
    for number, word in enumerate(source.vocabulary):
        for place in source.places[source.bounds[number] : source.bounds[number + 1]].tolist():
            found[source.segment[place]].append((place, word))
    assert [[word for _, word in sorted(own)] for own in found] == segments


def test_the_score_is_the_mean_of_both_words_in_either_order():
    found = scores(
        [["x", "y"], ["y", "x"], ["x"], ["x", "z", "y"]],
        [("a", "b")],
        a={"x": 0.8},
        b={"y": 0.4},
    )
    assert np.allclose(found, [0.6, 0.6, 0, 0])


def test_words_of_two_segments_are_no_pair():
    assert scores([["x"], ["y"]], [("a", "b")], interval=3, a={"x": 1}, b={"y": 1}) == [0, 0]


def test_one_word_does_not_match_both():
    assert scores([["x"]], [("a", "b")], interval=2, a={"x": 1}, b={"x": 1}) == [0]
    assert scores([["x", "x"]], [("a", "b")], interval=2, a={"x": 1}, b={"x": 1}) == [1]


def test_the_better_of_two_matches_counts():
    found = scores([list("xyz")], [("a", "b")], interval=1, a={"x": 1}, b={"y": 0.2, "z": 0.6})
    assert np.allclose(found, 0.8)


def test_weights_belong_to_the_words_of_the_query():
    weights = {"a": 0.5, "b": 1.0}
    found = scores([["x", "y"]], [("a", "b")], weights=weights, a={"x": 0.8}, b={"y": 0.4})
    assert np.allclose(found, (0.5 * 0.8 + 0.4) / 2)


def test_the_mean_is_over_the_best_pairs_of_the_query():
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    same = {"a": {"a": 1}, "b": {"b": 0.9}, "c": {"c": 0.5}}
    found = scores([list("abc"), list("ab")], pairs, interval=1, best_pairs=2, **same)
    assert np.allclose(found, [(0.95 + 0.75) / 2, 0.95 / 2])


def test_a_scorer_forgets_the_last_query():
    source = SourceWords.from_segments([["x", "y"]], 0)
    scorer = PairScorer(source, 1)
    given_answers = answers(source, a={"x": 1}, b={"y": 1}, c={})
    weights = dict.fromkeys("abc", 1.0)
    assert scorer.scores([("a", "b")], given_answers, weights).tolist() == [1]
    assert scorer.scores([("b", "c")], given_answers, weights).tolist() == [0]
    assert scorer.scores([], given_answers, weights).tolist() == [0]
