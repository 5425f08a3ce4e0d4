"""Pairs of like lengths come together."""

import numpy as np

from locisimiles.train.crossencoder.batches import training_batches


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
