"""What verdicts add to known probabilities."""

import json
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import InputError, ParameterError
from locisimiles.classify.correction import Correction, RankedPairs, learn_correction

NOBODY = np.array([], np.int64), np.array([], bool)


def make_pairs(probability, author=None, work=None, query=None):
    count = len(probability)
    return RankedPairs(
        np.arange(count) if query is None else np.array(query, np.int64),
        np.array(probability, float),
        author or [""] * count,
        work or [""] * count,
    )


chances = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=30)


@given(chances)
def test_without_verdicts_probabilities_do_not_change(probability):
    pairs = make_pairs(probability, ["Virgil"] * len(probability))
    learnt = learn_correction(pairs, *NOBODY)
    assert learnt.probabilities(pairs).tolist() == probability


@given(chances, st.data())
def test_corrected_probabilities_are_between_0_and_1(probability, data):
    names = data.draw(st.lists(st.sampled_from(["", "Virgil", "Ovid"]), min_size=len(probability),
                               max_size=len(probability)))  # fmt: skip
    label = data.draw(st.lists(st.booleans(), min_size=len(probability),
                               max_size=len(probability)))  # fmt: skip
    pairs = make_pairs(probability, names, names)
    learnt = learn_correction(pairs, np.arange(len(probability)), np.array(label))
    after = learnt.probabilities(pairs)
    assert ((after >= 0) & (after <= 1)).all()
    assert np.abs(learnt.added(pairs)).max() < 10


@given(chances, st.data())
def test_the_order_of_verdicts_does_not_matter(probability, data):
    rows = np.array(data.draw(st.permutations(range(len(probability)))), np.int64)
    label = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    names = [("Virgil", "Ovid")[at % 2] for at in range(len(rows))]
    pairs = make_pairs(probability, names)
    by_row = np.argsort(rows)
    one = learn_correction(pairs, rows, label)
    other = learn_correction(pairs, rows[by_row], label[by_row])
    np.testing.assert_allclose(one.added(pairs), other.added(pairs), atol=1e-3)


def test_two_verdicts_on_an_author_weigh_as_computed_by_hand():
    # All else is even: the loss is 4 a²/2 - 2 log σ(a), so that 4 a = 2 (1 - σ(a)) for Virgil.
    pairs = make_pairs([0.5] * 6, ["Virgil", "Ovid", "Statius"] * 2)
    learnt = learn_correction(pairs, np.array([0, 1, 3, 4]), np.array([True, False, True, False]))
    assert 4 * learnt.author["Virgil"] == pytest.approx(
        2 / (1 + np.exp(learnt.author["Virgil"])), abs=1e-3
    )
    assert learnt.author["Virgil"] == pytest.approx(-learnt.author["Ovid"], abs=1e-6)
    assert learnt.constant == pytest.approx(0, abs=1e-6)
    virgil, ovid, statius = learnt.probabilities(pairs)[:3]
    assert virgil > statius > ovid
    assert statius == pytest.approx(0.5, abs=1e-6)


def test_an_author_with_one_verdict_gets_no_weight():
    pairs = make_pairs([0.5] * 4, ["Virgil", "Ovid", "Ovid", ""])
    learnt = learn_correction(pairs, np.arange(3), np.array([True, False, False]))
    assert set(learnt.author) == {"Ovid"}


def test_works_of_the_same_title_by_different_authors_are_distinct():
    pairs = make_pairs([0.5] * 4, ["Horace", "Horace", "Juvenal", "Juvenal"], ["Satires"] * 4)
    learnt = learn_correction(pairs, np.arange(4), np.array([True, True, False, False]))
    assert learnt.work["Horace, Satires"] > 0 > learnt.work["Juvenal, Satires"]


@pytest.mark.parametrize("verdict", [True, False])
@pytest.mark.parametrize("count", [3, 30, 300])
def test_verdicts_of_one_kind_have_a_bounded_effect(verdict, count):
    random = np.random.default_rng(count)
    probability = random.beta(1, 6, 400)
    pairs = make_pairs(probability, random.choice(["Virgil", "Ovid", ""], 400).tolist())
    learnt = learn_correction(pairs, np.arange(count), np.full(count, verdict))
    added = learnt.added(pairs)
    assert (np.sign(added[:count]) == (1 if verdict else -1)).all()
    assert np.abs(added).max() < 10
    # The best of the pairs without a name are still the best: their order is the classifier's.
    nameless = np.flatnonzero(np.array(pairs.author) == "")
    after = learnt.probabilities(pairs)[nameless]
    assert (np.argsort(after, kind="stable") == np.argsort(probability[nameless])).all()


def test_few_verdicts_change_little():
    pairs = make_pairs([0.9, 0.8, 0.2, 0.1], ["Virgil"] * 4)
    learnt = learn_correction(pairs, np.array([0, 3]), np.array([True, False]))
    assert np.abs(learnt.probabilities(pairs) - pairs.probability).max() < 0.05


def test_many_verdicts_can_overrule_the_classifier():
    probability = np.tile([0.9, 0.1], 200)
    pairs = make_pairs(probability, ["Virgil", "Ovid"] * 200)
    learnt = learn_correction(pairs, np.arange(400), probability < 0.5)
    virgil, ovid = learnt.probabilities(pairs)[:2]
    assert ovid > 0.8
    assert virgil < 0.2


def test_the_number_of_names_is_limited():
    names = [f"author {number % 3000}" for number in range(6000)]
    pairs = make_pairs(np.linspace(0.01, 0.99, 6000), names, names)
    learnt = learn_correction(pairs, np.arange(6000), np.arange(6000) % 2 == 0)
    assert len(learnt.author) == len(learnt.work) == 100


def test_a_correction_survives_json():
    pairs = make_pairs(np.linspace(0.1, 0.9, 8), ["Virgil", "Ovid"] * 4, ["Aeneid", "Fasti"] * 4)
    learnt = learn_correction(pairs, np.arange(6), np.arange(6) % 2 == 0)
    again = Correction.from_dict(json.loads(json.dumps(asdict(learnt))))
    assert again == learnt
    assert again.probabilities(pairs).tobytes() == learnt.probabilities(pairs).tobytes()


@pytest.mark.parametrize("read", [{}, {"constant": "much"}, {"constant": 1, "author": []}])
def test_other_content_is_refused(read):
    with pytest.raises(InputError, match="not a correction"):
        Correction.from_dict(read)


@pytest.mark.parametrize("wrong", [-0.1, 1.5, float("nan")])
def test_invalid_probabilities_are_refused(wrong):
    with pytest.raises(ParameterError, match="probability"):
        make_pairs([0.5, wrong])


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(ParameterError, match="must have equal length"):
        RankedPairs(np.arange(2), np.array([0.5]), ["", ""], ["", ""])
