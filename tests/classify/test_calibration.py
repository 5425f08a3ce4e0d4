"""Calibration: annotation coverage, thresholds, and how far documents differ."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from locisimiles import ParameterError
from locisimiles.classify.calibration import Calibration, annotation_coverage, document_spread
from locisimiles.classify.selection import expect_references
from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds


def grid(chance, label):
    """One query whose pairs have these probabilities of being cit."""
    chance = np.asarray(chance, float)[None]
    return np.stack([1 - chance, chance, 0 * chance], axis=-1), np.asarray(label, np.uint8)[None]


def test_coverage_counts_apparently_certain_pairs_only():
    sure, unsure = [0.95] * 40, [0.5] * 40
    judged = [grid(sure + unsure, [1] * 36 + [0] * 44)]
    assert annotation_coverage(judged) == pytest.approx((36 + 1) / (40 * 0.95 + 1))


def test_coverage_is_at_most_1():
    assert annotation_coverage([grid([0.91] * 50, [1] * 50)]) == 1.0
    assert annotation_coverage([grid([0.1] * 50, [0] * 50)]) == 1.0  # nothing looks certain
    assert annotation_coverage([]) == 1.0


def test_unnoted_references_are_no_match():
    read = Calibration(coverage=0.9).applied(np.array([[0.2, 0.5, 0.3]]))
    assert read.tolist() == [pytest.approx([0.28, 0.45, 0.27])]


@given(
    st.lists(st.tuples(*[st.floats(0.01, 1)] * 3), min_size=1, max_size=8),
    st.floats(0.1, 1),
)
def test_applied_probabilities_are_scaled_and_add_up(rows, noted):
    chances = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    before = chances.copy()
    read = Calibration(coverage=noted).applied(chances)
    assert (chances == before).all()  # what was given is not changed
    assert read.sum(axis=1) == pytest.approx(np.ones(len(rows)))
    assert read[:, 1:] == pytest.approx(noted * chances[:, 1:])


def test_the_spread_by_hand():
    # 100 pairs of 0.5: 50 are expected, with a variance of 25. 60 and 30 were found.
    documents = [grid([0.5] * 100, [1] * found + [0] * (100 - found)) for found in (60, 30)]
    sigma = math.sqrt((10**2 - 25 + 20**2 - 25) / (2 * 25**2))
    assert document_spread(documents) == pytest.approx(sigma * 2.920 / 1.645)


def test_counts_within_chance_have_no_spread():
    documents = [grid([0.5] * 100, [1] * found + [0] * (100 - found)) for found in (54, 47)]
    assert document_spread(documents) == 0
    assert document_spread([]) == 0


def test_the_spread_is_widened_for_few_documents():
    one = grid([0.5] * 100, [1] * 70 + [0] * 30)
    spreads = [document_spread([one] * count) for count in (1, 2, 5, 10, 30)]
    assert spreads == sorted(spreads, reverse=True)
    assert spreads[0] > 3 * spreads[-1]


def test_intervals_with_the_learnt_spread_cover_similar_documents():
    random = np.random.default_rng(0)
    covered = 0
    for _ in range(60):
        documents = []
        for _ in range(6):
            odds = random.normal(-1.5, 2, size=400) + random.normal(0, 0.6)
            said = 1 / (1 + np.exp(-(odds - odds.mean() - 1.5)))
            truth = random.random(400) < 1 / (1 + np.exp(-odds))
            documents.append(grid(said, truth))
        spread = document_spread(documents[:-1])
        chances, label = documents[-1]
        expected = expect_references(chances[0, :, 1], spread)
        covered += expected.low <= label.sum() <= expected.high
    assert covered >= 48  # 54 of 60 are promised


def test_thresholds_are_tuned_on_scaled_probabilities():
    chance = [0.95] * 20 + [0.3] * 20
    judged = [grid(chance, [1] * 18 + [0] * 22)]
    learnt = Calibration.learn(judged)
    assert learnt.coverage == pytest.approx(19 / 20)
    read = learnt.applied(judged[0][0])
    assert learnt.detection == ReferenceThreshold.for_recall([(read, judged[0][1])])
    assert learnt.thresholds == Thresholds.tuned_by_queries([(read, judged[0][1])])
    assert 0.3 * learnt.coverage < learnt.thresholds.cit <= 0.95 * learnt.coverage


def test_learning_needs_references():
    with pytest.raises(ParameterError, match="no reference"):
        Calibration.learn([grid([0.5], [0])])


@pytest.mark.parametrize("count", range(1, 13))
def test_the_spread_of_few_documents_is_that_of_students_t(count):
    documents = [grid([0.5] * 100, [1] * 70 + [0] * 30)] * count
    sigma = math.sqrt((20**2 - 25) / 25**2)
    factor = float(t.ppf(0.95, min(count, 10))) / 1.645
    assert document_spread(documents) == pytest.approx(sigma * factor, rel=1e-3)


def test_what_was_not_learnt_changes_nothing():
    calibration = Calibration()
    assert calibration.applied(np.array([[0.2, 0.5, 0.3]])).tolist() == [[0.2, 0.5, 0.3]]
    assert calibration.spread == 0


def test_a_pair_is_apparently_certain_beyond_nine_in_ten():
    exactly = np.zeros((1, 40, 3))
    exactly[..., 1] = 0.9
    assert annotation_coverage([(exactly, np.zeros((1, 40), np.uint8))]) == 1


def test_coverage_counts_the_pairs_of_all_documents():
    judged = [grid([1.0] * 30, [1] * 29 + [0]), grid([1.0] * 50, [1] * 46 + [0] * 4)]
    assert annotation_coverage(judged) == pytest.approx((29 + 46 + 1) / (30 + 50 + 1))


def test_certainty_without_variance_has_no_spread():
    assert document_spread([grid([1.0] * 5, [0] * 5)]) == 0


def test_a_small_surplus_has_a_spread():
    few = [grid([0.5, 0.5], [1, 1])] * 10  # one too many, squared, against a variance of 0.5
    assert document_spread(few) == pytest.approx(math.sqrt(0.5 / 0.25) * 1.812 / 1.645, rel=1e-3)
    assert document_spread(few[:1]) > 0
