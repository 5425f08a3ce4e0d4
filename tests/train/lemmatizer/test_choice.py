"""Learning to choose between readings by context."""

import numpy as np
import pytest

from locisimiles.latin.context import BOUNDARY, context_features, feature_slot, reading_seeds
from locisimiles.latin.guesser import Reading
from locisimiles.progress import silent
from locisimiles.train.lemmatizer.analyses import prepare
from locisimiles.train.lemmatizer.choice import learn_choice

CANIS, CANO = Reading("canis", "NOUN"), Reading("cano", "VERB")
READINGS = {"canis": [(CANIS, 2 / 3), (CANO, 1 / 3)], "tu": [(Reading("tu", "PRON"), 1.0)]}


def score(learnt, reading, place):
    (weights, scale), (forms, at, before) = learnt, place
    features = context_features(forms, [""] * len(forms), at, before, BOUNDARY)
    seeds = reading_seeds(reading)
    slots = [feature_slot(seed, f, len(weights)) for seed in seeds for f in features]
    return scale * sum(int(weights[slot]) for slot in slots)


def test_what_stands_before_a_word_is_learnt(treebank):
    learnt = learn_choice(prepare(treebank), READINGS, seed=0, progress=silent)
    sings = (["tu", "bene", "canis"], 2, ("bene", "ADV"))
    barks = (["magnus", "canis", "latrat"], 1, ("magnus", "ADJ"))
    assert score(learnt, CANO, sings) > score(learnt, CANIS, sings)
    assert score(learnt, CANIS, barks) > score(learnt, CANO, barks)


def test_weights_are_bytes_and_a_power_of_two_of_them(treebank):
    weights, scale = learn_choice(prepare(treebank), READINGS, seed=0, progress=silent)
    assert weights.dtype == np.int8
    assert len(weights) & (len(weights) - 1) == 0
    assert np.abs(weights.astype(int)).max() == 127
    assert scale > 0


def test_learning_is_the_same_each_time(treebank):
    sentences = prepare(treebank)
    (one, scale), (other, other_scale) = (
        learn_choice(sentences, READINGS, seed=5, progress=silent) for _ in range(2)
    )
    np.testing.assert_array_equal(one, other)
    assert scale == other_scale


@pytest.mark.parametrize(
    ("sentences", "readings"),
    [
        ([], READINGS),
        ([[("tu", Reading("tu", "PRON"))]], READINGS),
        ([[("canis", CANIS)]], {}),
        # The right answer is not among the readings.
        ([[("canis", Reading("canus", "ADJ"))]], READINGS),
    ],
)
def test_where_there_is_no_choice_nothing_is_learnt(sentences, readings):
    weights, scale = learn_choice(sentences, readings, seed=0, progress=silent)
    assert not weights.any()
    assert scale == 1.0


def test_a_lemma_that_is_right_counts_even_with_another_tag():
    sentence = [("canis", Reading("cano", "AUX"))]
    learnt = learn_choice([sentence], READINGS, seed=0, progress=silent)
    place = (["canis"], 0, BOUNDARY)
    assert score(learnt, CANO, place) > 0 > score(learnt, CANIS, place)


def test_progress_is_told_to_the_end():
    told = []
    learn_choice([[]] * 3, {}, seed=0, progress=lambda *report: told.append(report))
    assert told[0] == ("learning the choice", 0, 6)
    assert told[-1] == ("learning the choice", 6, 6)
