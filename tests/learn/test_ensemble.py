"""The ensemble, learnt for each fold from the others."""

import json
from dataclasses import replace

import numpy as np
import pytest

from locisimiles import Document, ParameterError
from locisimiles.benchmark.protocols import judge_all
from locisimiles.benchmark.sets.pools import FoldPools, training_set
from locisimiles.benchmark.sets.references import References
from locisimiles.classify.calibration import Calibration
from locisimiles.classify.pair_features import PAIR_FEATURES, column_names
from locisimiles.index import PreparedDocument
from locisimiles.learn import ensemble as learned_ensemble
from locisimiles.learn import ensemble_examples
from locisimiles.learn.default import UNTRAINED
from locisimiles.learn.ensemble import LearnedEnsemble, learn_ensemble
from locisimiles.learn.ensemble_examples import FoldPriors, collect_examples, labels_of
from locisimiles.learn.fold_models import learn_for_fold
from locisimiles.learn.priors import ReferenceCounts
from locisimiles.retrieve import Combined, Late
from locisimiles.retrieve.combined.priors import SourceWorks


@pytest.fixture(scope="module")
def search(tiny_latin):
    """The search, with a small encoder; it is not trained."""
    late = Late(tiny_latin, exact=True, cache=None)
    return Combined(priors=False, weights=UNTRAINED, depth=8, late=late)


@pytest.fixture(scope="module")
def learner(search):
    return LearnedEnsemble(combined=search)


@pytest.fixture(scope="module")
def source(tiny):
    return PreparedDocument(tiny.source)


@pytest.fixture(scope="module")
def learnt(learner, tiny, source):
    """What was learnt for each fold."""
    return {fold: learner.fit(training_set(tiny, fold), source) for fold in tiny.folds}


def fingerprint(learner, benchmark, fold):
    texts = PreparedDocument(benchmark.source)
    return learner.fit(training_set(benchmark, fold), texts).loaded_weights().fingerprint()


def changed(benchmark, fold, *, labels=False):
    """Return a set in which the references of a fold are others, or of the other type."""
    old = benchmark.references
    rows = np.flatnonzero(old.fold == fold)
    source, label = old.source.copy(), old.label.copy()
    if labels:
        label[rows] = 3 - label[rows]
    else:
        source[rows] = source[np.roll(rows, 1)]
    references = References.from_columns(old.query, source, label, old.fold)
    return replace(benchmark, references=references)


def test_every_fold_gets_its_own_weights(learnt):
    tables = [ensemble.loaded_weights() for ensemble in learnt.values()]
    assert len({table.fingerprint() for table in tables}) == len(learnt) == 3
    for table in tables:
        assert table.with_priors.weights.shape == (2, 2 * (len(PAIR_FEATURES) + 2) + 2)
        assert table.without_priors.weights.shape == (2, 2 * len(PAIR_FEATURES) + 2)
        assert set(table.priors.authors) == {"Jerome", "Lactantius"}
        assert table.without_priors.calibration.spread >= 0
        assert table.without_priors.reranking is None
        assert len(table.encoder_sha256) == 64


def test_references_get_higher_probabilities(learnt, tiny):
    truth = np.zeros((len(tiny.query), len(tiny.source)), bool)
    truth[tiny.references.query, tiny.references.source] = True
    for fold, ensemble in learnt.items():
        chance = 1 - judge_all(ensemble, tiny.query, tiny.source)[..., 0]
        own = tiny.references.query[tiny.references.fold == fold]
        held_out = np.isin(np.arange(len(tiny.query)), own)
        assert chance[held_out][truth[held_out]].mean() > 5 * chance[held_out].mean()


@pytest.mark.parametrize("fold", [0, 2])
@pytest.mark.parametrize("labels", [True, False], ids=["types", "sources"])
def test_references_of_the_held_out_fold_are_not_used(learner, tiny, learnt, fold, labels):
    known = learnt[fold].loaded_weights().fingerprint()
    assert fingerprint(learner, changed(tiny, fold, labels=labels), fold) == known
    # Those of another are.
    assert fingerprint(learner, changed(tiny, 1, labels=labels), fold) != known


def test_texts_of_the_held_out_fold_are_not_used(learner, tiny, learnt):
    held_out = set(tiny.references.query[tiny.references.fold == 1].tolist())
    query = Document.from_segments(
        replace(segment, text=f"nihil {segment.id}") if at in held_out else segment
        for at, segment in enumerate(tiny.query)
    )
    training = training_set(replace(tiny, query=query), 1)
    assert training.query.texts == training_set(tiny, 1).query.texts
    again = learn_ensemble(training, PreparedDocument(tiny.source), learner.combined)
    assert again.fingerprint() == learnt[1].loaded_weights().fingerprint()


