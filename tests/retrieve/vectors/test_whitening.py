"""Whitening."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.retrieve.vectors.whitening import LinearMap, centring, whitening


def vectors(count=400, dimensions=6, seed=0):
    random = np.random.default_rng(seed)
    mixed = random.normal(size=(count, dimensions)) @ random.normal(size=(dimensions, dimensions))
    return (mixed + 3).astype(np.float32)


def test_whitened_vectors_have_no_mean_and_no_correlation():
    rows = vectors()
    fitted = whitening(rows, 6)
    mapped = (rows - fitted.mean) @ fitted.matrix
    np.testing.assert_allclose(mapped.mean(axis=0), 0, atol=1e-4)
    np.testing.assert_allclose(np.cov(mapped.T, bias=True), np.eye(6), atol=1e-3)


def test_without_scale_the_space_is_only_rotated():
    rows = vectors()
    fitted = whitening(rows, 6, scale=False)
    np.testing.assert_allclose(fitted.matrix.T @ fitted.matrix, np.eye(6), atol=1e-5)


def test_the_directions_with_most_variance_are_kept():
    rows = np.zeros((100, 3), np.float32)
    rows[:, 1] = np.linspace(-9, 9, 100)
    rows[:, 2] = np.tile([-1, 1], 50)
    fitted = whitening(rows, 1)
    np.testing.assert_allclose(np.abs(fitted.matrix[:, 0]) > 1e-3, [False, True, False])


def test_no_more_directions_are_kept_than_there_are():
    rows = np.zeros((50, 4), np.float32)
    rows[:, 0] = np.linspace(1, 2, 50)
    assert whitening(rows, 4).matrix.shape == (4, 1)


@given(st.integers(0, 5), st.booleans())
def test_zeros_stay_zeros_and_all_else_has_length_one(row, scale):
    rows = vectors(count=40)
    rows[row] = 0
    mapped = whitening(rows, 3, scale=scale)(rows)
    lengths = np.linalg.norm(mapped, axis=1)
    assert lengths[row] == 0
    np.testing.assert_allclose(np.delete(lengths, row), 1, atol=1e-5)


def test_vectors_that_are_all_the_same_are_left_as_they_are():
    same = np.array([[3, 4], [3, 4]], np.float32)
    for fitted in (whitening(same, 2), centring(same)):
        np.testing.assert_allclose(fitted(same), [[0.6, 0.8]] * 2, atol=1e-6)


def test_nothing_to_fit_on_is_no_problem():
    nothing = np.empty((0, 3), np.float32)
    assert whitening(nothing, 2)(nothing).shape == (0, 3)
    assert centring(nothing)(np.ones((1, 3), np.float32)).any()


def test_maps_have_fingerprints():
    rows = vectors()
    prints = {f.fingerprint() for f in (whitening(rows, 2), whitening(rows, 3), centring(rows))}
    assert len(prints) == 3
    assert LinearMap(rows[0]).fingerprint() == LinearMap(rows[0].copy()).fingerprint()
