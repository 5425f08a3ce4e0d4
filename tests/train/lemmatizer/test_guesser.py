"""Guessing analyses, and learning to rank the guesses."""

import numpy as np
import pytest

from locisimiles.latin.guesser import Analysis
from locisimiles.train.lemmatizer import guesser as module
from locisimiles.train.lemmatizer.analyses import count_analyses, prepare
from locisimiles.train.lemmatizer.guesser import fit_guesser

NOUN = "NOUN"


@pytest.fixture
def counts(treebank):
    return count_analyses(prepare(treebank))


@pytest.fixture
def guesser(counts):
    return fit_guesser(counts, counts.analyses, seed=0)


def test_known_lemmas_are_preferred(guesser):
    best = guesser.guess("nautam")[0]
    assert best[0] == Analysis("nauta", NOUN)


def test_rules_are_learnt_for_new_words(guesser):
    assert guesser.guess("agricolam")[0][0] == Analysis("agricola", NOUN)
    assert guesser.guess("spectat")[0][0] == Analysis("specto", "VERB")


def test_fitting_is_the_same_each_time(counts):
    one, other = (fit_guesser(counts, counts.analyses, seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.weights, other.weights)


def test_an_unseen_form_is_guessed_as_if_never_counted(treebank, counts, monkeypatch):
    monkeypatch.setattr(module, "_FEWEST_FORMS", {})
    sentences = prepare(treebank)
    whole = module._make_guesser(counts, counts.analyses)
    for form, analysis in module._rare_forms(counts, 0):
        unseen = module._as_if_unseen(whole, counts, form, analysis)
        without = [[word for word in sentence if word[0] != form] for sentence in sentences]
        recounted = module._make_guesser(count_analyses(without), counts.analyses)
        assert dict(unseen.candidates(form)) == pytest.approx(dict(recounted.candidates(form)))
        assert dict(unseen.known) == recounted.known
        assert dict(unseen.known_lemmas) == recounted.known_lemmas
        assert len(unseen.known) == len(recounted.known)


def test_fitting_prefers_the_right_candidates():
    # The second column marks the right one, the first the wrong one.
    groups = [(np.eye(2), np.array([False, True])) for _ in range(9)]
    wrong, right = module._fit(groups, 2)
    assert right > 1
    assert wrong < 0


def test_an_uninformative_feature_gets_no_weight():
    groups = [(np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([True, False]))] * 5
    assert module._fit(groups, 2)[0] == pytest.approx(0, abs=1e-4)
