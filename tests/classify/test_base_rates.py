"""Base rates: how often a text refers, and its probabilities."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.classify import Ensemble
from locisimiles.classify.base_rates import BaseRate, BaseRates, RateModel, TextRate
from locisimiles.classify.ensemble_weights import EnsembleWeights
from locisimiles.errors import MalformedInputError

OTHERS = RateModel(constant=-1.0, rate=0.2, above=0.5, below=1.0, weight=0.5, spread=0.7)
OWN = RateModel(rate=0.4, below=1.0, spread=0.1)
RATES = BaseRates(OWN, OTHERS, "abc", frozenset(["Jerome"]))
CHANCES = st.lists(st.floats(0, 1, width=32), min_size=1, max_size=30)


@given(CHANCES)
def test_the_order_of_pairs_stays(chances):
    rate = RATES.estimate(np.arange(len(chances)), np.array(chances), ["Caesar"] * len(chances))
    adapted = rate.probability(np.array(chances), ["Caesar"] * len(chances))
    assert (np.diff(adapted[np.argsort(chances)]) >= 0).all()
    assert ((adapted >= 0) & (adapted <= 1)).all()


def sampled(shift, texts=300, seed=3):
    """Return the best probabilities at the usual rate of a text whose rate is shifted."""
    random = np.random.default_rng(seed)
    usual = np.log(OTHERS.rate / (1 - OTHERS.rate))
    is_reference = random.random(texts) < 1 / (1 + np.exp(-(usual + shift)))
    # Two normal distributions with equal spread: the log-odds are linear in the score.
    score = random.normal(np.where(is_reference, 1.5, -1.5), np.sqrt(3))
    recalibrated = score + usual
    return 1 / (1 + np.exp(-(recalibrated - OTHERS.constant))), is_reference


@pytest.mark.parametrize("shift", [-2.0, -1.0, 0.0, 1.0, 2.0])
def test_a_known_shift_is_found_without_labels(shift):
    best, is_reference = sampled(shift, texts=5000)
    model = RateModel(constant=-1.0, rate=OTHERS.rate, above=3.0, below=3.0)
    rate = TextRate(model, model.shift(best), 0.0)
    assert rate.shift == pytest.approx(shift, abs=0.25)
    assert rate.adapted(best).sum() == pytest.approx(is_reference.sum(), rel=0.15)


def test_a_text_without_references_loses_nearly_all():
    best = np.full(400, 0.02)
    rate = RATES.estimate(np.arange(400), best, ["Caesar"] * 400)
    assert rate.others.shift <= -1
    assert rate.probability(best, ["Caesar"] * 400).sum() < 2


def test_authors_known_to_the_classifier_are_only_shifted_downwards():
    often = RATES.estimate(np.arange(50), np.full(50, 0.9), ["Jerome"] * 50)
    assert often.own.shift == 0
    chances = np.array([[0.1, 0.7, 0.2]], np.float32)
    assert often.adapted(chances, ["Jerome"]).tobytes() == chances.tobytes()
    rarely = RATES.estimate(np.arange(50), np.full(50, 0.01), ["Jerome"] * 50)
    assert rarely.own.shift < -1


def test_each_author_has_the_rate_of_their_kind():
    rate = BaseRate(TextRate(OWN, 0.0, 0.1), TextRate(OTHERS, 0.0, 0.7), frozenset(["Jerome"]))
    adapted = rate.probability(np.array([0.5, 0.5]), ["Jerome", "Caesar"])
    assert adapted.round(3).tolist() == [0.5, 0.269]
    assert RATES.spread(["Jerome"]) == 0.1
    assert RATES.spread(["Jerome", "Caesar"]) == 0.7


def test_types_keep_their_shares():
    rate = BaseRate(TextRate(OWN, 0.0, 0.1), TextRate(OTHERS, 0.0, 0.7))
    adapted = rate.adapted(np.array([[0.2, 0.6, 0.2], [1.0, 0.0, 0.0]], np.float32), ["x", "x"])
    assert adapted[0, 1] / adapted[0, 2] == pytest.approx(3)
    assert adapted.sum(axis=1) == pytest.approx([1, 1])


def test_the_best_pair_of_each_segment_counts_whatever_else_was_kept():
    query, chances = np.array([0, 0, 1, 1, 2]), np.array([0.9, 0.1, 0.8, 0.7, 0.3])
    best = np.array([0, 2, 4])
    authors = ["Caesar"] * 3
    assert RATES.estimate(query, chances, authors) == RATES.estimate(
        query[best], chances[best], authors
    )


def test_a_text_without_pairs_has_the_usual_rate():
    assert RATES.estimate(np.zeros(0, int), np.zeros(0), []).others.shift == 0


def test_verdicts_move_the_rate_towards_what_readers_found():
    rate = TextRate(OTHERS, 0.0, 0.7)
    chances = np.full(20, 0.73)  # recalibrated: about 0.5
    none, all_ = (rate.judged(chances, np.full(20, told)) for told in (False, True))
    assert none.shift < -1 < 1 < all_.shift
    assert none.spread < rate.spread
    assert rate.judged(chances[:0], np.zeros(0, bool)) is rate


def test_rates_are_written_and_read(tmp_path):
    file = tmp_path / "rates.json"
    RATES.save(file)
    read = BaseRates.load(file)
    assert (read.own, read.others, read.weights_sha256) == (OWN, OTHERS, "abc")


@pytest.mark.parametrize(
    "change",
    [{"format": 2}, {"own": {}}, {"others": {**json.loads(RATES.text())["others"], "rate": 0}},
     {"others": {**json.loads(RATES.text())["others"], "slope": "1"}},
     {"others": {**json.loads(RATES.text())["others"], "below": -1}}],
)  # fmt: skip
def test_a_file_with_other_content_is_an_error(tmp_path, change):
    file = tmp_path / "rates.json"
    file.write_text(json.dumps({**json.loads(RATES.text()), **change}), encoding="utf-8")
    with pytest.raises(MalformedInputError, match="train base-rates"):
        BaseRates.load(file)


def test_the_shipped_rates_are_those_of_the_shipped_weights():
    shipped = BaseRates.shipped()
    assert shipped.weights_sha256 == EnsembleWeights.shipped().fingerprint()
    assert shipped.others.spread > 0
    known = Ensemble().calibration.base_rates
    assert {"Jerome", "Lactantius", "Valerius Flaccus"} <= known.authors


@pytest.mark.parametrize(
    "classifier",
    [
        Ensemble(adapt=False),
        Ensemble(cross_encoder=None),
        Ensemble(weights=EnsembleWeights(*(
            getattr(EnsembleWeights.shipped(), name) for name in EnsembleWeights.__slots__
        ))),
    ],
    ids=["switched off", "without cross-encoder", "other weights"],
)  # fmt: skip
def test_other_classifiers_are_not_adapted(classifier):
    assert classifier.calibration.base_rates is None
