"""The default search, learnt for each fold from the others."""

from dataclasses import replace

import numpy as np
import pytest

from locisimiles import Document, ParameterError
from locisimiles.benchmark import learned_default
from locisimiles.benchmark.json_files import read_json
from locisimiles.benchmark.learned_default import (
    UNTRAINED,
    LearnedDefault,
    learn_weights,
    training_rounds,
)
from locisimiles.benchmark.runs.execution import run_benchmark
from locisimiles.benchmark.runs.methods import BenchmarkMethod, find_method, training_set
from locisimiles.benchmark.runs.trec import read_run
from locisimiles.benchmark.sets.references import References
from locisimiles.retrieve import Combined
from locisimiles.retrieve.combined_weights import FINAL, FIRST, CombinedWeights
from locisimiles.retrieve.habits import HABITS, Readings, verse_works


@pytest.fixture(scope="module")
def search(tiny_latin):
    """The search, with a small encoder; it is not trained."""
    return Combined(model=tiny_latin, weights=UNTRAINED, depth=8)


@pytest.fixture(scope="module")
def learnt(search, tiny):
    """What was learnt for each fold."""
    learner = LearnedDefault(search)
    return {fold: learner.fit(training_set(tiny, fold)) for fold in tiny.folds}


def weights_for(search, benchmark, fold):
    return LearnedDefault(search).fit(training_set(benchmark, fold)).combined.weights


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
        assert tuple(weights.with_priors.first) == (*FIRST, *HABITS)
        assert tuple(weights.without_priors.first) == FIRST
        assert weights.with_priors.final.names == (*FINAL, *HABITS)
        assert weights.without_priors.final.names == FINAL
        assert set(weights.habits.authors) == {"Jerome", "Lactantius"}
    prints = {retriever.combined.weights.fingerprint() for retriever in learnt.values()}
    assert len(prints) == len(learnt) == 3


@pytest.mark.parametrize("fold", [0, 2])
def test_references_of_the_fold_that_is_measured_are_not_seen(search, tiny, learnt, fold):
    poisoned = changed(tiny, fold)
    assert poisoned.references.source.tolist() != tiny.references.source.tolist()
    known = learnt[fold].combined.weights.fingerprint()
    assert weights_for(search, poisoned, fold).fingerprint() == known
    # Those of another are.
    other = weights_for(search, changed(tiny, 1), fold)
    assert other.fingerprint() != known


def test_texts_of_the_fold_that_is_measured_are_not_seen(search, tiny, learnt):
    references = tiny.references
    held_out = set(references.query[references.fold == 1].tolist())
    query = Document.from_segments(
        replace(segment, text="nihil", author="Ambrose") if at in held_out else segment
        for at, segment in enumerate(tiny.query)
    )
    weights = weights_for(search, replace(tiny, query=query), 1)
    assert weights.fingerprint() == learnt[1].combined.weights.fingerprint()


def test_no_query_knows_its_own_references_as_habits(search, tiny):
    index = search.index(tiny.source)
    rounds = training_rounds(index, tiny, 8)
    answers = [
        tiny.references.source[tiny.references.query == query].astype(np.int64)
        for query in tiny.references.queries
    ]
    readers = [segment.author for segment in rounds.queries]
    in_verse = verse_works(rounds.queries)
    for at, own in enumerate(rounds.found):
        others = [n for n in range(len(readers)) if n != at]
        habits = Readings(
            index.facts, [readers[n] for n in others], [answers[n] for n in others]
        ).habits()
        expected, told = (
            known.columns(readers[at], index.facts, own.segments, in_verse=bool(in_verse[at]))
            for known in (habits, rounds.habits)
        )
        np.testing.assert_allclose(own.habits, expected, atol=2e-4)
        assert np.abs(own.habits - told).max() > 1e-3
    assert all(
        known.tolist() == np.isin(own.segments, wanted).tolist()
        for own, known, wanted in zip(rounds.found, rounds.right, answers, strict=True)
    )


