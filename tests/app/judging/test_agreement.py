"""How far readers agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from locisimiles.app.judging.agreement import cohens_kappa, compare_readers, kappa_interval

VERDICTS = st.sampled_from(["cit.", "cf.", "reject", "unsure"])


def test_a_case_computed_by_hand():
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: observed 0.7; chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
    one = ["yes"] * 25 + ["no"] * 25
    other = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohens_kappa(one, other) == pytest.approx(0.4)


def test_readers_who_always_agree_have_one():
    assert cohens_kappa(["cit.", "reject"], ["cit.", "reject"]) == 1


def test_less_than_chance_is_negative():
    assert cohens_kappa(["cit.", "reject"], ["reject", "cit."]) == -1


@pytest.mark.parametrize("verdicts", [[], ["cit."], ["cit.", "cit."]])
def test_kappa_is_undefined_for_a_single_verdict(verdicts):
    assert cohens_kappa(verdicts, verdicts) is None


@given(st.lists(st.tuples(VERDICTS, VERDICTS), min_size=1, max_size=40))
def test_kappa_equals_that_of_scikit_learn(pairs):
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    ours = cohens_kappa(one, other)
    if ours is None:
        assert len({*one, *other}) == 1
    else:
        assert ours == pytest.approx(cohen_kappa_score(one, other))


def test_only_pairs_that_both_judged_are_compared():
    ann = {("q", "s"): "cit.", ("q", "t"): "reject", ("q", "u"): "cf."}
    bob = {("q", "s"): "cit.", ("q", "t"): "cit.", ("p", "s"): "cf."}
    (found,) = compare_readers({"Bob": bob, "Ann": ann})
    assert (found.readers, found.pairs, found.agreed) == (("Ann", "Bob"), 2, 1)
    assert found.kappa == 0


@given(st.lists(st.tuples(VERDICTS, VERDICTS), min_size=1, max_size=40))
def test_the_interval_contains_kappa(pairs):
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    kappa, interval = cohens_kappa(one, other), kappa_interval(one, other)
    if kappa is None:
        assert interval is None
    else:
        low, high = interval
        assert low - 1e-9 <= kappa <= high + 1e-9
        assert low < high <= 1


@pytest.mark.parametrize("total", [20, 60])
def test_the_interval_covers_the_true_kappa(total):
    """Both readers know the truth of a pair, and each notes something else now and then."""
    random = np.random.default_rng(7)
    known, share = 0.85, 0.3
    same = known**2 + (1 - known) ** 2
    accepted = known * share + (1 - known) * (1 - share)
    chance = accepted**2 + (1 - accepted) ** 2
    true = (same - chance) / (1 - chance)
    covered = []
    for _ in range(600):
        truth = random.random(total) < share
        one, other = (truth ^ (random.random(total) > known) for _ in range(2))
        interval = kappa_interval(one.astype(str).tolist(), other.astype(str).tolist())
        if interval is not None:
            covered.append(interval[0] <= true <= interval[1])
    assert 0.92 < np.mean(covered) < 0.99
