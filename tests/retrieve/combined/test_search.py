"""The default search, with an encoder that needs no model, and weights of our own."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locisimiles import (
    BM25,
    Document,
    MalformedInputError,
    ParameterError,
    Segment,
    load_example_query,
    load_example_source,
)
from locisimiles.index import PreparedDocument
from locisimiles.late.scoring import VIEWS
from locisimiles.models.identity import model_sha256
from locisimiles.models.vectors import shipped_vectors
from locisimiles.retrieve import Combined, Late, NgramRules, change_settings
from locisimiles.retrieve.combined import search as module
from locisimiles.retrieve.combined.parts import standardised
from locisimiles.retrieve.combined.priors import PRIOR_COLUMNS, AuthorPriors
from locisimiles.retrieve.combined.ranker import Ranker
from locisimiles.retrieve.combined.weights import (
    CHANNELS,
    SECOND_STAGE,
    CombinedWeights,
    StageWeights,
)
from locisimiles.retrieve.vectors.word_vectors import WordVectorSearch
from locisimiles.retrieve.verses import VerseWeights

SOURCE = load_example_source()[:60]
QUERY = load_example_query()[:8]
EVERYTHING = 10_000
UNITS = 3


def stages(*, priors, of_priors=(0.0, 0.0, 0.0, 0.0)):
    """Return weights that are the same with and without priors, which count for themselves."""
    rng = np.random.default_rng(5)
    first = dict(zip(CHANNELS, (1.0, 0.5, 0.7, 1.2), strict=True))
    linear = rng.uniform(0.1, 1, len(SECOND_STAGE))
    inner = rng.normal(size=(len(SECOND_STAGE), UNITS))
    shift, outer = rng.normal(size=UNITS), rng.normal(size=UNITS)
    names = SECOND_STAGE
    if priors:
        first |= dict(zip(PRIOR_COLUMNS, of_priors, strict=True))
        linear = np.append(linear, of_priors)
        inner = np.concatenate([inner, np.zeros((len(PRIOR_COLUMNS), UNITS))])
        names = (*SECOND_STAGE, *PRIOR_COLUMNS)
    parts = (part.astype(np.float32) for part in (linear, inner, shift, outer))
    return StageWeights(first, Ranker(names, *parts))


def table(priors=None, of_priors=(2.0, 0.0, 0.0, 0.0)):
    return CombinedWeights(
        stages(priors=True, of_priors=of_priors),
        stages(priors=False),
        priors or AuthorPriors({}, {}),
    )


def shared_priors(authors, works=None):
    """Return the same priors for all authors of queries, and for a query without one."""
    readers = {segment.author for segment in load_example_query()} | {""}
    return AuthorPriors(dict.fromkeys(readers, authors), dict.fromkeys(readers, works or {}))


@pytest.fixture
def combined(context_encoder):
    late = Late(context_encoder, cache=None)
    return lambda **options: Combined(**{"weights": table(), "late": late, **options})


def ranked(retriever, queries=QUERY, source=SOURCE, k=EVERYTHING):
    found = retriever.index(source).search(queries, k)
    return [
        [(source.ids[at], float(score)) for at, score in zip(*found.of_query(query), strict=True)]
        for query in range(len(queries))
    ]


def ids(found):
    return [[name for name, _ in own] for own in found]


def test_the_first_ten_begin_the_first_hundred_and_those_all(combined):
    few, many, everything = (ranked(combined(), k=k) for k in (10, 50, EVERYTHING))
    assert few == [own[:10] for own in many]
    assert many == [own[:50] for own in everything]
    assert all(len(own) == 10 for own in few)


@pytest.mark.parametrize("priors", [True, False])
def test_the_order_of_sources_does_not_matter(combined, priors):
    priors = shared_priors({"Virgil": 1.0, "Cicero": -1.0})
    search = combined(priors=priors, weights=table(priors))
    shuffled = list(SOURCE)
    random.Random(3).shuffle(shuffled)
    one, other = (ranked(search, source=s) for s in (SOURCE, Document.from_segments(shuffled)))
    assert ids(one) == ids(other)
    for own, same in zip(one, other, strict=True):
        assert [s for _, s in own] == pytest.approx([s for _, s in same], abs=1e-3)


def test_the_order_of_queries_does_not_matter(combined):
    turned = Document.from_segments(reversed(list(QUERY)))
    assert ranked(combined(), queries=turned)[::-1] == ranked(combined())


def test_a_source_that_is_there_twice_scores_the_same_twice(combined):
    priors = shared_priors({"Virgil": 1.0}, {"Virgil: Aeneid": 1.0})
    twice = Document.from_segments([*SOURCE, *(replace(s, id=f"{s.id}*") for s in SOURCE)])
    for own in ranked(combined(weights=table(priors)), source=twice):
        scores = dict(own)
        assert len(scores) == len(own)
        for name, score in scores.items():
            if not name.endswith("*"):
                assert scores[f"{name}*"] == pytest.approx(score, abs=1e-4)


def test_searching_again_finds_the_same(combined):
    assert ranked(combined()) == ranked(combined())


@pytest.mark.parametrize("text", ["", " ... ", "12"])
def test_a_query_without_words_finds_nothing(combined, text):
    query = Document.from_segments([Segment("q", text), QUERY[0]])
    nothing, something = ranked(combined(), queries=query)
    assert nothing == []
    assert something == ranked(combined(), queries=QUERY[:1])[0]


def test_no_queries_or_no_sources_find_nothing(combined):
    assert ranked(combined(), queries=QUERY[:0]) == []
    assert ranked(combined(), source=SOURCE[:0]) == [[]] * len(QUERY)


@pytest.mark.parametrize("k", [0, -1])
def test_k_must_be_at_least_one(combined, k):
    index = combined().index(SOURCE)
    with pytest.raises(ParameterError, match=rf"k must be at least 1 \(got {k}\)"):
        index.search(QUERY, k)


def test_more_candidates_than_sources_are_each_source_once(combined):
    for own in ids(ranked(combined(), k=10 * len(SOURCE))):
        assert len(own) == len(set(own)) <= len(SOURCE)


def test_scores_fall_and_what_is_found_scores_at_least_one(combined):
    for own in ranked(combined()):
        scores = [score for _, score in own]
        assert scores == sorted(scores, reverse=True)
        assert scores[-1] == pytest.approx(1.0)


def test_a_source_is_found_by_its_own_words_first(combined):
    plain = CombinedWeights(*(table().without_priors,) * 2, AuthorPriors({}, {}))
    own = SOURCE[:6]
    found = ids(ranked(combined(priors=False, weights=plain), queries=own, k=1))
    assert found == [[name] for name in own.ids]


def by_hand(encoder, query, depth):
    """Rank the sources for a query, written down without looking at how the search does it."""
    late = Late(encoder, cache=None).index(SOURCE)
    vectors = WordVectorSearch(shipped_vectors())
    indexes = [*(r.index(SOURCE) for r in (BM25(), NgramRules(), vectors)), late]
    channels = []
    for index in indexes:
        found = index.search(query, depth)
        scores = np.asarray(found.score, float)
        standard = (scores - scores.mean()) / max(scores.std(), 1e-6) if len(scores) else scores
        channels.append(dict(zip(found.source.tolist(), standard, strict=True)))
    segments = sorted(set().union(*channels))
    rows = np.array(
        [[c.get(at, min(c.values(), default=0)) for c in channels] for at in segments]
    ).clip(-4, 14)
    weights = stages(priors=False)
    first = rows @ np.array([weights.first[name] for name in CHANNELS])
    kept = sorted(np.argsort(-first, kind="stable")[:depth])
    segments, rows = [segments[at] for at in kept], rows[kept]
    scored = late.score(query, np.zeros(len(kept), np.int64), np.array(segments))
    columns = [*rows.T]
    for view in VIEWS:
        values = np.asarray(scored[view], float)
        columns.append(((values - values.mean()) / max(values.std(), 1e-6)).clip(-4, 14))
    columns.append([np.log(2 + SOURCE.texts[at].count(" ")) for at in segments])
    table_ = np.stack(columns, axis=1)
    net = weights.second
    scores = table_ @ net.linear + np.tanh(table_ / 3 @ net.inner + net.shift) @ net.outer
    scores = scores - scores.min() + 1
    order = np.argsort(-scores, kind="stable")
    return [(SOURCE.ids[segments[at]], scores[at]) for at in order]


@pytest.mark.parametrize("depth", [5, 1000])
@pytest.mark.parametrize("row", [0, 3, 5])
def test_the_two_stages_are_as_described(combined, context_encoder, row, depth):
    query = QUERY[row : row + 1]
    (found,) = ranked(combined(priors=False, depth=depth), queries=query, k=5)
    expected = by_hand(context_encoder, query, depth)[:5]
    assert [name for name, _ in found] == [name for name, _ in expected]
    assert [s for _, s in found] == pytest.approx([s for _, s in expected], abs=2e-3)


def test_priors_of_zero_change_nothing(combined):
    one, other = (ranked(combined(priors=priors)) for priors in (True, False))
    assert ids(one) == ids(other)
    for own, same in zip(one, other, strict=True):
        assert [s for _, s in own] == pytest.approx([s for _, s in same], abs=1e-3)


def test_priors_lift_what_an_author_cites_and_nothing_else(combined):
    priors = AuthorPriors({"Jerome": {"Cicero": 1.0}}, {})
    texts = [Segment("jerome", QUERY[0].text, author="Jerome"), Segment("other", QUERY[0].text)]
    queries = Document.from_segments(texts)
    source = Document.from_segments(
        replace(s, author=("Cicero" if n % 2 else "Virgil")) for n, s in enumerate(SOURCE)
    )
    strong = table(priors, of_priors=(100.0, 0.0, 0.0, 0.0))
    jerome, other = ids(ranked(combined(weights=strong), queries, source))
    same, plain = ids(ranked(combined(weights=strong, priors=False), queries, source))
    assert other == plain == same
    authors = [source[name].author for name in jerome]
    assert authors == sorted(authors)  # all of Cicero before Virgil
    assert [name for name in jerome if source[name].author == "Cicero"] == [
        name for name in plain if source[name].author == "Cicero"
    ]


def test_priors_choose_the_candidates_of_the_second_stage(combined):
    priors = shared_priors({"Cicero": 1.0})
    source = Document.from_segments(
        replace(s, author=("Cicero" if n % 2 else "Virgil")) for n, s in enumerate(SOURCE)
    )
    strong = table(priors, of_priors=(100.0, 0.0, 0.0, 0.0))
    only_first = replace(
        strong,
        with_priors=replace(strong.with_priors, second=table().with_priors.second),
        priors=priors,
    )
    search = combined(weights=only_first, depth=3)
    rounds = search.parts(source).candidates(PreparedDocument(QUERY), 3)
    for own, pool in zip(ids(ranked(search, source=source, k=3)), rounds, strict=True):
        brought = sum(source[int(at)].author == "Cicero" for at in pool.segments)
        assert brought > 0
        assert sum(source[name].author == "Cicero" for name in own) == min(brought, 3)


@pytest.mark.parametrize("depth", [1, 4])
def test_the_second_stage_has_as_many_candidates_as_the_depth(combined, depth):
    assert all(len(own) == depth for own in ranked(combined(depth=depth), k=depth))
    assert all(len(own) == depth + 2 for own in ranked(combined(depth=depth), k=depth + 2))


def test_depth_must_be_at_least_one():
    with pytest.raises(ParameterError, match=r"depth must be at least 1 \(got 0\)"):
        Combined(depth=0)


def test_queries_are_searched_block_by_block(combined, monkeypatch):
    whole = ranked(combined())
    monkeypatch.setattr(module, "_QUERY_BLOCK", 3)
    assert ranked(combined()) == whole


def test_prepared_sources_can_be_ranked_with_other_weights(combined):
    priors = shared_priors({"Virgil": 1.0}, {})
    other = combined(weights=table(priors), depth=5)
    source = PreparedDocument(SOURCE)
    index, changed = combined().index(source), other.index(source)
    assert changed.parts is index.parts
    expected = other.index(SOURCE).search(QUERY, 5)
    assert changed.search(QUERY, 5).score.tolist() == expected.score.tolist()
    before = combined().index(SOURCE).search(QUERY, 5)
    assert index.search(QUERY, 5).score.tolist() == before.score.tolist()


def test_weights_fit_the_encoder_they_were_learnt_with_and_no_other(combined, context_encoder):
    fitting = replace(table(), encoder_sha256=model_sha256(context_encoder))
    assert ranked(combined(weights=fitting)) == ranked(combined())
    other = replace(table(), encoder_sha256="0" * 64)
    message = r"learnt with another encoder \(0{12}…, not [0-9a-f]{12}…\); .*train default"
    with pytest.raises(ParameterError, match=message):
        combined(weights=other).index(SOURCE)
    with pytest.raises(ParameterError, match="another encoder"):
        combined(weights="shipped").index(SOURCE)


def test_the_weights_that_are_shipped_are_those_of_the_shipped_encoder():
    assert CombinedWeights.shipped().encoder_sha256 == model_sha256(Late().encoder())


def test_the_manifest_says_all_that_matters(combined):
    weights = table()
    told = dict(combined(weights=weights, priors=False, depth=7).parameters())
    parts = told.pop("retrievers")
    assert told == {
        "name": "default",
        "priors": False,
        "depth": 7,
        "weights_sha256": weights.fingerprint(),
        "verses": VerseWeights.shipped().fingerprint(),
    }
    assert [part["name"] for part in parts] == ["bm25", "ngrams", "word2vec", "late"]
    assert parts[-1]["model"] == "pieces in context"


def test_a_model_is_used_by_late_interaction(context_encoder):
    assert Combined(model=context_encoder).parameters()["retrievers"][-1]["model"] == (
        "pieces in context"
    )


def test_a_lemmatizer_is_used_by_all_that_have_lemmas(combined):
    parts = combined(lemmatizer="context").parameters()["retrievers"]
    assert [part.get("lemmatizer") for part in parts] == ["context"] * 3 + [None]


def test_weights_can_come_from_a_file(combined, tmp_path):
    weights = table(shared_priors({"Virgil": 1.0}))
    weights.save(tmp_path / "w.json")
    changed = change_settings(combined(weights="shipped"), {"weights": str(tmp_path / "w.json")})
    assert changed.loaded_weights().fingerprint() == weights.fingerprint()
    from_file, as_given = ranked(changed), ranked(combined(weights=weights))
    assert ids(from_file) == ids(as_given)


def test_the_weights_that_are_shipped_are_used_unless_others_are_named():
    assert Combined().loaded_weights() is CombinedWeights.shipped()


@pytest.mark.parametrize("name", ["none.json", "bad.json", ""])
def test_a_file_without_weights_is_reported_with_advice(combined, tmp_path, name):
    (tmp_path / "bad.json").write_text('{"format": 1, "priors": {}}')
    search = combined(weights=str(tmp_path / name))
    hint = "not a weights file of locisimiles; create one with: locisimiles train default"
    for use in (search.parameters, lambda: search.index(SOURCE[:2])):
        with pytest.raises(MalformedInputError, match=hint):
            use()


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=30), max_size=3), st.text(max_size=30))
def test_any_text_can_be_searched(combined, texts, more):
    document = Document.from_segments(Segment(f"s{n}", t) for n, t in enumerate([*texts, more]))
    query = Document.from_segments([Segment("q", more, author=more)])
    (found,) = ranked(combined(), queries=query, source=document)
    assert len(found) <= len(document)
    assert all(np.isfinite(score) for _, score in found)


@given(st.lists(st.floats(-1e3, 1e3), max_size=20))
def test_standardised_values_lie_around_zero_within_bounds(values):
    found = standardised(np.array(values))
    assert len(found) == len(values)
    assert all(-4 <= value <= 14 for value in found)
    if len(values) > 1 and np.std(values) > 1e-3 and found.min() > -4:
        assert found.mean() == pytest.approx(0, abs=1e-4)
        assert found.std() == pytest.approx(1, abs=1e-3)


def test_where_all_are_equal_none_is_preferred():
    assert standardised(np.array([3.0, 3.0])).tolist() == [0.0, 0.0]


def test_an_unknown_author_is_ranked_without_priors(combined):
    weights = table(AuthorPriors({"Jerome": {"Cicero": 9.0, "Virgil": -9.0}}, {"Jerome": {}}))
    words = "haesit uox faucibus et res publica"
    unknown, known = (
        Document.from_segments([Segment("q", words, author=author)])
        for author in ("Ambrose", "Jerome")
    )
    with_priors_of = combined(weights=weights)
    without = ranked(combined(weights=weights, priors=False), queries=unknown)
    assert ranked(with_priors_of, queries=unknown) == without
    assert ranked(with_priors_of, queries=known) != without
