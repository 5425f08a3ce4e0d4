"""Exact and approximate search."""

import numpy as np
import pytest

from locisimiles import ParameterError
from locisimiles.retrieve.vectors.nearest import (
    IVF,
    ExactSearch,
    nearest_centres,
    queries_at_a_time,
    spherical_centres,
)


def clustered(count, *, seed, clusters=40, dimensions=24, spread=0.35):
    """Return vectors of length 1 around common centres, as those of texts are."""
    centres = np.random.default_rng(7).normal(size=(clusters, dimensions))
    random = np.random.default_rng(seed)
    vectors = centres[random.integers(clusters, size=count)]
    vectors = vectors + spread * random.normal(size=vectors.shape)
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


SOURCES, QUERIES = clustered(3000, seed=1), clustered(60, seed=2)


def test_exact_search_gives_all_cosines():
    expected = [[float(np.dot(q, s)) for s in SOURCES[:50]] for q in QUERIES[:5]]
    np.testing.assert_allclose(
        ExactSearch(SOURCES[:50]).scores(QUERIES[:5]), expected, rtol=0, atol=1e-6
    )


def test_approximate_search_that_probes_all_lists_is_exact():
    scores = IVF(lists=20, probes=20).build(SOURCES).scores(QUERIES)
    np.testing.assert_allclose(scores, ExactSearch(SOURCES).scores(QUERIES), atol=1e-6)


def test_sources_that_approximate_search_visits_are_scored_exactly():
    scores = IVF(lists=50, probes=5).build(SOURCES).scores(QUERIES)
    looked_at = scores != 0
    assert 0 < looked_at.mean() < 0.4
    exact = ExactSearch(SOURCES).scores(QUERIES)
    np.testing.assert_allclose(scores[looked_at], exact[looked_at], atol=1e-6)


def recall(options, k=10):
    found = np.argsort(-options.build(SOURCES).scores(QUERIES), axis=1)[:, :k]
    expected = np.argsort(-ExactSearch(SOURCES).scores(QUERIES), axis=1)[:, :k]
    return np.mean([len(np.intersect1d(a, b)) / k for a, b in zip(found, expected, strict=True)])


def test_approximate_search_finds_nearly_all_and_more_with_more_probes():
    one, four, usual = (recall(IVF(lists=50, probes=probes)) for probes in (1, 4, None))
    assert one < four <= usual
    assert usual >= 0.97


def test_the_same_seed_gives_the_same_lists():
    one, same, other = (IVF(50, 3, seed).build(SOURCES).scores(QUERIES) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one != 0, other != 0)


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_few_sources_are_no_problem(count):
    scores = IVF().build(SOURCES[:count]).scores(QUERIES[:3])
    np.testing.assert_allclose(scores, ExactSearch(SOURCES[:count]).scores(QUERIES[:3]), atol=1e-6)


def test_zeros_are_near_nothing():
    sources = np.concatenate([np.zeros((5, 24), np.float32), SOURCES[:20]])
    scores = IVF(lists=3, probes=3).build(sources).scores(QUERIES[:2])
    assert not scores[:, :5].any()
    assert not np.isnan(scores).any()


@pytest.mark.parametrize("options", [{"lists": 0}, {"probes": 0}, {"lists": -1}])
def test_invalid_options_are_refused(options):
    with pytest.raises(ParameterError, match="must be at least 1"):
        IVF(**options)


def test_memory_is_bounded():
    for sources in (0, 1, 10_000, 90_000, 10**9):
        assert queries_at_a_time(sources) == 1 or queries_at_a_time(sources) * sources <= 1 << 24


def test_centres_have_one_length_however_long_vectors_are():
    random = np.random.default_rng(1)
    vectors = (random.normal(size=(60, 4)) * 40).astype(np.int8)
    # The first twenty are one vector: of their centres only one can be the nearest of any.
    vectors[:20] = vectors[0]
    centres = spherical_centres(vectors, 30, np.random.default_rng(0))
    assert np.linalg.norm(centres, axis=1) == pytest.approx(1, abs=1e-5)
    assert len(np.unique(nearest_centres(vectors, centres))) > 15
