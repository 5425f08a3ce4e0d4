"""Hard negatives: how deep a retriever searches for them."""

import numpy as np
import pytest

from locisimiles import BM25, Document, Segment
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.learn.hard_negatives import hard_candidates
from locisimiles.learn.sampling import sample_pairs
from locisimiles.progress import silent

QUERY = Document.from_segments([Segment("q", "arma"), Segment("r", "cano")])
SOURCE = Document.from_segments(Segment(f"s{n}", f"arma cano {n}") for n in range(60))


@pytest.fixture
def benchmark():
    """One query refers to four sources, the other to one."""
    references = References.from_columns([0] * 4 + [1], [0, 1, 2, 3, 4], [1] * 5, fold=[0] * 5)
    return Benchmark(QUERY, SOURCE, references)


@pytest.mark.parametrize(("depth", "ratio", "found"), [(10, 1, 14), (10, 5, 24), (3, 10, 44)])
def test_a_query_with_many_references_is_searched_deeper(benchmark, depth, ratio, found):
    candidates = hard_candidates(benchmark, BM25(), depth, ratio, silent)
    assert np.bincount(candidates.query).tolist() == [found, found]


def test_there_are_always_enough_negatives(benchmark):
    similar = hard_candidates(benchmark, BM25(), 1, 10, silent)
    pairs = sample_pairs(
        benchmark.references,
        queries=benchmark.references.queries,
        sources=len(SOURCE),
        strategy="qry,sim",
        ratio=10,
        similar=similar,
    )
    assert (pairs.label == 0).sum() == 50
