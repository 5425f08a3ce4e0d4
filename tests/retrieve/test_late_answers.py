"""Which words answer each other."""

import numpy as np
import pytest

from locisimiles.retrieve.late_answers import compare_words
from locisimiles.retrieve.late_scoring import Scoring
from locisimiles.retrieve.late_words import Words


def words(vectors, weight=None):
    rows = np.array(vectors, np.int8).reshape(-1, 2)
    start = np.arange(len(rows), dtype=np.int32) * 5
    column = np.array(weight or [1] * len(rows), np.float32)
    return Words(rows, column, start, start + 4, np.array([0, len(rows)]))


def test_each_word_is_answered_by_the_nearest():
    found = compare_words(
        words([[127, 0], [0, 127], [-127, 0]], [2, 3, 4]), words([[76, 102], [127, 0]]), Scoring()
    )
    assert found.cosines == pytest.approx(
        np.array([[0.5984, 1], [0.8031, 0], [-0.5984, -1]]), abs=1e-3
    )
    near, nearest = found.answers()
    assert near.query == (0, 4)
    assert near.source == (5, 9)
    assert (near.cosine, near.contribution) == pytest.approx((1, 2))
    assert nearest.query == (5, 9)
    assert nearest.source == (0, 4)
    assert nearest.contribution == pytest.approx(3 * 0.8031**3, abs=1e-2)
    assert found.window == (0, 3)
    assert found.score == pytest.approx((2 + 3 * 0.8031**3) / 8, abs=1e-3)
    assert len(found.answers(least=0.9)) == 1


def test_the_best_window_is_named():
    query = words([[0, 127], [127, 0], [127, 0], [0, 127]])
    found = compare_words(query, words([[127, 0]]), Scoring(window=2))
    assert found.window == (1, 3)
    assert found.score == pytest.approx(1)


@pytest.mark.parametrize(("query", "source"), [([], [[127, 0]]), ([[127, 0]], []), ([], [])])
def test_texts_without_words_have_no_answers(query, source):
    found = compare_words(words(query), words(source), Scoring())
    assert found.cosines.shape == (len(query), len(source))
    assert found.answers(least=-1) == []
    assert found.score == 0
