"""Several retrievers as one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import BM25, Document, ParameterError, Segment
from locisimiles.retrieve import Fusion
from locisimiles.retrieve.fusion import channel_scores

SOURCE = Document.from_segments(
    [
        Segment("a", "arma uirumque cano"),
        Segment("b", "uox faucibus haesit"),
        Segment("c", "uir bonus"),
        Segment("d", "nihil"),
    ]
)
QUERY = Document.from_segments([Segment("q", "uirum cano"), Segment("r", ""), Segment("s", "uox")])
CHANNELS = (BM25(), BM25(terms="surface"))


def found(fusion, k=10):
    candidates = fusion.index(SOURCE).search(QUERY, k)
    return [[SOURCE.ids[at] for at in candidates.of_query(query)[0]] for query in range(len(QUERY))]


@pytest.mark.parametrize("rule", ["rank", "score"])
def test_what_any_retriever_finds_is_a_candidate(rule):
    assert [sorted(own) for own in found(Fusion(CHANNELS, rule=rule))] == [["a", "c"], [], ["b"]]


def test_reciprocal_ranks_are_added_up():
    candidates = Fusion(CHANNELS, constant=1.0).index(SOURCE).search(QUERY, 10)
    (_, scores) = candidates.of_query(0)
    # a is first for both, c is second for lemmas only
    assert scores.tolist() == pytest.approx([1 + 1, 2 / 3])


def test_a_retriever_without_weight_does_not_matter():
    alone = BM25().index(SOURCE).search(QUERY, 10)
    fused = Fusion(CHANNELS, weights=(1.0, 0.0)).index(SOURCE).search(QUERY, 10)
    for query in range(len(QUERY)):
        expected = alone.of_query(query)[0].tolist()
        assert fused.of_query(query)[0].tolist()[: len(expected)] == expected


@pytest.mark.parametrize("rule", ["rank", "score"])
def test_fewer_candidates_are_the_first_of_more(rule):
    fusion = Fusion(CHANNELS, rule=rule)
    assert [own[:1] for own in found(fusion, 3)] == found(fusion, 1)


@pytest.mark.parametrize("rule", ["rank", "score"])
def test_the_order_of_the_source_does_not_matter(rule):
    turned = Document.from_segments(reversed(list(SOURCE)))
    one = Fusion(CHANNELS, rule=rule).index(SOURCE).search(QUERY, 10)
    other = Fusion(CHANNELS, rule=rule).index(turned).search(QUERY, 10)
    assert [SOURCE.ids[at] for at in one.source] == [turned.ids[at] for at in other.source]
    np.testing.assert_allclose(one.score, other.score, rtol=1e-6)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"retrievers": (BM25(),)}, "at least two retrievers"),
        ({"rule": "vote"}, "choose one of rank, score"),
        ({"weights": (1.0,)}, "weights and retrievers must have equal length"),
        ({"depth": 0}, "depth must be at least 1"),
        ({"constant": -1.0}, "constant must be at least 0"),
    ],
)
def test_invalid_options_are_refused(options, problem):
    with pytest.raises(ParameterError, match=problem):
        Fusion(**{"retrievers": CHANNELS, **options})


def test_k_must_be_at_least_one():
    with pytest.raises(ParameterError, match=r"k must be at least 1 \(got 0\)"):
        Fusion(CHANNELS).index(SOURCE).search(QUERY, 0)


def test_the_manifest_names_the_retrievers_and_their_weights():
    parameters = Fusion(CHANNELS, weights=(2.0, 1.0)).parameters()
    assert parameters["weights"] == [2.0, 1.0]
    assert [own["terms"] for own in parameters["retrievers"]] == ["lemma", "surface"]


RANKINGS = st.lists(
    st.lists(st.integers(0, 30), unique=True, max_size=8).map(np.array), min_size=1, max_size=4
)


@settings(deadline=None)
@given(RANKINGS, st.sampled_from(["rank", "score"]))
def test_every_segment_that_was_found_has_a_score_by_each_retriever(rankings, rule):
    channels = [(own.astype(np.int64), np.arange(len(own), 0, -1.0)) for own in rankings]
    segments, scores = channel_scores(channels, rule)
    assert segments.tolist() == sorted({at for own in rankings for at in own.tolist()})
    assert scores.shape == (len(segments), len(rankings))
    for channel, (own, _) in enumerate(channels):
        if len(own) > 1:
            rows = np.searchsorted(segments, own)
            assert (np.diff(scores[rows, channel]) < 0).all()
