"""Pairs of like lengths come together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.errors import ParameterError
from locisimiles.train.crossencoder.batches import batches_by_length, training_batches


@given(st.lists(st.integers(1, 40), max_size=60), st.integers(1, 100))
def test_batches_by_length_have_each_pair_once_and_are_not_too_big(lengths, most):
    lengths = np.array(lengths, np.int64)
    seen = []
    for rows in batches_by_length(lengths, most):
        assert len(rows) == 1 or len(rows) * lengths[rows].max() <= most
        seen += rows.tolist()
    assert sorted(seen) == list(range(len(lengths)))


def test_no_room_is_refused():
    with pytest.raises(ParameterError):
        list(batches_by_length(np.array([3]), 0))


def test_training_batches_have_like_lengths_and_come_in_random_order():
    rng = np.random.default_rng(0)
    lengths = rng.integers(3, 60, 1000)
    order = rng.integers(1000, size=1500)
    batches = training_batches(order, lengths, 32, np.random.default_rng(1))
    assert sorted(np.concatenate(batches).tolist()) == sorted(order.tolist())
    assert sorted(map(len, batches))[1:] == [32] * 46
    means = [lengths[rows].mean() for rows in batches]
    spread = np.mean([np.ptp(lengths[rows]) for rows in batches])
    assert spread < 5 < np.ptp(means)
    assert means != sorted(means)
    again = training_batches(order, lengths, 32, np.random.default_rng(1))
    assert all(np.array_equal(one, two) for one, two in zip(batches, again, strict=True))
