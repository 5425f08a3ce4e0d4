"""Reranking of likely pairs: which a cross-encoder sees, and how much it counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.classify.logistic import predict_logistic
from locisimiles.classify.pair_features import expanded
from locisimiles.classify.reranking import (
    RERANK_FROM,
    RERANKING_COLUMNS,
    fit_reranking,
    rerank,
    worth_reranking,
)

PLAIN = np.zeros((2, 2 * RERANKING_COLUMNS + 2))
FIRST_ALONE = PLAIN.copy()
FIRST_ALONE[0, 0] = FIRST_ALONE[1, 1] = 1.0


def chances(random, rows):
    raised = random.random((rows, 3)) + 0.05
    return raised / raised.sum(axis=1, keepdims=True)


def test_pairs_that_may_be_references_are_worth_reranking():
    half = RERANK_FROM / 2
    first = np.array([[1 - RERANK_FROM, half, half], [1 - half, half, 0], [0, 0, 1]])
    assert worth_reranking(first).tolist() == [0, 2]
    assert worth_reranking(np.zeros((0, 3))).tolist() == []


def test_a_cross_encoder_without_weight_changes_nothing():
    random = np.random.default_rng(0)
    first = chances(random, 20)
    found = rerank(first, chances(random, 20), 500, FIRST_ALONE)
    np.testing.assert_allclose(found, first, atol=1e-9)


def test_pairs_that_were_not_judged_keep_their_probabilities():
    first = np.array([[0.5, 0.3, 0.2], [0.9, 0.05, 0.05]])
    second = np.array([[np.nan] * 3, [0.1, 0.8, 0.1]])
    weights = FIRST_ALONE.copy()
    weights[0, 2] = 0.5
    found = rerank(first, second, 500, weights)
    assert found[0].tolist() == first[0].tolist()
    # By hand: log-odds of cit. 0.05 : 0.9, and half of 0.8 : 0.1.
    cit = (0.05 / 0.9) * np.sqrt(8)
    assert found[1] == pytest.approx(np.array([1, cit, 0.05 / 0.9]) / (1 + cit + 0.05 / 0.9))


def test_log_odds_are_bounded():
    weights = PLAIN.copy()
    weights[0, 2] = 1.0
    found = rerank(np.full((1, 3), 1 / 3), np.array([[0.0, 1.0, 0.0]]), 500, weights)
    assert found[0, 1] / found[0, 0] == pytest.approx(1e4)


def test_columns_are_expanded_by_the_number_of_sources():
    random = np.random.default_rng(1)
    first, second = chances(random, 5), chances(random, 5)
    weights = random.normal(size=PLAIN.shape)
    logs = [np.log(own[:, 1:] / own[:, :1]) for own in (first, second)]
    for sources in (400, 90_000):
        expected = predict_logistic(expanded(np.hstack(logs), sources), weights)
        np.testing.assert_allclose(rerank(first, second, sources, weights), expected)


def test_the_better_model_gets_the_weight():
    random = np.random.default_rng(2)
    label = random.integers(0, 3, 600).astype(np.uint8)
    good = np.full((600, 3), 0.1)
    good[np.arange(600), label] = 0.8
    blind = chances(random, 600)
    for first, second in ((good, blind), (blind, good)):
        weights = fit_reranking(
            [
                (first[:300], second[:300], 300, label[:300]),
                (first[300:], second[300:], 90_000, label[300:]),
            ]
        )
        found = rerank(first, second, 300, weights)
        assert (found.argmax(axis=1) == label).mean() > 0.95


@given(st.integers(0, 10), st.integers(0, 2**32 - 1))
def test_rows_add_up_to_one(rows, seed):
    random = np.random.default_rng(seed)
    second = chances(random, rows)
    second[random.random(rows) < 0.5] = np.nan
    weights = random.normal(size=PLAIN.shape)
    found = rerank(chances(random, rows), second, 1000, weights)
    assert np.isfinite(found).all()
    assert found.sum(axis=1) == pytest.approx(np.ones(rows))
