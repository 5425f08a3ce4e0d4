"""The paper's lexical classifiers: training pairs, trees and thresholds."""

from dataclasses import replace

import numpy as np
import pytest

from locisimiles import ParameterError
from locisimiles.benchmark.protocols import judge_all
from locisimiles.benchmark.sets.pools import fold_pool, training_set
from locisimiles.benchmark.sets.references import References
from locisimiles.classify.base import Pairs
from locisimiles.classify.paper_features import PaperFeatures
from locisimiles.classify.thresholds import Thresholds
from locisimiles.index import PreparedDocument
from locisimiles.learn import lexical as learned_lexical
from locisimiles.learn.lexical import LearnedLexical
from locisimiles.learn.lexical_sample import LexicalPart


@pytest.fixture(scope="module")
def learnt(tiny):
    return LearnedLexical().fit(training_set(tiny, 2), PreparedDocument(tiny.source))


def test_references_get_higher_probabilities(learnt, tiny):
    pool = fold_pool(tiny, 2)
    judged = judge_all(learnt, pool.query, pool.source)
    np.testing.assert_allclose(judged.sum(axis=-1), 1, atol=1e-5)
    chance = 1 - judged[..., 0]
    truth = np.zeros(chance.shape, bool)
    truth[pool.references.query, pool.references.source] = True
    assert chance[truth].mean() > 3 * chance[~truth].mean()


@pytest.mark.parametrize("model", ["logreg", "gbdt"])
def test_both_models_have_thresholds_of_their_own(tiny, model):
    learnt = LearnedLexical(model).fit(training_set(tiny, 0), PreparedDocument(tiny.source))
    assert learnt.parameters()["classifier"] == model
    assert 0 < learnt.calibration.thresholds.cit < 1
    assert 0 < learnt.calibration.thresholds.cf < 1


def test_thresholds_are_tuned_on_left_out_folds(tiny, monkeypatch):
    training = training_set(tiny, 2)
    fit, fitted, judged = LearnedLexical._fit, [], []
    monkeypatch.setattr(
        LearnedLexical, "_fit", lambda *given: fitted.append(len(given[1])) or fit(*given)
    )
    monkeypatch.setattr(
        learned_lexical,
        "fold_pool",
        lambda training, fold, seed: judged.append(fold) or fold_pool(training, fold, seed=seed),
    )
    LearnedLexical().fit(training, PreparedDocument(training.source))
    assert judged == [0, 1]
    # The whole first, then each half of the references with its negatives, for thresholds.
    assert fitted[0] == fitted[1] + fitted[2]


def test_left_out_folds_are_not_counted_in_word_frequencies(tiny, monkeypatch):
    training = training_set(tiny, 2)
    counted, judged = [], []
    fit = PaperFeatures.fit
    monkeypatch.setattr(
        PaperFeatures, "fit", lambda texts: counted.append(set(texts)) or fit(texts)
    )

    def pool_of(training, fold, seed):
        pool = fold_pool(training, fold, seed=seed)
        judged.append({pool.query.texts[row] for row in pool.references.query.tolist()})
        return pool

    monkeypatch.setattr(learned_lexical, "fold_pool", pool_of)
    LearnedLexical().fit(training, PreparedDocument(training.source))
    *parts, whole = counted
    assert len(parts) == len(judged) == 2
    for part, queries in zip(parts, judged, strict=True):
        assert queries <= whole
        assert not queries & part
    assert whole == set.union(*parts)


def test_trees_are_chosen_by_the_loss_on_left_out_folds(monkeypatch):
    random = np.random.default_rng(0)
    columns = random.normal(size=(300, 2))
    label = ((columns[:, 0] > 0.5).astype(np.uint8) + (columns[:, 1] > 0.8)).astype(np.uint8)
    parts = [
        LexicalPart(None, columns[out], label[out], columns[~out], label[~out])
        for out in (np.arange(300) % 3 != fold for fold in range(3))
    ]
    small = {"max_leaf_nodes": 2, "max_iter": 1}
    for trees in (small, {}), ({}, small):
        monkeypatch.setattr(learned_lexical, "_TREES", trees)
        chosen = LearnedLexical("gbdt")._best_trees(parts)
        assert set(chosen) == {"max_iter"}
        assert 10 < chosen["max_iter"] <= 100


