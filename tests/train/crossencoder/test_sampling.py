"""Pairs of three classes are drawn in the shares that are wanted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.errors import ParameterError
from locisimiles.train.crossencoder.sampling import (
    MIXES,
    LabelledPairs,
    check_mix,
    draw_epoch,
    label_synthetic_pairs,
    training_batches,
)
from locisimiles.train.crossencoder.settings import CrossEncoderSettings, rate_share

LABELS = np.array([0] * 900 + [1] * 60 + [2] * 40, np.uint8)


@pytest.mark.parametrize("mix", [*MIXES, "0.7,0.3,0"])
def test_the_classes_have_their_shares(mix):
    drawn = draw_epoch(LABELS, mix, samples=20_000, seed=1, epoch=0)
    found = np.bincount(LABELS[drawn], minlength=3) / 20_000
    np.testing.assert_allclose(found, check_mix(mix), atol=0.015)


def test_pairs_of_a_class_are_equally_likely():
    drawn = draw_epoch(LABELS, "even", samples=60_000, seed=1, epoch=0)
    counts = np.bincount(drawn, minlength=1000)[900:960]
    assert 200 < counts.min() < 333 < counts.max() < 460


def test_each_epoch_draws_anew_and_the_same_seed_the_same():
    one, again, other, seed = (
        draw_epoch(LABELS, "mild", seed=seed, epoch=epoch).tolist()
        for seed, epoch in ((1, 0), (1, 0), (1, 1), (2, 0))
    )
    assert one == again
    assert len(one) == 1000
    assert one not in (other, seed)


@given(st.integers(1, 3000))
def test_the_natural_mix_shows_all_before_one_again(samples):
    counts = np.bincount(
        draw_epoch(LABELS, "natural", samples=samples, seed=0, epoch=0), minlength=1000
    )
    assert counts.sum() == samples
    assert np.ptp(counts) <= 1


def test_references_of_unknown_kind_are_drawn_as_both():
    label = np.array([0] * 50 + [3] * 50, np.uint8)
    drawn = draw_epoch(label, "mild", samples=10_000, seed=0, epoch=0)
    assert (label[drawn] == 3).mean() == pytest.approx(0.2, abs=0.02)


def test_nothing_to_draw_from():
    assert len(draw_epoch(np.empty(0, np.uint8), "even", seed=0, epoch=0)) == 0
    with pytest.raises(ParameterError, match="leaves no pair"):
        draw_epoch(np.ones(3, np.uint8), "1,0,0", seed=0, epoch=0)


@pytest.mark.parametrize(
    "mix", ["", "a", "1,2", "1,2,3,4", "-1,1,1", "0,0,0", "nan,1,1", "inf,1,1"]
)
def test_mixes_that_make_no_sense_are_refused(mix):
    with pytest.raises(ParameterError, match="unknown mix"):
        check_mix(mix)


def test_columns_that_do_not_fit_are_refused():
    two, three = np.zeros(2, np.int32), np.zeros(3, np.int32)
    with pytest.raises(ParameterError, match=r"equal length \(2 and 3\)"):
        LabelledPairs(two, three, np.zeros(2, np.uint8))
    with pytest.raises(ParameterError, match="label 4"):
        LabelledPairs(two, two, np.array([0, 4], np.uint8))


@given(st.integers(2, 12), st.integers(1, 8), st.integers(0, 5), st.integers(0, 99))
def test_synthetic_pairs_have_their_answers_and_no_other_is_called_one(
    sources, queries, wide, seed
):
    rng = np.random.default_rng(seed)
    answer = rng.integers(sources, size=queries).astype(np.int32)
    wrong = rng.integers(-1, sources, size=(queries, wide)).astype(np.int32)
    wrong[wrong == answer[:, None]] = -1
    pairs = label_synthetic_pairs(answer, wrong, sources=sources, negatives=2, seed=seed)
    positive = pairs.label == 3
    assert pairs.source[positive].tolist() == answer.tolist()
    assert (pairs.source[~positive] != answer[pairs.query[~positive]]).all()
    assert pairs.source.min() >= 0
    assert pairs.source.max() < sources
    counts = np.bincount(pairs.query, minlength=queries)
    expected = 2 + np.minimum((wrong >= 0).sum(axis=1), 2)
    assert counts.tolist() == expected.tolist()


@pytest.mark.parametrize(
    "wrong",
    [
        {"mix": "most"}, {"strategy": "any"}, {"ratio": 0}, {"pooling": "max"}, {"epochs": 0},
        {"rate": 0}, {"head_rate": float("nan")}, {"warm_up": 1.5}, {"budget": 4}, {"seed": -1},
        {"samples": 0}, {"synthetic_epochs": -1}, {"dropout": 1.0},
    ],
)  # fmt: skip
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ParameterError):
        CrossEncoderSettings(**wrong)


@given(st.integers(1, 200), st.floats(0, 0.99))
def test_the_rate_rises_then_falls_and_is_never_nothing(steps, warm_up):
    shares = [rate_share(step, steps, warm_up) for step in range(steps)]
    assert all(0 < share <= 1 for share in shares)
    top = int(np.argmax(shares))
    assert shares[: top + 1] == sorted(shares[: top + 1])
    assert shares[top:] == sorted(shares[top:], reverse=True)


def test_training_batches_have_like_lengths_and_come_in_random_order():
    rng = np.random.default_rng(0)
    lengths = rng.integers(3, 60, 1000)
    order = rng.integers(1000, size=1500)
    batches = training_batches(order, lengths, 32, np.random.default_rng(1))
    assert sorted(np.concatenate(batches).tolist()) == sorted(order.tolist())
    assert sorted(map(len, batches))[1:] == [32] * 46
    means = [lengths[rows].mean() for rows in batches]
    spread = np.mean([np.ptp(lengths[rows]) for rows in batches])
    assert spread < 5 < np.ptp(means)
    assert means != sorted(means)
    again = training_batches(order, lengths, 32, np.random.default_rng(1))
    assert all(np.array_equal(one, two) for one, two in zip(batches, again, strict=True))
