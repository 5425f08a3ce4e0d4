"""Learning to choose between analyses by context."""

import numpy as np
import pytest

from locisimiles.latin.context import BOUNDARY, analysis_seeds, context_features, feature_slot
from locisimiles.latin.guesser import Analysis
from locisimiles.progress import silent
from locisimiles.train.lemmatizer.analyses import prepare
from locisimiles.train.lemmatizer.choice import learn_choice

CANIS, CANO = Analysis("canis", "NOUN"), Analysis("cano", "VERB")
ANALYSES = {"canis": [(CANIS, 2 / 3), (CANO, 1 / 3)], "tu": [(Analysis("tu", "PRON"), 1.0)]}


def score(learnt, analysis, place):
    (weights, scale), (forms, at, before) = learnt, place
    features = context_features(forms, [""] * len(forms), at, before, BOUNDARY)
    seeds = analysis_seeds(analysis)
    slots = [feature_slot(seed, f, len(weights)) for seed in seeds for f in features]
    return scale * sum(int(weights[slot]) for slot in slots)


def test_the_preceding_word_is_learnt(treebank):
    learnt = learn_choice(prepare(treebank), ANALYSES, seed=0, progress=silent)
    sings = (["tu", "bene", "canis"], 2, ("bene", "ADV"))
    barks = (["magnus", "canis", "latrat"], 1, ("magnus", "ADJ"))
    assert score(learnt, CANO, sings) > score(learnt, CANIS, sings)
    assert score(learnt, CANIS, barks) > score(learnt, CANO, barks)


def test_weights_are_bytes_and_their_number_a_power_of_two(treebank):
    weights, scale = learn_choice(prepare(treebank), ANALYSES, seed=0, progress=silent)
    assert weights.dtype == np.int8
    assert len(weights) & (len(weights) - 1) == 0
    assert np.abs(weights.astype(int)).max() == 127
    assert scale > 0


def test_learning_is_the_same_each_time(treebank):
    sentences = prepare(treebank)
    (one, scale), (other, other_scale) = (
        learn_choice(sentences, ANALYSES, seed=5, progress=silent) for _ in range(2)
    )
    np.testing.assert_array_equal(one, other)
    assert scale == other_scale


@pytest.mark.parametrize(
    ("sentences", "analyses"),
    [
        ([], ANALYSES),
        ([[("tu", Analysis("tu", "PRON"))]], ANALYSES),
        ([[("canis", CANIS)]], {}),
        # The right answer is not among the analyses.
        ([[("canis", Analysis("canus", "ADJ"))]], ANALYSES),
    ],
)
def test_without_a_choice_nothing_is_learnt(sentences, analyses):
    weights, scale = learn_choice(sentences, analyses, seed=0, progress=silent)
    assert not weights.any()
    assert scale == 1.0


def test_the_right_lemma_counts_even_with_another_tag():
    sentence = [("canis", Analysis("cano", "AUX"))]
    learnt = learn_choice([sentence], ANALYSES, seed=0, progress=silent)
    place = (["canis"], 0, BOUNDARY)
    assert score(learnt, CANO, place) > 0 > score(learnt, CANIS, place)


def test_progress_is_reported_to_the_end():
    reports = []
    learn_choice([[]] * 3, {}, seed=0, progress=lambda *report: reports.append(report))
    assert reports[0] == ("learning the choice", 0, 6)
    assert reports[-1] == ("learning the choice", 6, 6)