def test_trees_that_learn_nothing_are_few():
    random = np.random.default_rng(0)
    columns, label = random.normal(size=(600, 3)), random.integers(0, 3, 600).astype(np.uint8)
    part = LexicalPart(None, columns[:300], label[:300], columns[300:], label[300:])
    assert LearnedLexical("gbdt")._best_trees([part])["max_iter"] <= 5


def test_training_never_stops_early():
    from sklearn.ensemble import HistGradientBoostingClassifier

    random = np.random.default_rng(0)
    columns, label = random.normal(size=(10_500, 1)), random.integers(0, 3, 10_500).astype(np.uint8)
    judged = LearnedLexical("gbdt")._fit(columns, label, {"max_iter": 40})(columns[:50])
    grown = HistGradientBoostingClassifier(random_state=0, max_iter=40, early_stopping=False)
    grown.fit(columns, label, sample_weight=learned_lexical._weights(label))
    assert grown.n_iter_ == 40
    np.testing.assert_allclose(judged, grown.predict_proba(columns[:50]))


def test_references_of_the_held_out_fold_are_not_used(tiny):
    old = tiny.references
    label = np.where(old.fold == 2, 3 - old.label, old.label).astype(np.uint8)
    other = replace(
        tiny, references=References.from_columns(old.query, old.source, label, old.fold)
    )
    pool = fold_pool(tiny, 2)
    one, two = (
        LearnedLexical().fit(training_set(own, 2), PreparedDocument(own.source))
        for own in (tiny, other)
    )
    assert one.calibration == two.calibration
    pairs = Pairs.every(pool.query, pool.source)
    assert one.probabilities(pairs).tolist() == two.probabilities(pairs).tolist()


def test_probabilities_of_left_out_folds_are_available(learnt, tiny):
    judged = LearnedLexical().judge_left_out(training_set(tiny, 2))
    assert [label.shape for _, label in judged] == [found.shape[:2] for found, _ in judged]
    tuned = Thresholds.tuned_by_queries(judged, tolerance=learned_lexical._TOLERANCE)
    assert tuned == learnt.calibration.thresholds


def test_with_one_fold_no_thresholds_are_tuned(tiny):
    old = tiny.references
    single = References.from_columns(old.query, old.source, old.label, [0] * 12)
    source = PreparedDocument(tiny.source)
    learnt = LearnedLexical().fit(replace(tiny, references=single), source)
    assert learnt.calibration.thresholds is None
    assert LearnedLexical().judge_left_out(replace(tiny, references=single)) == []


@pytest.mark.parametrize("model", ["logreg", "gbdt"])
def test_a_fold_that_has_all_allusions_is_not_left_out(tiny, model):
    old = tiny.references
    label = np.where(old.fold == 0, old.label, 1).astype(np.uint8)
    lone = References.from_columns(old.query, old.source, label, old.fold)
    training = replace(tiny, references=lone)
    assert len(LearnedLexical(model).judge_left_out(training)) == 2
    learnt = LearnedLexical(model).fit(training, PreparedDocument(tiny.source))
    assert learnt.calibration.thresholds.cf == np.inf  # none to tune it on


def test_both_types_must_occur(tiny):
    old = tiny.references
    only = References.from_columns(old.query, old.source, [1] * 12, old.fold)
    with pytest.raises(ParameterError, match="no references of one type"):
        LearnedLexical().fit(replace(tiny, references=only), PreparedDocument(tiny.source))


def test_no_pairs_have_no_probabilities(learnt, tiny):
    assert learnt.probabilities(Pairs(tiny.query, tiny.source, [], [])).shape == (0, 3)
