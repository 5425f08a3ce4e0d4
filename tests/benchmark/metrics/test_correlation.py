"""Spearman's correlation, and SciPy's."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.benchmark.metrics.correlation import average_ranks, spearman
from locisimiles.errors import ParameterError


def scipy_stats():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("scipy.stats", reason="SciPy is not installed")


def test_a_correlation_computed_by_hand():
    # Ranks 1 2 3 4 and 1.5 1.5 3 4: the squares of differences are 0.25, 0.25, 0, 0.
    assert spearman([1, 2, 3, 4], [0, 0, 5, 9]).rho == pytest.approx(4.5 / np.sqrt(5 * 4.5))


@pytest.mark.parametrize(("second", "rho"), [([1, 2, 3, 4], 1.0), ([4, 3, 2, 1], -1.0)])
def test_perfect_correlations(second, rho):
    found = spearman([1, 2, 3, 4], second)
    assert (found.rho, found.p_value, found.n) == (pytest.approx(rho), pytest.approx(0), 4)


@pytest.mark.parametrize("columns", [([], []), ([1, 2], [2, 1]), ([1, 1, 1], [1, 2, 3])])
def test_what_cannot_be_correlated_has_no_correlation(columns):
    assert np.isnan(spearman(*columns).rho)
    assert np.isnan(spearman(*columns).p_value)


@pytest.mark.parametrize("columns", [([1, 2], [1]), ([1, 2, float("nan")], [1, 2, 3])])
def test_columns_must_fit(columns):
    with pytest.raises(ParameterError):
        spearman(*columns)


@given(st.lists(st.integers(0, 5)))
def test_ranks_are_those_of_scipy(values):
    expected = scipy_stats().rankdata(values)
    assert average_ranks(np.array(values, float)).tolist() == expected.tolist()


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.floats(-5, 5)), min_size=3, max_size=60))
def test_scipy_agrees(pairs):
    first, second = zip(*pairs, strict=True)
    if len(set(first)) == 1 or len(set(second)) == 1:
        return
    theirs = scipy_stats().spearmanr(first, second)
    ours = spearman(first, second)
    assert ours.rho == pytest.approx(theirs.statistic, abs=1e-9)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("size", [100, 5_000, 200_000])
@pytest.mark.parametrize("strength", [0.0, 0.01, 0.3])
def test_scipy_agrees_about_many_pairs(size, strength):
    generator = np.random.default_rng(size)
    first = generator.integers(0, 9, size)
    second = strength * first + generator.normal(size=size)
    theirs, ours = scipy_stats().spearmanr(first, second), spearman(first, second)
    assert ours.rho == pytest.approx(theirs.statistic, abs=1e-9)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-6, abs=1e-300)
