"""Pairs of words that stand close together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Document, Index, Segment
from locisimiles.index import TextPart, shards
from locisimiles.retrieve.lexical.terms import weighted_terms
from locisimiles.retrieve.vectors.bigrams import PairScorer, query_pairs
from locisimiles.retrieve.vectors.word_places import SourceWords
from locisimiles.retrieve.vectors.word_vectors import content_words

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
    return every_score(scorer, source, pairs, answers(source, **of_words), weights)


def every_score(scorer, source, pairs, similar, weights):
    """Return the score of each segment, 0 for those that are not found."""
    segments, values = scorer.best(pairs, similar, weights, source.segments + 1)
    found = np.zeros(source.segments, np.float32)
    found[segments] = values
    assert len(set(segments.tolist())) == len(segments)
    return found.tolist()


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
    similar = answers(source, a={"x": 1}, b={"y": 1}, c={})
    weights = dict.fromkeys("abc", 1.0)
    assert every_score(scorer, source, [("a", "b")], similar, weights) == [1]
    assert every_score(scorer, source, [("b", "c")], similar, weights) == [0]
    assert every_score(scorer, source, [], similar, weights) == [0]


def test_words_without_weight_find_nothing():
    segments, weights = [["x", "y"], ["x", "y", "x"]], {"a": 0.0, "b": 0.0}
    found = scores(segments, [("a", "b")], weights=weights, a={"x": 1}, b={"y": 1})
    assert found == [0, 0]


def plain_scores(segments, pairs, similar, *, weights, interval, best_pairs):
    """Return the scores as the formula says, by comparing all pairs, in single precision."""
    found = np.zeros(len(segments), np.float32)
    half = {word: np.float32(weight / 2) for word, weight in weights.items()}
    for row, words in enumerate(segments):
        of_pairs = []
        for one, other in pairs:
            best = np.float32(0)
            for place, first in enumerate(words):
                for second in words[place + 1 : place + interval + 2]:
                    for c, d in ((first, second), (second, first)):
                        if c in similar[one] and d in similar[other]:
                            left = half[one] * np.float32(similar[one][c])
                            best = max(best, left + half[other] * np.float32(similar[other][d]))
            of_pairs.append(best)
        total = np.float32(0)
        for value in sorted(of_pairs, reverse=True)[:best_pairs]:
            total = total + value
        found[row] = total / np.float32(best_pairs)
    return found


ALIKE = st.dictionaries(st.sampled_from("abcd"), st.sampled_from([0.1, 0.25, 0.6, 1.0]), max_size=4)


@given(
    segments=st.lists(WORDS, min_size=1, max_size=12),
    similar=st.fixed_dictionaries(dict.fromkeys("pqr", ALIKE)),
    weights=st.fixed_dictionaries(dict.fromkeys("pqr", st.sampled_from([0.0, 0.2, 0.7, 1.0]))),
    interval=st.integers(0, 2),
    best_pairs=st.integers(1, 3),
    k=st.integers(1, 6),
    excluded=st.none() | st.lists(st.booleans(), min_size=12, max_size=12),
)
def test_what_is_left_out_is_never_among_the_best(
    *, segments, similar, weights, interval, best_pairs, k, excluded
):
    pairs = [("p", "q"), ("p", "r"), ("q", "r")]
    settings = {"weights": weights, "interval": interval, "best_pairs": best_pairs}
    expected = plain_scores(segments, pairs, similar, **settings)
    source = SourceWords.from_segments(segments, interval)
    known = {
        word: {other: value for other, value in own.items() if other in source.vocabulary}
        for word, own in similar.items()
    }
    scorer = PairScorer(source, best_pairs)
    for _ in range(2):  # the second time in used room
        left_out = None if excluded is None else np.array(excluded[: len(segments)])
        found = scorer.best(pairs, answers(source, **known), weights, k, left_out)
        allowed = expected if left_out is None else np.where(left_out, np.float32(0), expected)
        least = max(np.sort(allowed)[::-1][: k + 1][min(k, len(allowed)) - 1], 0)
        rows = np.flatnonzero((allowed > 0) & (allowed >= least))
        by_segment = dict(zip(found[0].tolist(), found[1].tolist(), strict=True))
        assert by_segment == dict(zip(rows.tolist(), allowed[rows].tolist(), strict=True))


def test_words_of_an_index_on_disk_stand_where_they_stand_in_its_texts(tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "_SEGMENTS_PER_SHARD", 8)
    texts = ["uox et faux haeret", "arma uirum que cano", "", "et non", "faux uox faux"] * 6
    index = Index.build(
        tmp_path / "i",
        Document.from_segments(
            Segment(f"s{row}", text, "author", f"work {row // 5}") for row, text in enumerate(texts)
        ),
    )
    stored = index.lemma_rows("fast")
    assert len(stored.shards) > 1
    words = content_words(weighted_terms("lemma"), TextPart.of(list(index.texts)))
    on_disk = SourceWords.from_shards(stored.shards, 2)
    in_memory = SourceWords.from_segments(words, 2)
    assert on_disk.vocabulary == in_memory.vocabulary
    for name in ("places", "bounds", "word", "segment"):
        assert getattr(on_disk, name).tolist() == getattr(in_memory, name).tolist()
