"""Sampling of negatives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import ParameterError
from locisimiles.benchmark.sets.references import References
from locisimiles.candidates import Candidates
from locisimiles.learn.sampling import RATIOS, STRATEGIES, check_sampling, sample_pairs

REFERENCES = References.from_columns([2, 2, 5, 7], [1, 3, 3, 9], label=[1, 2, 1, 2])
SOURCES = 120
DEPTH = 40


def similar(queries=(2, 5, 7)):
    """Return candidates: the last sources, and the references themselves."""
    rows = []
    for query in queries:
        own = REFERENCES.source[REFERENCES.query == query]
        rows += [(query, source) for source in [*own, *range(SOURCES - DEPTH, SOURCES)]]
    query, source = np.array(rows, np.int32).T
    return Candidates(query, source, np.ones(len(rows), np.float32))


def draw(strategy, ratio, seed=42, **changes):
    options = {"queries": np.array([0, 1, 2, 5, 7], np.int32), "sources": SOURCES, **changes}
    return sample_pairs(
        REFERENCES, strategy=strategy, ratio=ratio, seed=seed, similar=similar(), **options
    )


def as_pairs(drawn, label):
    rows = drawn.label == label
    return list(zip(drawn.query[rows].tolist(), drawn.source[rows].tolist(), strict=True))


def test_the_grid_is_that_of_the_paper():
    assert RATIOS == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert set(STRATEGIES) == {"qry,mix", "rnd,rnd", "qry,rnd", "qry,sim"}


@given(st.sampled_from(STRATEGIES), st.sampled_from(RATIOS), st.integers(0, 1000))
def test_every_strategy_keeps_the_ratio_and_draws_no_reference(strategy, ratio, seed):
    drawn = draw(strategy, ratio, seed)
    references = list(zip(REFERENCES.query.tolist(), REFERENCES.source.tolist(), strict=True))
    assert as_pairs(drawn, 1) == references
    negatives = as_pairs(drawn, 0)
    assert len(negatives) == len(set(negatives)) == ratio * len(references)
    assert not set(negatives) & set(references)
    assert all(0 <= source < SOURCES for _, source in negatives)


@pytest.mark.parametrize("strategy", ["qry,rnd", "qry,sim", "qry,mix"])
def test_negatives_are_proportional_to_the_references_of_a_query(strategy):
    queries = [query for query, _ in as_pairs(draw(strategy, 4), 0)]
    assert {query: queries.count(query) for query in queries} == {2: 8, 5: 4, 7: 4}


def test_hard_negatives_are_candidates():
    assert all(source >= SOURCES - DEPTH for _, source in as_pairs(draw("qry,sim", 10), 0))


def test_mixed_negatives_are_half_hard():
    negatives = as_pairs(draw("qry,mix", 4), 0)
    # Random ones may be among the similar by chance.
    assert sum(source >= SOURCES - DEPTH for _, source in negatives) >= len(negatives) / 2
    assert any(source < SOURCES - DEPTH for _, source in negatives)


def test_random_sources_are_drawn_from_all():
    seen = {s for seed in range(60) for _, s in as_pairs(draw("qry,rnd", 10, seed), 0)}
    assert seen == set(range(SOURCES))


def test_random_pairs_use_all_given_queries():
    seen = {q for seed in range(20) for q, _ in as_pairs(draw("rnd,rnd", 5, seed), 0)}
    assert seen == {0, 1, 2, 5, 7}


def test_a_seed_gives_the_same_sample():
    one, same, other = (as_pairs(draw("qry,mix", 5, seed), 0) for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize("strategy", ["qry,sim", "qry,mix"])
def test_hard_negatives_need_candidates(strategy):
    with pytest.raises(ParameterError, match="needs candidates"):
        sample_pairs(REFERENCES, queries=np.arange(3), sources=9, strategy=strategy, ratio=1)


@pytest.mark.parametrize("strategy", ["qry,rnd", "rnd,rnd"])
def test_too_few_sources_are_an_error(strategy):
    with pytest.raises(ParameterError, match=r"too few|only"):
        draw(strategy, 10, sources=10, queries=np.array([2], np.int32))


def test_too_few_candidates_are_an_error():
    with pytest.raises(ParameterError, match="search deeper"):
        draw("qry,sim", DEPTH + 1)


@pytest.mark.parametrize(("strategy", "ratio"), [("mix", 1), ("qry,rnd", 0)])
def test_invalid_options_are_refused(strategy, ratio):
    with pytest.raises(ParameterError):
        check_sampling(strategy, ratio)
