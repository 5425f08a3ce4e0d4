"""Pairs scored, and words compared, by an index of late interaction."""

import numpy as np
import pytest

from locisimiles import Document, ParameterError, Segment, load_example_query, load_example_source
from locisimiles.index import PreparedDocument
from locisimiles.late.pieces import PieceWeights
from locisimiles.late.scoring import VIEWS
from locisimiles.late.search import Late


def document(*texts, prefix="s"):
    return Document.from_segments(Segment(f"{prefix}{n}", t) for n, t in enumerate(texts, start=1))


@pytest.fixture
def index(context_encoder):
    return Late(context_encoder, cache=None, window=4, narrow=2, wide=8).index(
        load_example_source()
    )


@pytest.fixture
def queries():
    return load_example_query()


def test_pairs_are_scored_as_the_search_scores_them(index, queries):
    found = index.search(queries, 20)
    order = np.random.default_rng(1).permutation(len(found))
    scored = index.score(queries, found.query[order], found.source[order])
    assert list(scored) == list(VIEWS)
    assert np.array_equal(scored["window"].astype(np.float32), found.score[order])


def test_queries_that_were_searched_are_not_encoded_again_to_score_pairs(
    context_encoder, index, queries
):
    queries = PreparedDocument(queries)
    found = index.search(queries, 5)
    encoded = len(context_encoder.encoded)
    few = found.query >= 3
    known = index.score(queries, found.query[few], found.source[few])
    assert len(context_encoder.encoded) == encoded
    others = document("arma uirumque cano")
    index.score(others, np.array([0]), np.array([0]))
    assert context_encoder.encoded[encoded:] == ["arma uirumque cano"]
    again = index.score(queries, found.query[few], found.source[few])
    assert all(np.array_equal(known[view], again[view]) for view in VIEWS)


def test_views_are_ordered_as_they_must_be(index, queries):
    query = np.repeat(np.arange(len(queries)), 50)
    source = np.tile(np.arange(50), len(queries))
    scored = index.score(queries, query, source)
    assert (scored["local"] <= scored["window"] + 1e-6).all()
    assert (scored["window"] <= scored["narrow"] + 1e-6).all()
    assert (scored["wide"] <= scored["window"] + 1e-6).all()
    assert (scored["second"] <= scored["third"] + 1e-6).all()
    assert (scored["third"] <= 4 * scored["window"] + 1e-6).all()
    for share in ("whole", "answered"):
        assert ((scored[share] >= 0) & (scored[share] <= 1 + 1e-6)).all()
        assert len(np.unique(scored[share])) > 100


@pytest.mark.parametrize(("view", "width"), [("narrow", 2), ("wide", 8)])
def test_narrow_and_wide_are_windows_of_another_width(context_encoder, index, queries, view, width):
    other = Late(context_encoder, cache=None, window=width).index(load_example_source())
    pairs = np.arange(20), np.arange(20)
    found = index.score(queries, *pairs)
    assert np.array_equal(found[view], other.score(queries, *pairs)["window"])
    assert not np.array_equal(found[view], found["window"])


def test_only_the_views_that_are_asked_for_are_given(index, queries):
    pairs = np.array([0, 0]), np.array([3, 4])
    few = index.score(queries, *pairs, views=("answered", "window"))
    assert list(few) == ["answered", "window"]
    for view, column in index.score(queries, *pairs).items():
        assert view not in few or np.array_equal(few[view], column)


def test_no_pairs_have_no_scores(index, queries):
    nothing = np.empty(0, np.int64)
    assert [len(column) for column in index.score(queries, nothing, nothing).values()] == [0] * len(
        VIEWS
    )


@pytest.mark.parametrize(("query", "source"), [([99], [0]), ([0], [-1]), ([0], [9999])])
def test_pairs_beyond_the_documents_are_errors(index, queries, query, source):
    with pytest.raises(ParameterError, match="beyond"):
        index.score(queries, np.array(query), np.array(source))


def test_columns_of_different_lengths_are_no_pairs(index, queries):
    with pytest.raises(ParameterError, match="equal length"):
        index.score(queries, np.array([0]), np.array([0, 1]))


def test_an_unknown_view_is_an_error_that_lists_the_known_ones(index, queries):
    with pytest.raises(ParameterError, match=r"unknown view 'widest'.*answered"):
        index.score(queries, np.array([0]), np.array([0]), views=["window", "widest"])


def test_k_must_be_at_least_one(index, queries):
    with pytest.raises(ParameterError, match=r"k must be at least 1 \(got 0\)"):
        index.search(queries, 0)


def test_matches_name_the_words_of_both_texts(index):
    query, source = "haesit uox faucibus", "et sonus faucibus haesit"
    found = index.match(query, source)
    pairs = [
        (query[slice(*answer.query)], source[slice(*answer.source)])
        for answer in found.best(least=0.5)
    ]
    assert pairs == [("haesit", "haesit"), ("uox", "sonus"), ("faucibus", "faucibus")]
    assert found.cosines.shape == (3, 4)
    assert [query[slice(*span)] for span in found.query_spans] == query.split()
    assert [source[slice(*span)] for span in found.source_spans] == source.split()


def test_the_score_of_matches_is_that_of_the_pair(index, queries):
    source = load_example_source()
    scored = index.score(queries, np.arange(5), np.arange(5))["window"]
    found = [index.match(queries.texts[n], source.texts[n]).score for n in range(5)]
    assert found == scored.tolist()
    assert min(found) > 0


def test_a_text_can_be_compared_with_itself(index):
    found = index.match("arma uirumque cano", "arma uirumque cano")
    assert np.diag(found.cosines) == pytest.approx(1, abs=0.02)


def test_its_size_is_known(index):
    words = sum(len(text.split()) for text in set(load_example_source().texts))
    pieces = len(index.pieces.vectors)
    assert pieces > words
    assert index.nbytes > pieces * 32


def test_progress_is_reported(index, queries):
    told = []
    index.search(queries, 3, progress=lambda *report: told.append(report))
    assert told[-1] == ("searching", len(queries), len(queries))
    assert any(task == "encoding query" for task, _, _ in told)


def test_pieces_can_count_differently_in_the_same_segments(context_encoder, index, queries):
    query, source = np.arange(6).repeat(4), np.tile(np.arange(4), 6)
    before = index.score(queries, query, source)
    encoded = len(context_encoder.encoded)
    flat = PieceWeights(np.zeros(0, np.int64), 9)
    other = index.reweighted(flat)
    scored = other.score(queries, query, source)
    assert not np.array_equal(scored["window"], before["window"])
    # Sources are not read again, and the index itself counts as before.
    assert len(set(context_encoder.encoded[encoded:]) & set(load_example_source().texts)) == 0
    again = index.score(queries, query, source)
    assert all(np.array_equal(again[view], before[view]) for view in VIEWS)
    back = other.reweighted(index.weights).score(queries, query, source)
    assert all(np.array_equal(back[view], before[view]) for view in VIEWS)


def test_counts_of_another_source_make_pairs_independent_of_theirs(context_encoder, queries):
    fixed = PieceWeights(np.array([4, 1, 7, 2]), 9)
    texts = load_example_source().texts
    small, large = (
        Late(context_encoder, cache=None).index(document(*texts[:size])).reweighted(fixed)
        for size in (5, 60)
    )
    pairs = np.arange(5), np.arange(5)
    one, other = small.score(queries, *pairs), large.score(queries, *pairs)
    assert all(np.array_equal(one[view], other[view]) for view in VIEWS)
