"""The default search, learnt for each fold from the others."""

from dataclasses import replace

import numpy as np
import pytest

from locisimiles import Document, ParameterError
from locisimiles.benchmark.runs.execution import run_benchmark
from locisimiles.benchmark.runs.methods import BenchmarkMethod, find_method
from locisimiles.benchmark.runs.trec import read_run
from locisimiles.benchmark.sets.pools import training_set
from locisimiles.benchmark.sets.references import References
from locisimiles.files.json_files import read_json
from locisimiles.index import PreparedDocument
from locisimiles.learn.default import (
    UNTRAINED,
    LearnedDefault,
    learn_weights,
    training_queries,
)
from locisimiles.learn.priors import ReferenceCounts
from locisimiles.models.identity import model_sha256
from locisimiles.retrieve import Combined
from locisimiles.retrieve.combined.priors import PRIOR_COLUMNS, verse_works
from locisimiles.retrieve.combined.weights import CHANNELS, SECOND_STAGE, CombinedWeights


@pytest.fixture(scope="module")
def search(tiny_latin):
    """The search, with a small encoder; it is not trained."""
    return Combined(model=tiny_latin, weights=UNTRAINED, depth=8)


@pytest.fixture(scope="module")
def learnt(search, tiny):
    """What was learnt for each fold."""
    learner = LearnedDefault(search)
    source = PreparedDocument(tiny.source)
    return {fold: learner.fit(training_set(tiny, fold), source) for fold in tiny.folds}


def weights_for(search, benchmark, fold):
    source = PreparedDocument(benchmark.source)
    return LearnedDefault(search).fit(training_set(benchmark, fold), source).combined.weights


def changed(benchmark, fold):
    """Return a set in which the references of a fold are to other sources."""
    references = benchmark.references
    source = references.source.copy()
    rows = np.flatnonzero(references.fold == fold)
    source[rows] = source[np.roll(rows, 1)]
    moved = References.from_columns(references.query, source, 3 - references.label, references.fold)
    return replace(benchmark, references=moved)


def columns(found):
    return found.query.tolist(), found.source.tolist(), found.score.tolist()


def test_every_fold_learns_a_weight_for_every_column(learnt):
    for retriever in learnt.values():
        weights = retriever.combined.weights
        assert tuple(weights.with_priors.first) == (*CHANNELS, *PRIOR_COLUMNS)
        assert tuple(weights.without_priors.first) == CHANNELS
        assert weights.with_priors.second.names == (*SECOND_STAGE, *PRIOR_COLUMNS)
        assert weights.without_priors.second.names == SECOND_STAGE
        assert set(weights.priors.authors) == {"Jerome", "Lactantius"}
    prints = {retriever.combined.weights.fingerprint() for retriever in learnt.values()}
    assert len(prints) == len(learnt) == 3


@pytest.mark.parametrize("fold", [0, 2])
def test_references_of_the_held_out_fold_are_not_used(search, tiny, learnt, fold):
    poisoned = changed(tiny, fold)
    assert poisoned.references.source.tolist() != tiny.references.source.tolist()
    known = learnt[fold].combined.weights.fingerprint()
    assert weights_for(search, poisoned, fold).fingerprint() == known
    # Those of another are.
    other = weights_for(search, changed(tiny, 1), fold)
    assert other.fingerprint() != known


def test_texts_of_the_held_out_fold_are_not_used(search, tiny, learnt):
    references = tiny.references
    held_out = set(references.query[references.fold == 1].tolist())
    query = Document.from_segments(
        replace(segment, text="nihil", author="Ambrose") if at in held_out else segment
        for at, segment in enumerate(tiny.query)
    )
    weights = weights_for(search, replace(tiny, query=query), 1)
    assert weights.fingerprint() == learnt[1].combined.weights.fingerprint()


def test_priors_of_a_query_exclude_its_own_references(search, tiny):
    parts = search.parts(tiny.source)
    training = training_queries(parts, tiny, 8)
    answers = [
        tiny.references.source[tiny.references.query == query].astype(np.int64)
        for query in tiny.references.queries
    ]
    authors = training.queries.authors
    in_verse = verse_works(training.queries)
    for row, own in enumerate(training.candidates):
        others = [n for n in range(len(authors)) if n != row]
        priors = ReferenceCounts(
            parts.works, [authors[n] for n in others], [answers[n] for n in others]
        ).priors()
        expected, of_all = (
            known.columns(authors[row], parts.works, own.segments, in_verse=bool(in_verse[row]))
            for known in (priors, training.priors)
        )
        found = own.features.select(PRIOR_COLUMNS)
        np.testing.assert_allclose(found, expected.values, atol=2e-4)
        assert np.abs(found - of_all.values).max() > 1e-3
    assert all(
        known.tolist() == np.isin(own.segments, wanted).tolist()
        for own, known, wanted in zip(training.candidates, training.right, answers, strict=True)
    )


def test_the_first_stage_passes_on_the_best_candidates(search, tiny):
    training = training_queries(search.parts(tiny.source), tiny, 8)
    weights = dict.fromkeys((*CHANNELS, *PRIOR_COLUMNS), 1.0)
    passed = training.passed(weights, 3).candidates
    for own, kept in zip(training.candidates, passed, strict=True):
        sums = own.features.select((*CHANNELS, *PRIOR_COLUMNS)).sum(axis=1)
        chosen = set(kept.segments.tolist())
        assert len(chosen) == 3
        least = min(sums[at] for at, name in enumerate(own.segments) if name in chosen)
        rest = [sums[at] for at, name in enumerate(own.segments) if name not in chosen]
        assert max(rest) <= least + 1e-5


