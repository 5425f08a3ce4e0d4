"""From probabilities to decisions."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from locisimiles.classify.thresholds import (
    NINE_THRESHOLDS,
    Argmax,
    ReferenceThreshold,
    Thresholds,
    plateau_high,
)
from locisimiles.errors import ParameterError

PAIRS = np.array(
    [[0.2, 0.7, 0.1], [0.1, 0.2, 0.7], [0.8, 0.1, 0.1], [0.0, 0.5, 0.5], [0.5, 0.5, 0]]
)


def test_the_nine_thresholds():
    assert NINE_THRESHOLDS == (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def test_argmax_takes_the_first_of_equally_probable_classes():
    cit, cf = Argmax().decide(PAIRS)
    assert cit.tolist() == [True, False, False, True, False]
    assert cf.tolist() == [False, True, False, False, False]


@given(hnp.arrays(float, (3, 2, 3), elements=st.sampled_from([0, 0.2, 0.4, 1])))
def test_argmax_agrees_with_numpy(probabilities):
    cit, cf = Argmax().decide(probabilities)
    assert (cit + 2 * cf).tolist() == probabilities.argmax(axis=-1).tolist()


def test_each_type_has_its_threshold():
    cit, cf = Thresholds(cit=0.6, cf=0.1).decide(PAIRS)
    assert cit.tolist() == [True, False, False, False, False]
    assert cf.tolist() == [True, True, True, True, False]


def test_a_probability_equal_to_the_threshold_passes():
    assert Thresholds(0.7, 0.7).decide(PAIRS).any(axis=1).tolist() == [True, True]


def test_exclusive_thresholds_give_one_label():
    cit, cf = Thresholds(cit=0.5, cf=0.1, exclusive=True).decide(PAIRS)
    assert cit.tolist() == [True, False, False, True, True]
    assert cf.tolist() == [False, True, True, False, False]


@given(hnp.arrays(float, (4, 3), elements=st.floats(0, 1)), st.floats(0, 1), st.floats(0, 1))
def test_exclusive_thresholds_flag_the_same_pairs(probabilities, cit, cf):
    both = Thresholds(cit, cf).decide(probabilities)
    one = Thresholds(cit, cf, exclusive=True).decide(probabilities)
    assert one.any(axis=0).tolist() == both.any(axis=0).tolist()
    assert not one.all(axis=0).any()


def test_an_infinite_threshold_is_never_passed():
    assert not Thresholds(math.inf, math.inf).decide(np.ones((2, 3))).any()


def test_a_threshold_must_be_a_number():
    with pytest.raises(ParameterError, match="NaN"):
        Thresholds(float("nan"), 0.5)


@pytest.mark.parametrize("rule", [Argmax(), Thresholds()])
@pytest.mark.parametrize("shape", [(2, 2), (), (3, 1)])
def test_probabilities_must_have_three_classes(rule, shape):
    with pytest.raises(ParameterError, match="three classes"):
        rule.decide(np.zeros(shape))


# F1 at 0.9, 0.8, 0.7, 0.6, 0.5: 2/5, 4/6, 6/7, 6/8, 8/9.
SCORE = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
TRUTH = np.array([True, True, True, False, True])


@pytest.mark.parametrize(
    ("tolerance", "threshold"), [(0.0, 0.5), (0.01, 0.5), (0.04, 0.7), (0.23, 0.8), (1.0, 0.9)]
)
def test_the_highest_threshold_on_the_plateau_is_chosen(tolerance, threshold):
    assert plateau_high(SCORE, TRUTH, tolerance) == threshold


def test_equal_scores_pass_together():
    # 0.5 takes all four: F1 4/6; there is no threshold that takes the two references alone.
    assert plateau_high(np.full(4, 0.5), np.array([True, True, False, False])) == 0.5


def test_thresholds_are_tuned_for_each_type():
    probabilities = np.array([[0.1, 0.9, 0.0], [0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0.9, 0.0, 0.1]])
    tuned = Thresholds.tuned(probabilities, np.array([1, 2, 0, 0], np.uint8))
    assert tuned == Thresholds(cit=0.9, cf=0.5)


def test_a_type_that_does_not_occur_is_never_decided_for():
    tuned = Thresholds.tuned(np.full((2, 3), 1 / 3), np.array([0, 1], np.uint8), exclusive=True)
    assert (tuned.cf, tuned.exclusive) == (math.inf, True)


@pytest.mark.parametrize(
    ("score", "truth", "tolerance", "said"),
    [
        ([0.5], [False], 0.01, "no reference"),
        ([], [], 0.01, "no reference"),
        ([0.5, 0.1], [True], 0.01, "equal length"),
        ([float("nan")], [True], 0.01, "NaN"),
        ([0.5], [True], -0.1, "at least 0"),
    ],
)
def test_invalid_training_data_are_refused(score, truth, tolerance, said):
    with pytest.raises(ParameterError, match=said):
        plateau_high(np.array(score), np.array(truth, bool), tolerance)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 10), st.booleans()), min_size=1), st.floats(0, 0.3))
def test_scikit_learn_agrees(pairs, tolerance):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    score, truth = np.array([pair[0] / 10 for pair in pairs]), np.array([pair[1] for pair in pairs])
    if not truth.any():
        return
    f1 = {t: theirs.f1_score(truth, score >= t, zero_division=0.0) for t in set(score.tolist())}
    good = [t for t, value in f1.items() if value >= max(f1.values()) - tolerance - 1e-12]
    assert plateau_high(score, truth, tolerance) == max(good)


def slow_f1(probability, relevant, threshold):
    """Return F1 of one query."""
    chosen = [chance >= threshold for chance in probability]
    right = sum(a and b for a, b in zip(chosen, relevant, strict=True))
    return 2 * right / (sum(chosen) + sum(relevant))


GRIDS = st.lists(
    st.tuples(
        hnp.arrays(float, (3, 4), elements=st.sampled_from([0.0, 0.02, 0.1, 0.35, 0.6, 0.9])),
        hnp.arrays(np.uint8, (3, 4), elements=st.sampled_from([0, 0, 1, 2])),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=40)
@given(GRIDS, st.sampled_from([0.0, 0.02, 0.2]))
def test_thresholds_by_queries_agree_with_a_naive_search(grids, tolerance):
    given_ = [
        (np.stack([1 - chances, chances / 2, chances / 2], axis=-1), label)
        for chances, label in grids
    ]
    tuned = Thresholds.tuned_by_queries(given_, tolerance=tolerance)
    for kind, found in ((1, tuned.cit), (2, tuned.cf)):
        asked = [
            (chances[row] / 2, label[row] == kind)
            for chances, label in grids
            for row in range(3)
            if (label[row] == kind).any()
        ]
        if not asked:
            assert found == math.inf
            continue

        def mean(step, asked=asked):
            return np.mean([slow_f1(*query, step) for query in asked])

        steps = np.round(np.geomspace(0.001, 0.95, 150), 4)
        values = [mean(step) for step in steps]
        good = [
            step
            for step, own in zip(steps, values, strict=True)
            if own >= max(values) - tolerance - 1e-9
        ]
        assert found == max(good)


def test_every_query_counts_equally():
    sure = np.array([[0.9, 0.8, 0.8, 0.8], [0.1, 0.0, 0.0, 0.0], [0.1, 0.0, 0.0, 0.0]])
    label = np.array([[1, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0]], np.uint8)
    probabilities = np.stack([1 - sure, sure, 0 * sure], axis=-1)
    by_queries = Thresholds.tuned_by_queries([(probabilities, label)], tolerance=0.0)
    assert 0.09 < by_queries.cit <= 0.1
    assert by_queries.cf == math.inf


def test_no_documents_have_no_thresholds():
    assert Thresholds.tuned_by_queries([]) == Thresholds(math.inf, math.inf)


def test_probabilities_of_one_pair_are_enough():
    for rule in (Argmax(), Thresholds(), ReferenceThreshold()):
        assert rule.decide(np.array([0.2, 0.7, 0.1])).tolist() == [True, False]
    with pytest.raises(ParameterError, match="shape"):
        Argmax().decide(np.array(0.5))


def test_a_half_is_the_default_threshold():
    assert (Thresholds().cit, Thresholds().cf, ReferenceThreshold().least) == (0.5, 0.5, 0.5)


def test_a_reference_threshold_decides_for_pairs_that_reach_it_and_for_one_type():
    cit, cf = ReferenceThreshold(0.5).decide(
        np.array([[0.5, 0.5, 0], [0.5, 0, 0.5], [0.75, 0.25, 0], [0.25, 0.375, 0.375]])
    )
    assert cit.tolist() == [True, False, False, True]
    assert cf.tolist() == [False, True, False, False]


@pytest.mark.parametrize(
    ("recall", "least"), [(0.0, 0.875), (0.1, 0.875), (0.25, 0.875), (0.5, 0.75), (1.0, 0.125)]
)
def test_the_threshold_of_a_recall_is_the_highest_that_reaches_it(recall, least):
    cit = np.array([0.125, 0.875, 0.5, 0.75])
    chances = np.stack([1 - cit, cit, 0 * cit], axis=-1)
    learnt = ReferenceThreshold.for_recall([(chances, np.ones(4, np.uint8))], recall)
    assert learnt.least == least
    assert learnt.decide(chances).any(axis=0).mean() >= recall


def test_by_default_a_threshold_may_cost_one_in_a_hundred():
    score = np.concatenate([np.full(60, 0.9), np.full(40, 0.2)])
    relevant = np.ones(100, bool)
    relevant[60:] = np.arange(40) % 2 == 0  # F1 of 0.9: 120 / 140; of 0.2: 160 / 180
    assert plateau_high(score, relevant) == plateau_high(score, relevant, 0.01) == 0.2
    assert plateau_high(score, relevant, 0.05) == 0.9
    relevant[60:] = np.arange(40) % 3 == 0  # 120 / 134 and 148 / 174
    assert plateau_high(score, relevant) == 0.9
