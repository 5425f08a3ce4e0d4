"""The network of the second stage: gradients, training, and JSON."""

import copy
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import ParameterError
from locisimiles.candidates import Features
from locisimiles.learn import ranker as module
from locisimiles.learn.listwise import Lists, fit_listwise
from locisimiles.learn.ranker import fit_ranker
from locisimiles.retrieve.combined.ranker import Ranker

RIGHT = np.array([True, False, False, False])
# Right is what has both or neither; a sum of the columns has no such maximum.
ONE_OF_TWO = [
    np.array(rows, np.float32) * 3
    for rows in ([[1, 1], [1, -1], [-1, 1], [1, -1]], [[-1, -1], [1, -1], [-1, 1], [-1, 1]])
]


def features(rows, names=("a", "b")):
    return Features(names, rows)


def network(seed=0, names=("a", "b"), units=3):
    rng = np.random.default_rng(seed)
    shapes = [(len(names),), (len(names), units), (units,), (units,)]
    parts = [rng.normal(size=shape).round(4).astype(np.float32) for shape in shapes]
    return Ranker(names, *parts)


def test_scores_follow_the_formula():
    ranker = network(1)
    rows = np.random.default_rng(2).normal(size=(5, 2)).astype(np.float32)
    expected = [
        sum(ranker.linear[c] * row[c] for c in range(2))
        + sum(
            ranker.outer[u]
            * np.tanh(sum(row[c] / 3 * ranker.inner[c, u] for c in range(2)) + ranker.shift[u])
            for u in range(3)
        )
        for row in rows
    ]
    np.testing.assert_allclose(ranker.scores(features(rows)), expected, atol=1e-5)
    assert ranker.scores(features(rows[:0])).shape == (0,)


@pytest.mark.parametrize("seed", range(3))
def test_gradients_agree_with_finite_differences(seed, monkeypatch):
    monkeypatch.setattr(module, "_DROPOUT", 0.0)
    rng = np.random.default_rng(seed)
    columns = [rng.normal(size=(size, 2)).astype(np.float32) for size in (2, 5, 4)]
    right = [np.arange(len(own)) % 3 == 0 for own in columns]
    lists = Lists.of(columns, right)
    parts = {
        "linear": rng.normal(size=2),
        "inner": rng.normal(size=(2, 3)),
        "shift": rng.normal(size=3),
        "outer": rng.normal(size=3),
    }

    def loss(parts):
        total = 0.0
        for own, answers in zip(columns, right, strict=True):
            units = np.tanh(own.astype(float) / 3 @ parts["inner"] + parts["shift"])
            scores = own @ parts["linear"] + units @ parts["outer"]
            total -= (scores - np.log(np.exp(scores).sum()))[answers].mean()
        return total / len(columns)

    gradients = module._gradients(parts, lists, np.random.default_rng(0))
    step = 1e-5
    for name, part in parts.items():
        for at in np.ndindex(part.shape):
            up, down = copy.deepcopy(parts), copy.deepcopy(parts)
            up[name][at] += step
            down[name][at] -= step
            expected = (loss(up) - loss(down)) / (2 * step)
            assert gradients[name][at] == pytest.approx(expected, abs=1e-5), (name, at)


def test_training_uses_dropout():
    lists = Lists.of([np.ones((200, 1), np.float32)], [np.arange(200) < 100])
    parts = {
        "linear": np.zeros(1), "inner": np.ones((1, 4)), "shift": np.ones(4), "outer": np.zeros(4),
    }  # fmt: skip
    gradients = module._gradients(parts, lists, np.random.default_rng(0))["outer"]
    # All rows are equal: without dropout there would be no gradient.
    assert (np.abs(gradients) > 1e-4).all()


def test_the_network_learns_what_a_sum_cannot():
    columns, right = ONE_OF_TWO * 30, [RIGHT] * 60
    ranker = fit_ranker(("a", "b"), columns, right)
    assert [int(ranker.scores(features(own)).argmax()) for own in ONE_OF_TWO] == [0, 0]
    weights = fit_listwise(columns, right)
    assert [int((own @ weights).argmax()) for own in ONE_OF_TWO] != [0, 0]


def test_the_same_candidates_give_the_same_network():
    one, same, longer = (
        fit_ranker(("a", "b"), ONE_OF_TWO, [RIGHT] * 2, networks=networks).as_dict()
        for networks in (1, 1, 2)
    )
    assert one == same != longer


def test_several_networks_are_averaged():
    one, two = (
        fit_ranker(("a", "b"), ONE_OF_TWO, [RIGHT] * 2, networks=networks) for networks in (1, 2)
    )
    units = one.outer.size
    first = Ranker(
        one.names, one.linear * 0, two.inner[:, :units], two.shift[:units], two.outer[:units] * 2
    )
    alone = Ranker(one.names, one.linear * 0, one.inner, one.shift, one.outer)
    rows = np.array([[1.0, 0.5], [-2.0, 3.0]], np.float32)
    assert two.outer.size == 2 * units
    np.testing.assert_allclose(
        first.scores(features(rows)), alone.scores(features(rows)), atol=2e-3
    )


def test_training_needs_right_candidates():
    with pytest.raises(ParameterError, match="no query has a right candidate"):
        fit_ranker(("a", "b"), ONE_OF_TWO, [np.zeros(4, bool)] * 2)


@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(0, 5))
def test_a_network_survives_json(seed, columns, units):
    ranker = network(seed, tuple("abcde"[:columns]), units)
    written = json.dumps(ranker.as_dict())
    back = Ranker.from_dict(json.loads(written))
    assert back.names == ranker.names
    rows = np.random.default_rng(seed).normal(size=(4, columns)).astype(np.float32)
    assert back.scores(features(rows, ranker.names)).tolist() == (
        ranker.scores(features(rows, ranker.names)).tolist()
    )
    assert json.dumps(back.as_dict()) == written


@pytest.mark.parametrize("networks", [1, 2])
def test_a_trained_network_survives_json(networks):
    ranker = fit_ranker(("a", "b"), ONE_OF_TWO, [RIGHT] * 2, networks=networks)
    back = Ranker.from_dict(json.loads(json.dumps(ranker.as_dict())))
    assert [back.scores(features(own)).tolist() for own in ONE_OF_TWO] == [
        ranker.scores(features(own)).tolist() for own in ONE_OF_TWO
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"linear": None},
        {"linear": {"a": "much", "b": 1.0}},
        {"linear": {"a": [1.0], "b": [1.0]}},
        {"linear": {"a": float("nan"), "b": 1.0}},
        {"inner": {"a": [1.0] * 3}},
        {"inner": {"a": [1.0] * 3, "b": [1.0] * 2}},
        {"inner": {"a": [1.0] * 2, "b": [1.0] * 2}},
        {"shift": [1.0] * 2},
        {"shift": 1.0},
        {"outer": [1.0] * 2},
        {"outer": [[1.0]] * 3},
        {"outer": [1.0, 1.0, float("inf")]},
    ],
    ids=str,
)
def test_other_content_is_refused(change):
    with pytest.raises((KeyError, ValueError, TypeError)):
        Ranker.from_dict({**network().as_dict(), **change})


@pytest.mark.parametrize("part", ["linear", "inner", "shift", "outer"])
def test_a_network_needs_all_its_parts(part):
    content = network().as_dict()
    content.pop(part)
    with pytest.raises(KeyError, match=part):
        Ranker.from_dict(content)