def test_weights_of_another_set_are_not_reused(learner, tiny, learnt, tiny_latin):
    known = learnt[0].loaded_weights().fingerprint()
    authors = Document.from_segments(replace(one, author="Ambrose") for one in tiny.query)
    assert fingerprint(learner, replace(tiny, query=authors), 0) != known
    old = tiny.references
    folds = References.from_columns(old.query, old.source, old.label, [0, 0, 0, 0, 1, 2] * 2)
    assert fingerprint(learner, replace(tiny, references=folds), 0) != known
    wider = Late(tiny_latin, window=2, exact=True, cache=None)
    other = replace(learner, combined=replace(learner.combined, late=wider))
    assert fingerprint(other, tiny, 0) != known


def test_weights_with_and_without_priors_are_learnt_once(
    learner, tiny, source, learnt, monkeypatch
):
    monkeypatch.setattr(
        learned_ensemble, "learn_ensemble", lambda *_, **__: pytest.fail("it was learnt again")
    )
    plain = replace(learner, priors=False).fit(training_set(tiny, 0), source)
    assert plain.priors is False
    assert plain.loaded_weights().fingerprint() == learnt[0].loaded_weights().fingerprint()


def test_priors_of_a_query_exclude_its_own_references(tiny):
    known_priors = FoldPriors(tiny, tiny.folds)
    references = tiny.references
    facts = SourceWorks.of(tiny.source)
    queries = references.queries.tolist()
    answers = [references.source[references.query == query].astype(np.int64) for query in queries]
    authors = [tiny.query[query].author for query in queries]
    cross_encoders = known_priors.of_queries(tiny.query)
    assert [author for author, _ in cross_encoders] == [segment.author for segment in tiny.query]
    for at, query in enumerate(queries):
        others = [n for n in range(len(queries)) if n != at]
        without = ReferenceCounts(
            facts, [authors[n] for n in others], [answers[n] for n in others]
        ).priors()
        own = cross_encoders[query][1]
        for known, expected in ((own.authors, without.authors), (own.works, without.works)):
            assert known[authors[at]] == pytest.approx(expected[authors[at]], abs=2e-4)
        assert own.authors[authors[at]] != known_priors.priors.authors[authors[at]]
    assert cross_encoders[-1][1] is known_priors.priors  # a query that refers to nothing


def test_priors_use_the_references_of_given_folds_only(tiny):
    one = FoldPriors(tiny, [0]).priors
    both = FoldPriors(tiny, [0, 1]).priors
    poisoned = FoldPriors(changed(tiny, 1), [0]).priors
    assert one == poisoned != both


def test_learning_needs_two_folds(search, tiny):
    old = tiny.references
    single = References.from_columns(old.query, old.source, old.label, [0] * 12)
    with pytest.raises(ParameterError, match="fewer than two folds"):
        learn_ensemble(replace(tiny, references=single), PreparedDocument(tiny.source), search)


def test_learning_again_gives_the_same_bytes(search, tiny, learnt):
    again = learn_ensemble(training_set(tiny, 0), PreparedDocument(tiny.source), search)
    assert again.text() == learnt[0].loaded_weights().text()


def test_labels_are_found_for_pairs_in_any_order():
    references = References.from_columns([4, 0, 2], [1, 3, 0], [2, 1, 1])
    asked, given = np.array([0, 2, 4, 4, 0, 2]), np.array([3, 1, 1, 0, 2, 0])
    found = labels_of(references, asked, given, 5)
    assert found.tolist() == [1, 0, 2, 0, 0, 1]


def test_excluded_columns_get_no_weight(search, tiny, source):
    examples = collect_examples(tiny, source, search)
    names = column_names(priors=True)
    weights = examples.fit(tiny.folds, priors=True, without=["rarity", "work"])
    for name in ("rarity", "work"):
        at = names.index(name)
        assert (weights[:, [at, len(names) + 1 + at]] == 0).all()
    assert (weights[:, names.index("rarest")] != 0).all()


