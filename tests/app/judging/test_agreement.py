"""How far readers agree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from locisimiles.app.judging.agreement import cohens_kappa, compare_readers

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
