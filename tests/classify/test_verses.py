"""The order of judged verses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.classify.verses import OFFSET, judged_with_search


def table(*rows):
    return np.array([[1 - cit - cf, cit, cf] for cit, cf in rows], np.float32)


JUDGED = table((0.6, 0.2), (0.1, 0.1), (0.0, 0.01), (0.3, 0.0))
QUERY = np.array([0, 0, 0, 1])
SCORE = np.array([1.0, 4.0, 9.0, 2.0])
NONE = np.full(4, OFFSET)  # so that nothing is gained


def odds(judged):
    found = judged[:, 1:].sum(axis=1, dtype=float)
    return found / (1 - found)


def test_the_classifier_alone_changes_nothing():
    both = judged_with_search(JUDGED, QUERY, SCORE, NONE, 1.0)
    np.testing.assert_allclose(both, JUDGED, atol=1e-6)


def test_the_search_alone_orders_and_the_classifier_says_how_likely():
    both = judged_with_search(JUDGED, QUERY, SCORE, NONE, 0.0)
    assert np.argsort(-both[:3, 1:].sum(axis=1)).tolist() == [2, 1, 0]
    np.testing.assert_allclose(odds(both), odds(JUDGED)[[2, 1, 0, 3]], rtol=1e-4)


def test_clues_count_as_log_odds():
    gains = NONE + np.array([0.0, 0.0, 0.0, 2.0])
    both = judged_with_search(JUDGED, QUERY, SCORE, gains, 1.0)
    np.testing.assert_allclose(odds(both)[3], odds(JUDGED)[3] * np.exp(2), rtol=1e-4)
    np.testing.assert_allclose(both[:3], JUDGED[:3], atol=1e-6)


def test_types_keep_their_proportion():
    both = judged_with_search(JUDGED, QUERY, SCORE, NONE, 0.5)
    np.testing.assert_allclose(both[0, 1] / both[0, 2], 3, rtol=1e-4)
    np.testing.assert_allclose(both.sum(axis=1), 1, atol=1e-6)


def test_a_constant_in_the_scores_changes_nothing():
    one, other = (judged_with_search(JUDGED, QUERY, SCORE + c, NONE, 0.3) for c in (0.0, 50.0))
    np.testing.assert_allclose(one, other, atol=1e-6)


def test_no_pairs():
    none = judged_with_search(JUDGED[:0], QUERY[:0], SCORE[:0], NONE[:0], 0.5)
    assert none.shape == (0, 3)


@given(
    chances=st.lists(st.floats(0, 1), min_size=1, max_size=6),
    share=st.floats(0, 1),
    gain=st.floats(-9, 9),
)
def test_results_are_probabilities(chances, share, gain):
    judged = table(*((chance, 0.0) for chance in chances))
    rows = np.arange(len(chances))
    both = judged_with_search(judged, rows * 0, rows, rows * 0 + gain, share)
    assert np.isfinite(both).all()
    assert ((both >= 0) & (both <= 1)).all()
    assert both.sum(axis=1) == pytest.approx(1, abs=1e-4)