@pytest.mark.parametrize("priors", [True, False])
def test_recording_changes_no_result(search, tiny, learnt, priors):
    training = training_set(tiny, 1)
    weights = learn_weights(search, search.parts(tiny.source), training)
    assert weights.fingerprint() == learnt[1].combined.weights.fingerprint()
    trained = replace(search, weights=weights, priors=priors)
    source = PreparedDocument(tiny.source)
    recorded = LearnedDefault(replace(search, priors=priors)).fit(training, source)
    for _ in range(2):
        for k in (5, 20, 8):
            expected = trained.index(tiny.source).search(tiny.query, k)
            found = recorded.index(source).search(tiny.query, k)
            assert columns(found) == columns(expected)


def test_candidates_are_recorded_by_depth(search, tiny):
    learner, source = LearnedDefault(search), PreparedDocument(tiny.source)
    fitted = learner.fit(training_set(tiny, 0), source)
    deep = [columns(fitted.index(source).search(tiny.query, 25))]
    learner.fit(training_set(tiny, 1), source)  # looks less deep, at the same queries
    shallow = columns(fitted.index(source).search(tiny.query, 3))
    deep.append(columns(fitted.index(source).search(tiny.query, 25)))
    assert deep[0] == deep[1]
    plain = fitted.combined.index(tiny.source)
    assert shallow == columns(plain.search(tiny.query, 3))
    assert deep[0] == columns(plain.search(tiny.query, 25))


def test_sources_are_indexed_once_for_all_folds(search, tiny, monkeypatch):
    built = []
    build = Combined._build

    def counted(self, texts, progress):
        built.append(texts)
        return build(self, texts, progress)

    monkeypatch.setattr(Combined, "_build", counted)
    source = PreparedDocument(tiny.source)
    for priors in (True, False):
        learner = LearnedDefault(replace(search, priors=priors))
        for fold in tiny.folds:
            trained = learner.fit(training_set(tiny, fold), source)
            trained.index(source).search(tiny.query[:2], 3)
            trained.index(tiny.source).search(tiny.query[:2], 3)
    assert len(built) == 1
    trained.index(tiny.source[:10])
    assert len(built) == 2


def test_weights_know_the_encoder_they_were_learnt_with(search, learnt):
    known = model_sha256(search.late_search().encoder())
    assert {own.combined.weights.encoder_sha256 for own in learnt.values()} == {known}


def test_training_needs_right_candidates(search, tiny):
    query = Document.from_segments(replace(segment, text="...") for segment in tiny.query)
    nothing = replace(tiny, query=query)
    with pytest.raises(ParameterError, match="no query has a right candidate"):
        learn_weights(search, search.parts(tiny.source), nothing)


def test_parameters_have_no_weights_before_training(search):
    told = dict(LearnedDefault(search).parameters())
    assert told["name"] == "default"
    assert "weights_sha256" not in told
    trained = LearnedDefault(replace(search, priors=False)).parameters()
    assert trained["priors"] is False


def method(search, shipped=None):
    return BenchmarkMethod("small", "Small", shipped, lambda: LearnedDefault(search))


def test_a_run_measures_each_fold_with_weights_learnt_from_the_others(
    search, tiny, learnt, tmp_path
):
    (finished,) = run_benchmark(tiny, [method(search)], None, tmp_path / "one", k=8)
    found = read_run(finished.folder / "run.trec", tiny.query, tiny.source)
    for fold, retriever in learnt.items():
        queries = tiny.references.select(tiny.references.fold == fold).queries
        asked = tiny.query.select(queries.tolist())
        expected = retriever.index(tiny.source).search(asked, 8)
        for at, query in enumerate(queries):
            (segments, scores), (wanted, known) = found.of_query(query), expected.of_query(at)
            assert segments.tolist() == wanted.tolist()
            np.testing.assert_allclose(scores, known, atol=1e-4)
    (again,) = run_benchmark(tiny, [method(search)], None, tmp_path / "two", k=8)
    for name in ("run.trec", "results.json", "manifest.json"):
        assert (again.folder / name).read_bytes() == (finished.folder / name).read_bytes()


def test_without_training_the_shipped_weights_are_measured(search, tiny, learnt, tmp_path):
    shipped = [replace(search, weights=learnt[fold].combined.weights) for fold in (0, 1)]
    found = []
    for one in shipped:
        (finished,) = run_benchmark(
            tiny, [method(search, lambda one=one: one)], None, tmp_path / "runs", k=8, train=False
        )
        manifest = read_json(finished.folder / "manifest.json")
        assert not finished.skipped  # other weights are another method
        assert manifest["trained"] is False
        assert manifest["method"]["parameters"]["weights_sha256"] == one.weights.fingerprint()
        run = read_run(finished.folder / "run.trec", tiny.query, tiny.source)
        asked = tiny.query.select(tiny.references.queries.tolist())
        np.testing.assert_allclose(
            run.score, one.index(tiny.source).search(asked, 8).score, atol=1e-4
        )
        found.append(run.score.tolist())
    assert found[0] != found[1]


@pytest.mark.parametrize("priors", [True, False])
def test_the_default_method_uses_the_shipped_weights(priors):
    made = find_method("default" if priors else "default-no-priors")
    shipped = made.made()
    assert shipped == Combined(priors=priors)
    assert shipped.loaded_weights() is CombinedWeights.shipped()
    assert made.learn().combined.weights is UNTRAINED
    assert made.learn().combined.priors is priors
