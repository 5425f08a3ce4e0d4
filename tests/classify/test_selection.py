"""Selections of pairs, and the number of references to expect."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from locisimiles import ParameterError
from locisimiles.classify import Expectation, Selection, expect_references

CHANCES = hnp.arrays(np.float32, st.integers(0, 12), elements=st.floats(0, 1, width=32))


@given(CHANCES)
def test_by_default_all_pairs_are_kept(chances):
    assert Selection().kept(chances).tolist() == [True] * len(chances)
    assert not Selection().is_needed


@given(CHANCES, st.integers(1, 15))
def test_a_budget_keeps_the_most_probable_pairs(chances, budget):
    kept = Selection(budget=budget).kept(chances)
    assert kept.sum() == min(budget, len(chances))
    if kept.any() and not kept.all():
        assert chances[kept].min() >= chances[~kept].max()


@given(CHANCES, st.integers(1, 14))
def test_a_larger_budget_keeps_what_a_smaller_one_does(chances, budget):
    smaller, larger = (Selection(budget=size).kept(chances) for size in (budget, budget + 1))
    assert (larger | ~smaller).all()


def test_of_equally_probable_pairs_the_first_are_kept():
    assert Selection(budget=2).kept(np.array([0.5, 0.7, 0.5, 0.5])).tolist() == [
        True,
        True,
        False,
        False,
    ]


@given(CHANCES, st.floats(0, 1, width=32))
def test_a_threshold_keeps_pairs_at_or_above_it(chances, threshold):
    kept = Selection(threshold=threshold).kept(chances)
    assert kept.tolist() == [float(chance) >= threshold for chance in chances]


@given(CHANCES, st.floats(0, 1))
def test_precision_keeps_as_many_pairs_as_possible(chances, precision):
    kept = Selection(precision=precision).kept(chances)
    best = sorted(map(float, chances), reverse=True)
    possible = [n for n in range(1, len(best) + 1) if sum(best[:n]) / n >= precision - 1e-9]
    assert kept.sum() == max(possible, default=0)
    if kept.any():
        assert chances[kept].mean(dtype=float) >= precision - 1e-6
        if not kept.all():
            assert chances[kept].min() >= chances[~kept].max()


def test_pairs_that_are_exactly_good_enough_are_kept():
    assert Selection(precision=0.1).kept(np.full(7, 0.1)).all()
    assert Selection(precision=1.0).kept(np.array([1.0, 1.0, 0.99])).tolist() == [True, True, False]
    assert not Selection(precision=0.9).kept(np.array([0.8, 0.3])).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": 0}, r"budget must be at least 1 \(got 0\)"),
        ({"budget": -3}, r"budget must be at least 1 \(got -3\)"),
        ({"precision": 1.01}, r"precision must be between 0 and 1 \(got 1.01\)"),
        ({"precision": math.nan}, r"precision must be between 0 and 1 \(got nan\)"),
        ({"threshold": -0.1}, r"threshold must be between 0 and 1 \(got -0.1\)"),
        ({"threshold": math.inf}, r"threshold must be between 0 and 1 \(got inf\)"),
        ({"budget": 3, "precision": 0.5}, "exclude each other; choose one"),
        ({"threshold": 0, "precision": 0}, "exclude each other; choose one"),
        ({"threshold": 0.3, "budget": 3, "precision": 0.5}, "exclude each other; choose one"),
    ],
)
def test_invalid_options_are_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        Selection(**options)


@pytest.mark.parametrize("budget", [2.5, math.nan, "3"])
def test_a_budget_is_a_whole_number(budget):
    with pytest.raises(ParameterError, match=r"budget must be a whole number"):
        Selection(budget=budget)


@pytest.mark.parametrize("options", [{"budget": 3}, {"precision": 0.0}, {"threshold": 0.0}])
def test_a_selection_describes_itself(options):
    assert Selection(**options).as_dict() == options
    assert Selection(**options).is_needed
    assert Selection().as_dict() == {}


def test_certain_pairs_leave_little_doubt():
    # A variance of a quarter: 1.645 · 0.5 = 0.82 on both sides
    told = expect_references(np.array([1.0] * 9 + [0.0] * 9))
    assert told == Expectation(pairs=18, expected=9.0, low=8, high=10)
    assert expect_references(np.array([1.0] * 9 + [0.0] * 9), spread=5.0) == told


def test_an_expectation_by_hand():
    # 25 pairs of 0.2: mean 5, variance 4 + 0.25; 1.645 · √4.25 = 3.39 on both sides
    assert expect_references(np.full(25, 0.2)) == Expectation(25, pytest.approx(5), 2, 8)
    # With σ = 0.5: variance 4.25 + (0.5 · 4)² = 8.25; 1.645 · √8.25 = 4.72
    assert expect_references(np.full(25, 0.2), 0.5) == Expectation(25, pytest.approx(5), 0, 10)


def test_no_pairs_have_no_expected_references():
    assert expect_references(np.zeros(0)) == Expectation(0, 0.0, 0, 0)
    assert str(expect_references(np.zeros(0))).startswith("0 pairs, ")
    assert str(expect_references(np.ones(1))) == (
        "1 pair, about 1 of them references (90 % interval: 0 to 1)"
    )
    assert str(expect_references(np.ones(1234))).startswith("1,234 pairs, ")


@given(CHANCES, st.floats(0, 5))
def test_the_interval_contains_the_expected_number(chances, spread):
    told = expect_references(chances, spread)
    assert 0 <= told.low <= told.high <= told.pairs == len(chances)
    assert told.low - 0.5 <= told.expected <= told.high + 0.5
    plain = expect_references(chances)
    assert told.low <= plain.low <= plain.high <= told.high


def test_numbers_for_manifests_are_short():
    told = expect_references(np.array([0.123456, 0.5]))
    assert told.as_dict() == {"pairs": 2, "expected": 0.6, "low": 0, "high": 2}


def coverage(spread, believed, seed=3):
    """Return how often the interval covers the truth if log-odds of documents have this spread."""
    random = np.random.default_rng(seed)
    hits = []
    for _ in range(1500):
        chances = random.beta(0.6, 2.0, int(random.integers(40, 200)))
        odds = np.log(chances / (1 - chances)) + random.normal(0, spread)
        truth = np.count_nonzero(random.random(len(odds)) < 1 / (1 + np.exp(-odds)))
        told = expect_references(chances, believed)
        hits.append(told.low <= truth <= told.high)
    return np.mean(hits)


@pytest.mark.parametrize("spread", [0.0, 0.3, 0.6])
def test_the_interval_covers_nine_in_ten_documents(spread):
    assert 0.87 <= coverage(spread, spread) <= 0.95


def test_without_the_spread_the_interval_is_too_narrow():
    assert coverage(0.6, 0.0) < 0.75


@pytest.mark.parametrize(
    ("options", "spans_all", "of_a_block"),
    [
        ({}, False, {}),
        ({"threshold": 0.5}, False, {"threshold": 0.5}),
        ({"budget": 7}, True, {"budget": 7}),
        ({"precision": 0.8}, True, {}),
    ],
)
def test_some_selections_need_all_pairs(options, spans_all, of_a_block):
    selection = Selection(**options)
    assert selection.spans_all is spans_all
    assert selection.of_a_block() == Selection(**of_a_block)
    assert selection.is_needed is bool(options)


def test_chances_beyond_1_by_rounding_count_as_certain():
    found = expect_references(np.array([1.5, 1.0, -0.5]))
    assert found == expect_references(np.array([1.0, 1.0, 0.0]))
