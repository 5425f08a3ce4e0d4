"""Spearman's correlation."""

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.benchmark.metrics.correlation import spearman
from locisimiles.errors import ParameterError


def test_a_correlation_computed_by_hand():
    # Ranks 1 2 3 4 and 1.5 1.5 3 4: the squares of differences are 0.25, 0.25, 0, 0.
    assert spearman([1, 2, 3, 4], [0, 0, 5, 9]).rho == pytest.approx(4.5 / np.sqrt(5 * 4.5))


@pytest.mark.parametrize(("second", "rho"), [([1, 2, 3, 4], 1.0), ([4, 3, 2, 1], -1.0)])
def test_perfect_correlations(second, rho):
    found = spearman([1, 2, 3, 4], second)
    assert (found.rho, found.p_value, found.n) == (pytest.approx(rho), pytest.approx(0), 4)


@pytest.mark.parametrize("columns", [([], []), ([1, 2], [2, 1]), ([1, 1, 1], [1, 2, 3])])
def test_undefined_correlations(columns):
    assert np.isnan(spearman(*columns).rho)
    assert np.isnan(spearman(*columns).p_value)


@pytest.mark.parametrize("columns", [([1, 2], [1]), ([1, 2, float("nan")], [1, 2, 3])])
def test_columns_must_have_equal_length_and_no_nan(columns):
    with pytest.raises(ParameterError):
        spearman(*columns)


def mean_ranks(values):
    """Rank values from 1; equal values share the mean of their ranks."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.floats(-5, 5)), min_size=3, max_size=60))
def test_the_correlation_is_that_of_mean_ranks(pairs):
    first, second = zip(*pairs, strict=True)
    if len(set(first)) == 1 or len(set(second)) == 1:
        return
    expected = np.corrcoef(mean_ranks(first), mean_ranks(second))[0, 1]
    assert spearman(first, second).rho == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("strength", [0.0, 0.01, 0.05])
def test_the_p_value_is_that_of_students_t(strength):
    generator = np.random.default_rng(5)
    first = generator.normal(size=50_000)
    found = spearman(first, strength * first + generator.normal(size=50_000))
    t = found.rho * np.sqrt((found.n - 2) / (1 - found.rho**2))
    # With so many pairs, Student's t is nearly normal.
    assert found.p_value == pytest.approx(2 * NormalDist().cdf(-abs(t)), rel=0.02)