class Oracle:
    """A cross-encoder that knows the truth of a set."""

    calibration = Calibration()

    def __init__(self, benchmark):
        references = benchmark.references
        self.asked = set()
        self.truth = {
            (benchmark.query.ids[query], benchmark.source.ids[source]): label
            for query, source, label in zip(
                references.query.tolist(), references.source.tolist(), references.label.tolist(),
                strict=True,
            )
        }  # fmt: skip

    def probabilities(self, pairs, *, progress):
        progress("reading", 0, 1)
        self.asked.update(pairs.ids)
        found = np.full((len(pairs), 3), 0.05, np.float32)
        found[np.arange(len(pairs)), [self.truth.get(pair, 0) for pair in pairs.ids]] = 0.9
        return found


def test_the_weight_of_a_cross_encoder_is_learnt(search, tiny, source):
    cross_encoders = {fold: Oracle(tiny) for fold in tiny.folds}
    table = learn_ensemble(tiny, source, search, second=cross_encoders)
    for priors in (True, False):
        second = table.model(priors=priors).reranking
        assert second.weights[0, 2] > 0.3  # its log-odds of cit. for cit.
        assert second.weights[1, 3] > 0.3
    for (
        fold,
        cross_encoder,
    ) in cross_encoders.items():  # each judges only its fold
        held_out = {
            tiny.query.ids[at] for at in tiny.references.query[tiny.references.fold == fold]
        }
        asked = {query for query, _ in cross_encoder.asked if query.startswith("q")}
        assert asked <= held_out
        assert asked
    plain = learn_ensemble(tiny, source, search)
    assert plain.with_priors.weights.tolist() == table.with_priors.weights.tolist()


def test_pairs_without_a_prediction_are_not_learnt_from(search, tiny, source):
    class Silent(Oracle):
        def probabilities(self, pairs, *, progress):
            found = super().probabilities(pairs, progress=progress)
            found[1::2] = np.nan
            return found

    table = learn_ensemble(tiny, source, search, second={fold: Silent(tiny) for fold in tiny.folds})
    assert np.isfinite(table.with_priors.reranking.weights).all()


def test_a_fold_is_judged_by_cross_encoders_that_have_not_seen_it(search, tiny):
    class Library:
        def __init__(self):
            self.cross_encoders = {}

        def without(self, folds):
            return self.cross_encoders.setdefault(tuple(sorted(folds)), Oracle(tiny))

    library = Library()
    judge = learn_for_fold(FoldPools(tiny), 1, library, combined=search)
    assert set(library.cross_encoders) == {(0, 1), (1, 2), (1,)}
    assert not library.cross_encoders[1,].asked
    judged = judge.document()
    assert judged.rule == judge.ensemble.calibration.thresholds
    names = set(judge.pools.pool(1).query.ids)
    assert {query for query, _ in library.cross_encoders[1,].asked} <= names
    truth = judged.grid.label > 0
    chance = 1 - judged.grid.probabilities[..., 0]
    assert chance[truth].mean() > 5 * chance[~truth].mean()
    rows = judge.library()
    own = tiny.references.query[tiny.references.fold == 1]
    assert set(rows["query"].tolist()) == set(own.tolist())
    assert len(rows["query"]) == len(rows["source"]) == len(rows["probability"])
    assert ((rows["probability"] >= 0) & (rows["probability"] <= 1)).all()


def test_a_fold_can_be_judged_without_cross_encoders(search, tiny):
    judge = learn_for_fold(FoldPools(tiny), 0, combined=search)
    assert judge.ensemble.cross_encoder is None
    plain = judge.document(replace(judge.ensemble, priors=False))
    assert plain.grid.probabilities.shape == judge.document().grid.probabilities.shape


def test_parameters_have_no_weights_before_training(learner):
    told = learner.parameters()
    assert (told["classifier"], told["seed"]) == ("ensemble", 0)
    assert "weights_sha256" not in told["retriever"]
    assert json.loads(json.dumps(told)) == told


def test_calibration_is_learnt_on_left_out_folds(search, tiny, source, monkeypatch):
    learning = ensemble_examples.TrainingExamples
    fit, left_out, used = learning.fit, learning.left_out, []

    def fitted(self, folds, *, priors, without=()):
        used.append(set(folds))
        return fit(self, folds, priors=priors, without=without)

    def judged(self, fold, *, priors):
        used.clear()
        found = left_out(self, fold, priors=priors)
        assert used == [set(tiny.folds) - {fold}]
        return found

    monkeypatch.setattr(learning, "fit", fitted)
    monkeypatch.setattr(learning, "left_out", judged)
    learn_ensemble(tiny, source, search)
    assert used[-1] == set(tiny.folds)
