"""Views of pairs, each against a slow and plain way of computing it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.late import scoring as late_scoring
from locisimiles.late.pieces import Pieces
from locisimiles.late.scoring import VIEWS, Scoring, score_texts
from locisimiles.late.windows import sliding

DIMENSIONS = 6


def words(lengths, seed, *, weightless=()):
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(sum(lengths), DIMENSIONS))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    weight = random.uniform(0.5, 9, size=sum(lengths)).astype(np.float32)
    weight[list(weightless)] = 0
    place = np.arange(sum(lengths), dtype=np.int32)
    bounds = np.cumsum([0, *lengths])
    return Pieces(np.rint(vectors * 127).astype(np.int8), weight, place, place + 1, bounds, place)


def cosine(one, other):
    product = sum(int(a) * int(b) for a, b in zip(one, other, strict=True))
    return min(max(product / 127**2, 0), 1)


def plainly(query, source, scoring):
    """Return all views of a query with one text, as they are described."""
    n, m = len(query.vectors), len(source.vectors)
    worth = [
        [cosine(query.vectors[i], source.vectors[j]) ** scoring.power for j in range(m)]
        for i in range(n)
    ]

    def best_window(width, allowed):
        """Return the sum and the contributions of the best window of the query."""
        contributions = [
            float(query.weight[i]) * max((worth[i][j] for j in allowed), default=0)
            for i in range(n)
        ]
        windows = [contributions[a : a + width] for a in range(max(n - width, 0) + 1)]
        return max(windows, key=sum)

    everywhere = range(m)
    best = best_window(scoring.window, everywhere)
    whole = sum(best_window(max(n, 1), everywhere))
    answers = [range(b, min(b + scoring.answer, m)) for b in range(max(m - scoring.answer, 0) + 1)]
    answered = sum(
        float(source.weight[j]) * max((worth[i][j] for i in range(n)), default=0) for j in range(m)
    )
    return {
        "window": sum(best) / scoring.window,
        "narrow": sum(best_window(scoring.narrow, everywhere)) / scoring.narrow,
        "wide": sum(best_window(scoring.wide, everywhere)) / scoring.wide,
        "whole": whole / (float(query.weight.sum()) or 1),
        "local": max(sum(best_window(scoring.window, near)) for near in answers) / scoring.window,
        "second": sum(sorted(best)[-2:]),
        "third": sum(sorted(best)[-3:]),
        "answered": answered / (float(source.weight.sum()) or 1),
    }


def assert_same(query, source, texts, scoring):
    found = score_texts(query, source, np.asarray(texts), scoring, tuple(VIEWS))
    for column, text in enumerate(texts):
        expected = plainly(query, source.of(text), scoring)
        got = dict(zip(VIEWS, found[:, column].tolist(), strict=True))
        assert got == pytest.approx(expected, rel=1e-4, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(
    query=st.integers(0, 14),
    lengths=st.lists(st.integers(0, 16), min_size=1, max_size=6),
    scoring=st.builds(
        Scoring,
        window=st.integers(1, 9),
        narrow=st.integers(1, 9),
        wide=st.integers(1, 20),
        answer=st.integers(1, 9),
        power=st.sampled_from([1.0, 2.5, 3.0]),
    ),
    seed=st.integers(0, 1000),
)
def test_every_view_is_what_a_plain_computation_gives(query, lengths, scoring, seed):
    texts = [*range(len(lengths)), 0]
    assert_same(words([query], seed), words(lengths, seed + 1), texts, scoring)


def test_views_are_the_same_whatever_is_computed_together(monkeypatch):
    query, source = words([12], 1), words([5, 0, 30, 1, 11, 7] * 5, 2)
    texts = np.arange(30)
    together = score_texts(query, source, texts, Scoring(), tuple(VIEWS))
    for name, size in (("_CELLS_PER_BLOCK", 24), ("_MOST_TOGETHER", 30), ("_SIMILAR_LENGTH", 1)):
        monkeypatch.setattr(late_scoring, name, size)
        apart = score_texts(query, source, texts, Scoring(), tuple(VIEWS))
        assert np.array_equal(together, apart)


def in_columns(query, source, texts, scoring):
    """Return all views as rows of floats, text by text, adding in the order of `sliding`."""

    def summed(values, width):
        return sliding(np.add, values, min(width, len(values)))

    query_vectors = query.vectors.astype(np.float32)
    rows = []
    for text in texts:
        own = source.of(text)
        if not len(own.vectors):
            rows.append([0.0] * len(VIEWS))
            continue
        products = query_vectors @ own.vectors.astype(np.float32).T
        best = scoring.worth(products.max(axis=1)) * query.weight
        worth = scoring.worth(products)
        windows = summed(best, scoring.window)
        places = range(max(products.shape[1] - scoring.answer, 0) + 1)
        local = [windows.max()]
        if products.shape[1] > scoring.answer:
            near = (worth[:, at : at + scoring.answer].max(axis=1) for at in places)
            local = [summed(one * query.weight, scoring.window).max() for one in near]
        begin = windows.argmax()
        inside = np.zeros(scoring.window, np.float32)
        in_window = best[begin : begin + scoring.window]
        inside[: len(in_window)] = in_window
        inside.sort()
        total, answered = query.weight.sum(), worth.max(axis=0) * own.weight
        start = np.zeros(1, np.int64)
        own_total = np.add.reduceat(own.weight, start)[0]
        rows.append(
            [
                windows.max() / np.float32(scoring.window),
                summed(best, scoring.narrow).max() / np.float32(scoring.narrow),
                summed(best, scoring.wide).max() / np.float32(scoring.wide),
                summed(best, len(best))[0] / (total if total > 0 else np.float32(1)),
                max(local) / np.float32(scoring.window),
                summed(inside[-2:], 2)[0],
                summed(inside[-3:], 3)[0],
                np.add.reduceat(answered, start)[0] / (own_total if own_total > 0 else 1),
            ]
        )
    return np.array(rows, np.float32).T


@settings(max_examples=30, deadline=None)
@given(
    query=st.integers(1, 40),
    lengths=st.lists(st.integers(0, 60), min_size=1, max_size=30),
    power=st.sampled_from([1.0, 3.0]),
    seed=st.integers(0, 1000),
)
def test_every_bit_is_that_of_a_computation_text_by_text(query, lengths, power, seed):
    asking, answering = words([query], seed), words(lengths, seed + 1)
    scoring, texts = Scoring(power=power), np.arange(len(lengths))[::-1]
    found = score_texts(asking, answering, texts, scoring, tuple(VIEWS))
    assert np.array_equal(found, in_columns(asking, answering, texts, scoring))


def test_of_two_texts_as_long_as_books_the_beginning_of_one_counts(monkeypatch):
    query, source = words([6], 1), words([40, 3, 25], 2)
    texts = np.arange(3)
    whole = score_texts(query.of(0), source, texts, Scoring(), tuple(VIEWS))
    monkeypatch.setattr(late_scoring, "_ROWS_PER_BLOCK", 4)
    monkeypatch.setattr(late_scoring, "_MOST_CELLS", 6 * 25)
    found = score_texts(query.of(0), source, texts, Scoring(), tuple(VIEWS))
    assert found[:, 1:].tolist() == whole[:, 1:].tolist()
    assert found[:, 0].tolist() != whole[:, 0].tolist()
    assert np.isfinite(found).all()


def test_words_that_count_nothing_make_no_score_and_no_error():
    query, source = words([3], 1, weightless=[0, 1, 2]), words([4], 2, weightless=range(4))
    assert_same(query, source, [0], Scoring())
    assert not score_texts(query, source, np.array([0]), Scoring(), tuple(VIEWS)).any()


def by_hand(query_axes, query_weights, source_axes):
    """Return a query and a text whose words are axes: equal or at right angles."""

    def of(axes, weights):
        vectors = np.zeros((len(axes), 8), np.int8)
        vectors[np.arange(len(axes)), axes] = 127
        place = np.arange(len(axes), dtype=np.int32)
        weight = np.array(weights, np.float32)
        return Pieces(vectors, weight, place, place, np.array([0, len(axes)]), place)

    return of(query_axes, query_weights), of(source_axes, [1.0] * len(source_axes))


def test_views_of_a_pair_computed_by_hand():
    # Pieces 0, 1 and 2 of the query are answered, and 5, which is too far away from them.
    query, source = by_hand([0, 1, 2, 6, 6, 3], [4, 2, 1, 9, 9, 8], [0, 7, 7, 7, 1, 2, 3])
    scoring = Scoring(window=3, narrow=2, wide=6, answer=3)
    found = score_texts(query, source, np.array([0]), scoring, tuple(VIEWS))[:, 0]
    assert dict(zip(VIEWS, found.tolist(), strict=True)) == pytest.approx(
        {
            "window": 8 / 3,  # word 5 alone
            "narrow": 8 / 2,
            "wide": 15 / 6,  # all of them
            "whole": 15 / 33,
            "local": 8 / 3,
            "second": 8,
            "third": 8,
            "answered": 4 / 7,
        }
    )


def test_matches_far_apart_are_no_local_match():
    near = by_hand([0, 1, 2], [1, 1, 1], [0, 1, 2, 7, 7, 7])
    apart = by_hand([0, 1, 2], [1, 1, 1], [0, 7, 7, 1, 7, 2])
    scoring = Scoring(window=3, answer=3)
    views = ("window", "local")
    assert score_texts(*near, np.array([0]), scoring, views)[:, 0].tolist() == [1, 1]
    found = score_texts(*apart, np.array([0]), scoring, views)[:, 0]
    assert found.tolist() == pytest.approx([1, 2 / 3])
