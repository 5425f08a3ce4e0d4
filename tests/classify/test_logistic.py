"""Logistic regression, beside scikit-learn's."""

import numpy as np
import pytest

from locisimiles.classify.logistic import (
    fit_logistic,
    fit_offset_logistic,
    predict_logistic,
)
from locisimiles.errors import ParameterError


@pytest.fixture(scope="module")
def examples():
    random = np.random.default_rng(5)
    features = random.normal(2, 3, (600, 4))
    scores = features @ random.normal(size=(4, 3)) / 3
    label = (scores + random.gumbel(size=(600, 3))).argmax(axis=1).astype(np.uint8)
    return features, label


def test_probabilities_are_those_of_scikit_learn(examples):
    linear = pytest.importorskip("sklearn.linear_model")
    features, label = examples
    ours = predict_logistic(features, fit_logistic(features, label, classes=3, ridge=1e-6))
    theirs = linear.LogisticRegression(C=1e6, max_iter=5000, tol=1e-8).fit(features, label)
    np.testing.assert_allclose(ours, theirs.predict_proba(features), atol=1e-3)


def test_probabilities_add_up_to_the_number_of_examples_of_each_class(examples):
    features, label = examples
    found = predict_logistic(features, fit_logistic(features, label, classes=3, ridge=1e-9))
    np.testing.assert_allclose(found.sum(axis=0), np.bincount(label), atol=1e-3)


def test_a_weight_equals_repetition(examples):
    features, label = examples
    times = np.arange(len(label)) % 3 + 1
    repeated = fit_logistic(np.repeat(features, times, 0), np.repeat(label, times), classes=3)
    weighed = fit_logistic(features, label, classes=3, weight=times.astype(float))
    np.testing.assert_allclose(weighed, repeated, atol=1e-6)


def test_scaling_a_feature_changes_no_probability(examples):
    features, label = examples
    scaled = features * [1, 100, 0.01, 1]
    one, two = (predict_logistic(x, fit_logistic(x, label, classes=3)) for x in (features, scaled))
    np.testing.assert_allclose(one, two, atol=1e-6)


def test_separable_examples_give_finite_weights():
    features = np.array([[0.0], [1.0], [2.0], [3.0]])
    weights = fit_logistic(features, np.array([0, 0, 1, 1], np.uint8), classes=2, ridge=1e-3)
    found = predict_logistic(features, weights)[:, 1]
    assert np.isfinite(weights).all()
    assert found[1] < 0.1
    assert found[2] > 0.9


def test_constant_features_and_missing_classes_give_finite_probabilities():
    features = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    found = predict_logistic(
        features, fit_logistic(features, np.array([0, 1, 0], np.uint8), classes=3)
    )
    assert np.isfinite(found).all()
    assert found[:, 2].max() < 0.05


@pytest.mark.parametrize("labels", [[], [0, 1], [0, 1, 3]])
def test_invalid_labels_are_refused(labels):
    with pytest.raises(ParameterError):
        fit_logistic(np.zeros((3, 1)), np.array(labels, np.uint8), classes=3)


def test_a_column_that_varies_only_by_rounding_gets_no_weight():
    random = np.random.default_rng(0)
    x = random.normal(size=(1000, 1))
    label = (x[:, 0] + random.normal(size=1000) > 1).astype(np.uint8)
    nearly = 0.1 + 1e-9 * random.normal(size=1000)
    constant = np.full(1000, -1.2600000000000002)
    weights = fit_logistic(np.column_stack([x, constant, nearly]), label, classes=2)
    assert np.abs(weights[:, 1:3]).max() < 1
    alone = fit_logistic(x, label, classes=2)
    elsewhere = np.column_stack([x, constant + 1, nearly - 1])
    np.testing.assert_allclose(
        predict_logistic(elsewhere, weights), predict_logistic(x, alone), atol=1e-3
    )


def test_the_gradient_vanishes_at_the_fitted_offset_weights():
    random = np.random.default_rng(3)
    features, offset = random.normal(size=(50, 3)), random.normal(size=50)
    label = (random.random(50) < 0.4).astype(np.uint8)
    penalty = np.array([0.5, 2.0, 9.0])
    weights = fit_offset_logistic(features, label, offset, penalty)
    chances = 1 / (1 + np.exp(-(features @ weights + offset)))
    np.testing.assert_allclose(features.T @ (chances - label) + penalty * weights, 0, atol=1e-3)


def test_offset_weights_are_0_without_examples():
    nothing = fit_offset_logistic(np.empty((0, 2)), np.empty(0, np.uint8), np.empty(0), np.ones(2))
    assert nothing.tolist() == [0.0, 0.0]


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(ParameterError, match="must have equal length"):
        fit_offset_logistic(np.ones((3, 1)), np.ones(2, np.uint8), np.zeros(3), np.ones(1))
