"""Counts beside those of the paper."""

import pytest

from locisimiles import Document, Segment
from locisimiles.benchmark.report.statistics import author_pair_table, corpus_table, fold_table
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
    rows = corpus_table(benchmark)
    assert [(row.side, row.author, row.segments) for row in rows] == [
        ("query", "Jerome", 2),
        ("query", "", 3),
        ("source", "Ennius", 1),
        ("source", "Virgil", 1),
        ("source", "", 2),
    ]
    jerome, total = rows[:2]
    assert (jerome.mean_tokens, jerome.min_tokens, jerome.max_tokens, jerome.std_tokens) == (
        2,
        1,
        3,
        1,
    )
    assert total.mean_tokens == 2
    assert jerome.paper.segments == 74_672
    assert total.paper.segments == 85_254
    assert rows[2].paper is None


def test_author_pairs(benchmark):
    rows = {(row.query_author, row.source_author): row for row in author_pair_table(benchmark)}
    assert (rows["Jerome", "Virgil"].cit, rows["Jerome", "Virgil"].cf) == (2, 0)
    assert (rows["Jerome", "Virgil"].paper_cit, rows["Jerome", "Virgil"].paper_cf) == (211, 38)
    ennius = rows["Jerome", "Ennius"]
    assert (ennius.cit, ennius.cf, ennius.paper_cit) == (0, 1, None)
    missing = rows["Lactantius", "Lucretius"]
    assert (missing.cit, missing.paper_cit) == (0, 24)
    assert len(rows) == 15


def test_folds(benchmark):
    first, second = fold_table(benchmark)
    assert (first.fold, first.citing, first.cited, first.references) == (0, 1, 2, 2)
    assert first.paper.cited == 269
    assert (second.fold, second.references, second.paper) == (7, 1, None)
