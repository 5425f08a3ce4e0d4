"""Sizes of a set, beside those of the paper."""

import pytest

from locisimiles import Document, Segment
from locisimiles.benchmark.report.set_sizes import author_pair_sizes, corpus_sizes, fold_sizes
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References


@pytest.fixture
def benchmark():
    query = Document.from_segments(
        [
            Segment("q1", "arma uirumque cano", author="Jerome"),
            Segment("q2", "tu — 3 !", author="Jerome"),
            Segment("q3", "sine nomine", author=""),
        ]
    )
    source = Document.from_segments(
        [Segment("s1", "unum", author="Virgil"), Segment("s2", "duo illa", author="Ennius")]
    )
    references = References.from_columns([0, 0, 1], [0, 1, 0], [1, 2, 1], fold=[0, 0, 7])
    return Benchmark(query, source, references)


def test_corpus(benchmark):
    sizes = corpus_sizes(benchmark)
    assert [(own.side, own.author, own.segments) for own, _ in sizes] == [
        ("query", "Jerome", 2),
        ("query", "", 3),
        ("source", "Ennius", 1),
        ("source", "Virgil", 1),
        ("source", "", 2),
    ]
    (jerome, papers_jerome), (total, papers_total) = sizes[:2]
    assert (jerome.mean_tokens, jerome.min_tokens, jerome.max_tokens, jerome.std_tokens) == (
        2,
        1,
        3,
        1,
    )
    assert total.mean_tokens == 2
    assert (papers_jerome.segments, papers_total.segments) == (74_672, 85_254)
    assert sizes[2][1] is None


def test_author_pairs(benchmark):
    sizes = {
        (own.query_author, own.source_author): (own, paper)
        for own, paper in author_pair_sizes(benchmark)
    }
    virgil, papers_virgil = sizes["Jerome", "Virgil"]
    assert (virgil.cit, virgil.cf) == (2, 0)
    assert (papers_virgil.cit, papers_virgil.cf) == (211, 38)
    ennius, papers_ennius = sizes["Jerome", "Ennius"]
    assert (ennius.cit, ennius.cf, papers_ennius) == (0, 1, None)
    missing, papers = sizes["Lactantius", "Lucretius"]
    assert (missing.cit, papers.cit) == (0, 24)
    assert len(sizes) == 15


def test_folds(benchmark):
    (first, paper), (second, none) = fold_sizes(benchmark)
    assert (first.fold, first.citing, first.cited, first.references) == (0, 1, 2, 2)
    assert paper.cited == 269
    assert (second.fold, second.references, none) == (7, 1, None)
