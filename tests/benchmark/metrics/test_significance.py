"""Bootstrap, randomisation, effects, corrections."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from locisimiles.benchmark.metrics import significance
from locisimiles.benchmark.metrics.significance import (
    Interval,
    bootstrap_interval,
    compare,
    holm,
    randomisation_test,
)
from locisimiles.errors import ParameterError

GENERATOR = np.random.default_rng(5)
MANY = GENERATOR.random(300)


def test_an_interval_holds_the_mean_and_narrows_with_confidence():
    wide, narrow = (bootstrap_interval(MANY, confidence=c, resamples=2000) for c in (0.99, 0.5))
    assert wide.low < narrow.low < MANY.mean() < narrow.high < wide.high


def test_an_interval_is_about_as_wide_as_theory_says():
    low, high = bootstrap_interval(MANY)
    assert high - low == pytest.approx(2 * 1.96 * MANY.std() / math.sqrt(300), rel=0.05)


def test_the_same_seed_gives_the_same_interval():
    first, again, other = (bootstrap_interval(MANY, resamples=500, seed=s) for s in (1, 1, 2))
    assert first == again != other


def exact(differences):
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in itertools.product([1, -1], repeat=len(differences))
    ]
    return sum(value >= observed - 1e-9 for value in sums) / len(sums)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=8))
def test_few_queries_are_tested_exactly(differences):
    assert randomisation_test(differences, [0] * len(differences)) == pytest.approx(
        exact(differences)
    )


def test_rounding_does_not_change_the_p_value():
    differences = [
        0.1,
        0.2,
        0.3,
        -0.6,
    ]  # rounding makes some of these sums differ in the last digit
    assert randomisation_test(differences, [0] * 4) == 1.0


def test_many_queries_are_tested_at_random_and_agree_with_the_exact_value():
    first, second = np.repeat([1.0, 0.0], [14, 6]), np.repeat([0.0, 1.0], [14, 6])
    sampled = randomisation_test(first, second)  # twenty differences are too many to try all
    binomial = sum(math.comb(20, k) for k in range(7)) * 2 / 2**20
    assert sampled == pytest.approx(binomial, rel=0.05)


def test_a_random_p_value_is_reproducible_and_never_zero():
    first, second = MANY + 1, MANY
    assert randomisation_test(first, second, resamples=99) == 0.01
    noisy = MANY + GENERATOR.normal(size=300)
    values = [randomisation_test(noisy, second, resamples=300, seed=seed) for seed in (3, 3)]
    assert values[0] == values[1]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30))
def test_the_test_is_two_sided(pairs):
    first, second = zip(*pairs, strict=True)
    assert randomisation_test(first, second, resamples=500) == pytest.approx(
        randomisation_test(second, first, resamples=500)
    )


def test_scipy_agrees_about_the_test():
    first, second = np.array([0.3, 0.9, 0.4, 0.8, 1.0, 0.2, 0.7]), np.array([0.1] * 3 + [0.6] * 4)
    theirs = permutation_test(
        (first, second),
        lambda one, two, axis: (one - two).mean(axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    assert randomisation_test(first, second) == pytest.approx(theirs.pvalue)


def test_a_comparison_counts_queries_and_measures_the_effect():
    result = compare([1.0, 0.5, 1.0, 0.2], [0.0, 0.5, 0.5, 0.4])
    assert (result.n, result.wins, result.ties, result.losses) == (4, 2, 1, 1)
    differences = np.array([1.0, 0.0, 0.5, -0.2])
    assert result.mean_difference == pytest.approx(0.325)
    assert result.effect_size == pytest.approx(0.325 / differences.std(ddof=1))
    assert result.p_value == 0.5  # 1 and 0.5 against -0.2: four of eight ways are as far from 0
    assert result.interval.low <= 0.325 <= result.interval.high


@pytest.mark.parametrize(
    ("first", "effect"), [([0.5, 0.2], 0), ([0.6, 0.3], math.inf), ([0.4, 0.1], -math.inf)]
)
def test_an_effect_that_is_the_same_everywhere(first, effect):
    assert compare(first, [0.5, 0.2]).effect_size == effect


def test_one_query_can_be_compared():
    assert compare([1.0], [0.0]).p_value == 1.0


@pytest.mark.parametrize(
    ("given_values", "corrected"),
    [
        ([], []),
        ([0.2], [0.2]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.04, 0.01, 0.5, 0.6], [0.12, 0.04, 1.0, 1.0]),
    ],
)
def test_holm_by_hand(given_values, corrected):
    assert holm(given_values) == pytest.approx(corrected)


@given(st.lists(st.floats(0, 1)))
def test_holm_keeps_the_order_and_never_lowers_a_p_value(values):
    corrected = holm(values)
    assert all(new >= old for new, old in zip(corrected, values, strict=True))
    assert all(value <= 1 for value in corrected)
    by_old = [new for _, new in sorted(zip(values, corrected, strict=True))]
    assert by_old == sorted(by_old)


@pytest.mark.parametrize(
    "call",
    [
        lambda: bootstrap_interval([]),
        lambda: bootstrap_interval([0.5], confidence=1),
        lambda: bootstrap_interval([0.5], resamples=0),
        lambda: bootstrap_interval([0.5, 0.7], resamples=1),
        lambda: bootstrap_interval([float("nan")]),
        lambda: randomisation_test([1, 2], [1]),
        lambda: randomisation_test(range(20), [50] * 20, resamples=0),
        lambda: holm([1.2]),
        lambda: holm([float("nan")]),
    ],
)
def test_invalid_values_are_errors(call):
    with pytest.raises(ParameterError):
        call()


def test_defaults_are_those_of_the_documentation():
    column = MANY[:40]
    assert bootstrap_interval(column) == bootstrap_interval(
        column, confidence=0.95, resamples=10_000, seed=0
    )
    other = np.roll(column, 1)
    again = randomisation_test(column, other, resamples=100_000, seed=0)
    assert randomisation_test(column, other) == again


def test_one_value_and_two_resamples_are_enough():
    assert bootstrap_interval([0.5]) == Interval(0.5, 0.5)
    low, high = bootstrap_interval(MANY, resamples=2)
    assert low < high


def test_up_to_sixteen_differences_are_tested_exactly():
    assert randomisation_test([1] * 16, [0] * 16, resamples=9) == 2 / 2**16
    assert randomisation_test([1] * 17, [0] * 17, resamples=9) == 0.1


@pytest.mark.parametrize("scale", [1e-7, 1e7])
def test_the_unit_does_not_change_the_p_value(scale):
    differences = np.array([0.4, -0.1, 0.3, 0.2, -0.2])
    assert randomisation_test(differences * scale, [0] * 5) == exact(differences)


def test_resamples_are_drawn_in_any_number_of_batches(monkeypatch):
    first, second = MANY[:40], MANY[40:80]
    expected = randomisation_test(first, second, resamples=1000)
    for cells in (1, 40, 77 * 40, 999 * 40):
        monkeypatch.setattr(significance, "_CELLS_AT_ONCE", cells)
        assert randomisation_test(first, second, resamples=1000) == expected


@pytest.mark.parametrize("cells", [1, 17 * 3, 1 << 22])
def test_every_resample_is_counted_once(monkeypatch, cells):
    """An odd number of ones with any signs has a sum of one at least."""
    monkeypatch.setattr(significance, "_CELLS_AT_ONCE", cells)
    ones = np.array([1.0] * 9 + [-1.0] * 8)
    for resamples in (1, 2, 10):
        assert randomisation_test(ones, np.zeros(17), resamples=resamples) == 1.0


def test_wins_and_ties_and_losses_are_counted():
    found = compare([3.0, 1.0, 1.0, 0.0, 2.0, 2.0], [1.0, 1.0, 2.0, 2.0, 1.0, 0.0], resamples=50)
    assert (found.n, found.wins, found.ties, found.losses) == (6, 3, 1, 2)
    negative = compare([-1.0, -2.0], [1.0, 1.0], resamples=50)
    assert (negative.wins, negative.ties, negative.losses) == (0, 0, 2)
    halves = compare([0.5, 0.5, 0.5], [0.0, 0.0, 0.5], resamples=50)
    assert (halves.wins, halves.ties, halves.losses) == (2, 1, 0)
