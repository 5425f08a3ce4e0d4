"""What is measured while a bi-encoder is trained."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.train.biencoder.fold import average_precision


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1))
def test_average_precision_is_what_its_formula_says(rows):
    if not any(linked for _, linked in rows):
        rows = [*rows, (3, True)]
    scores = np.array([score for score, _ in rows], np.float32)
    labels = np.array([linked for _, linked in rows], np.int8)
    expected = np.mean(
        [labels[scores >= s].sum() / (scores >= s).sum() for s in scores[labels == 1]]
    )
    assert average_precision(scores, labels) == pytest.approx(expected)
