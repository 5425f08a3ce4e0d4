"""Listwise learning to rank: the gradient, and the weights that are learnt."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import ParameterError
from locisimiles.learn.listwise import Adam, Lists, fit_listwise


def loss(lists, scores):
    """Return the mean over queries of what the right candidates' chances lack, as it is written."""
    ends = [*lists.begins[1:], len(lists.rows)]
    total = 0.0
    for begin, end in zip(lists.begins, ends, strict=True):
        own = [float(score) for score in scores[begin:end]]
        everything = math.log(sum(math.exp(score) for score in own))
        total -= sum(
            float(share) * (score - everything)
            for share, score in zip(lists.wanted[begin:end], own, strict=True)
        )
    return total / len(lists.begins)


def drawn(seed, queries=6, columns=3):
    """Return lists of random columns; the first column is higher for the right candidates."""
    rng = np.random.default_rng(seed)
    rows, right = [], []
    for _ in range(queries):
        size = int(rng.integers(2, 7))
        answers = np.zeros(size, bool)
        answers[rng.integers(size, size=2)] = True
        own = rng.normal(size=(size, columns)).astype(np.float32)
        own[answers, 0] += 3
        rows.append(own)
        right.append(answers)
    return rows, right


def test_the_gradient_by_hand():
    lists = Lists.of(
        [np.zeros((2, 1), np.float32), np.zeros((3, 1), np.float32)],
        [np.array([True, False]), np.array([True, True, False])],
    )
    # Chances are 1/4, 3/4 and 1/3 each; they should be 1, 0 and 1/2, 1/2, 0; over two queries.
    gradient = lists.gradient(np.array([0.0, math.log(3), 5.0, 5.0, 5.0]))
    assert gradient.tolist() == pytest.approx([-3 / 8, 3 / 8, -1 / 12, -1 / 12, 1 / 6], abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_agrees_with_finite_differences(seed):
    lists = Lists.of(*drawn(seed))
    scores = np.random.default_rng(seed).normal(size=len(lists.rows))
    step = 1e-4
    expected = [
        (loss(lists, scores + move) - loss(lists, scores - move)) / (2 * step)
        for move in step * np.eye(len(scores))
    ]
    np.testing.assert_allclose(lists.gradient(scores), expected, atol=1e-6)


def test_scores_of_any_size_do_not_overflow():
    lists = Lists.of([np.zeros((2, 1), np.float32)], [np.array([True, False])])
    gradient = lists.gradient(np.array([-1e30, 1e30], np.float32))
    assert gradient.tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("seed", range(3))
def test_the_loss_is_close_to_that_of_another_optimiser(seed):
    optimize = pytest.importorskip("scipy.optimize")
    columns, right = drawn(seed, queries=30)
    lists = Lists.of(columns, right)
    before = loss(lists, lists.rows @ np.full(3, 0.3))
    weights = fit_listwise(columns, right)
    best = optimize.minimize(lambda own: loss(lists, lists.rows @ own), np.full(3, 0.3))
    reached = loss(lists, lists.rows @ weights)
    assert best.fun - 1e-6 <= reached <= best.fun + 0.05 * (before - best.fun)
    assert weights[0] > 2 * max(abs(weights[1]), abs(weights[2]))


def test_a_column_may_get_a_negative_weight():
    columns, right = drawn(1, queries=30)
    turned = [own * np.array([-1, 1, 1], np.float32) for own in columns]
    assert fit_listwise(turned, right)[0] < 0


def test_queries_without_a_right_candidate_are_ignored():
    columns, right = drawn(4)
    more = [*columns, np.ones((4, 3), np.float32), np.empty((0, 3), np.float32)]
    known = [*right, np.zeros(4, bool), np.zeros(0, bool)]
    assert fit_listwise(more, known).tolist() == fit_listwise(columns, right).tolist()


@pytest.mark.parametrize("known", [[], [np.zeros(2, bool)]], ids=["no query", "none right"])
def test_training_needs_right_candidates(known):
    with pytest.raises(ParameterError, match="no query has a right candidate; search deeper"):
        fit_listwise([np.ones((2, 2), np.float32)] * len(known), known)


@settings(max_examples=15)
@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_the_order_of_queries_does_not_matter(seed, random):
    columns, right = drawn(seed)
    order = list(range(len(columns)))
    random.shuffle(order)
    turned = fit_listwise([columns[at] for at in order], [right[at] for at in order])
    np.testing.assert_allclose(turned, fit_listwise(columns, right), atol=5e-3)


@given(st.integers(0, 1000), st.integers(1, 9))
def test_batches_keep_lists_whole_and_distinct(seed, count):
    lists = Lists.of(*drawn(seed))
    some = lists.draw(count, np.random.default_rng(seed))
    whole, part = ([*own.begins.tolist(), len(own.rows)] for own in (lists, some))
    known = {
        lists.rows[begin:end].tobytes(): lists.wanted[begin:end].tolist()
        for begin, end in pairwise(whole)
    }
    taken = [
        (some.rows[begin:end].tobytes(), some.wanted[begin:end].tolist())
        for begin, end in pairwise(part)
    ]
    assert len(taken) == min(count, len(lists.begins))
    assert len({own for own, _ in taken}) == len(taken)
    assert all(known[own] == wanted for own, wanted in taken)


def test_adam_by_hand():
    adam = Adam((2,), rate=0.1, decay=0.0, steps=2)
    gradient = np.array([0.5, -8.0])
    # At the first step mean and spread are the gradient and its size: it goes as far as the rate.
    once = adam.moved(np.zeros(2), gradient, 0)
    np.testing.assert_allclose(once, [-0.1, 0.1], rtol=1e-6)
    # The gradient stays the same, and half of the rate is left.
    np.testing.assert_allclose(adam.moved(once, gradient, 1), [-0.15, 0.15], rtol=1e-6)


def test_weights_decay():
    weights = Adam((1,), rate=0.1, decay=0.5, steps=10).moved(np.ones(1), np.zeros(1), 0)
    assert weights.tolist() == pytest.approx([0.95])
