"""Whether a correction helps on verdicts it was not learnt from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.classify.correction import RankedPairs
from locisimiles.classify.correction_check import (
    CorrectionCheck,
    Figures,
    average_precision,
    check_correction,
    log_loss,
)


def project(authors, seed=0, queries=40, candidates=5):
    """Return pairs whose probabilities say nothing, by authors who are chosen at random."""
    random = np.random.default_rng(seed)
    query = np.repeat(np.arange(queries), candidates)
    names = random.choice(authors, len(query)).tolist()
    pairs = RankedPairs(query, random.uniform(0.3, 0.7, len(query)), names, [""] * len(query))
    return pairs, np.array(names)


def test_a_correction_by_author_helps():
    pairs, names = project(["Virgil", "Ovid", "Lucan"])
    check = check_correction(pairs, np.arange(100), names[:100] == "Virgil")
    assert check.segments == 20
    assert check.helps
    assert check.after.average_precision > 0.95 > check.before.average_precision
    assert check.after.log_loss < check.before.log_loss


def test_random_verdicts_do_not_help():
    random = np.random.default_rng(1)
    helped = []
    for seed in range(20):
        pairs, _ = project(["Virgil", "Ovid", "Lucan"], seed)
        label = random.random(100) < pairs.probability[:100]
        helped.append(check_correction(pairs, np.arange(100), label).helps)
    assert sum(helped) < 8  # where there is nothing to learn, chance finds little


def test_verdicts_on_a_segment_are_in_one_fold():
    # All pairs of a segment cite the same author, whom no other segment cites.
    query = np.repeat(np.arange(20), 5)
    names = [f"author {number}" for number in query]
    pairs = RankedPairs(query, np.full(100, 0.5), names, [""] * 100)
    label = query % 2 == 0
    check = check_correction(pairs, np.arange(100), label)
    assert not check.helps
    assert check.after.average_precision <= 0.5


@pytest.mark.parametrize(
    "label",
    [[True] * 40, [False] * 40, [True] * 4 + [False] * 36, []],
    ids=["only yes", "only no", "four yes", "none"],
)
def test_too_few_verdicts_give_no_figures(label):
    pairs, _ = project(["Virgil", "Ovid"])
    check = check_correction(pairs, np.arange(len(label)), np.array(label, bool))
    assert (check.before, check.after, check.helps) == (None, None, None)


def test_verdicts_on_few_segments_are_too_few():
    pairs, _ = project(["Virgil", "Ovid"])
    check = check_correction(pairs, np.arange(20), np.arange(20) % 2 == 0)
    assert (check.segments, check.helps) == (4, None)


@pytest.mark.parametrize(
    ("after", "helps"),
    [((0.6, 0.4), True), ((0.5, 0.4), True), ((0.4, 0.4), False), ((0.6, 0.5), False)],
)
def test_a_correction_helps_if_the_loss_falls_and_the_ranking_is_no_worse(after, helps):
    assert CorrectionCheck(9, Figures(0.5, 0.5), Figures(*after)).helps is helps


def test_average_precision_is_as_computed_by_hand():
    label = np.array([True, False, True, False])
    assert average_precision(np.array([4.0, 3.0, 2.0, 1.0]), label) == pytest.approx(
        (1 + 2 / 3) / 2
    )
    assert average_precision(np.zeros(4), label) == pytest.approx(0.5)
    assert average_precision(np.array([1.0]), np.array([False])) == 0


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=20))
def test_average_precision_does_not_depend_on_the_order_of_pairs(pairs):
    score, label = (np.array(column) for column in zip(*pairs, strict=True))
    turned = average_precision(score[::-1].astype(float), label[::-1])
    assert average_precision(score.astype(float), label) == pytest.approx(turned)


def test_log_loss_is_as_computed_by_hand():
    found = log_loss(np.array([0.8, 0.4]), np.array([True, False]))
    assert found == pytest.approx(-(np.log(0.8) + np.log(0.6)) / 2)
    assert np.isfinite(log_loss(np.array([0.0]), np.array([True])))