def test_what_comes_into_the_second_round_is_the_best_of_the_first(search, tiny):
    rounds = training_rounds(search.index(tiny.source), tiny, 8)
    weights = dict.fromkeys((*FIRST, *HABITS), 1.0)
    for own, kept in zip(rounds.found, rounds.through(weights, 3, priors=True).found, strict=True):
        sums = own.channels.sum(axis=1) + own.habits.sum(axis=1)
        chosen = set(kept.segments.tolist())
        assert len(chosen) == 3
        least = min(sums[at] for at, name in enumerate(own.segments) if name in chosen)
        rest = [sums[at] for at, name in enumerate(own.segments) if name not in chosen]
        assert max(rest) <= least + 1e-5


@pytest.mark.parametrize("priors", [True, False])
def test_remembering_changes_no_result(search, tiny, learnt, priors):
    plain = search.index(tiny.source)
    training = training_set(tiny, 1)
    weights = learn_weights(plain, training, search.depth)
    assert weights.fingerprint() == learnt[1].combined.weights.fingerprint()
    trained = replace(search, weights=weights, priors=priors)
    remembered = LearnedDefault(replace(search, priors=priors)).fit(training)
    for _ in range(2):
        for k in (5, 20, 8):
            expected = trained.index(tiny.source).search(tiny.query, k)
            found = remembered.index(tiny.source).search(tiny.query, k)
            assert columns(found) == columns(expected)


def test_what_was_found_at_one_depth_does_not_spoil_another(search, tiny):
    learner = LearnedDefault(search)
    fitted = learner.fit(training_set(tiny, 0))
    deep = [columns(fitted.index(tiny.source).search(tiny.query, 25))]
    learner.fit(training_set(tiny, 1))  # looks less deep, at the same queries
    shallow = columns(fitted.index(tiny.source).search(tiny.query, 3))
    deep.append(columns(fitted.index(tiny.source).search(tiny.query, 25)))
    assert deep[0] == deep[1]
    plain = fitted.combined.index(tiny.source)
    assert shallow == columns(plain.search(tiny.query, 3))
    assert deep[0] == columns(plain.search(tiny.query, 25))


def test_sources_are_prepared_once_for_all_folds(search, tiny, monkeypatch):
    prepared = []
    index = Combined.index

    def counted(self, source, **options):
        prepared.append(source)
        return index(self, source, **options)

    monkeypatch.setattr(Combined, "index", counted)
    learned_default._shared.cache_clear()  # what other tests prepared is kept for the process
    learner = LearnedDefault(search)
    for fold in tiny.folds:
        learner.fit(training_set(tiny, fold)).index(tiny.source).search(tiny.query[:2], 3)
    assert len(prepared) == 1
    learner.index(tiny.source[:10])
    assert len(prepared) == 2


def test_sets_whose_sources_are_never_found_cannot_be_learnt_from(search, tiny):
    query = Document.from_segments(replace(segment, text="...") for segment in tiny.query)
    nothing = replace(tiny, query=query)
    with pytest.raises(ParameterError, match="no query has a right candidate"):
        learn_weights(search.index(tiny.source), nothing, 8)


def test_the_manifest_does_not_tell_weights_that_are_not_learnt_yet(search):
    told = dict(LearnedDefault(search).parameters())
    assert told["name"] == "default"
    assert "weights_sha256" not in told
    trained = LearnedDefault(replace(search, priors=False)).parameters()
    assert trained["priors"] is False


def method(search, shipped=None):
    return BenchmarkMethod("small", "Small", lambda: LearnedDefault(search), shipped=shipped)


def test_a_run_measures_each_fold_by_what_was_learnt_from_the_others(
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


def test_untrained_it_is_measured_as_it_is_shipped(search, tiny, learnt, tmp_path):
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
def test_the_weights_that_are_shipped_are_those_of_the_package(priors):
    made = find_method("default" if priors else "default-no-priors")
    shipped = made.shipped()
    assert shipped == Combined(priors=priors)
    assert shipped.table() is CombinedWeights.shipped()
    assert made.make().combined.weights is UNTRAINED
    assert made.make().combined.priors is priors
