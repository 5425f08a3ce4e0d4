"""The paper's figures."""

import json

import pytest

from locisimiles.benchmark.report.paper import (
    PAPER_TABLES,
    MeanStd,
    paper_rows,
    paper_value,
)
from locisimiles.benchmark.report.set_sizes import (
    paper_author_pair_sizes,
    paper_corpus_sizes,
    paper_fold_sizes,
)
from locisimiles.errors import ParameterError


def test_every_table_has_rows():
    assert all(paper_rows(table) for table in PAPER_TABLES)


def test_unknown_tables_and_rows():
    with pytest.raises(ParameterError, match="choose one of corpus, fold_sizes"):
        paper_rows("appendix")
    assert paper_value("classification", "LatinBERT", "r@10") is None


def test_figures():
    assert paper_value("classification", "LatinBERT", "cit_f1") == 77.82
    assert paper_value("retrieval_baselines_pooled", "BM25 (lem. 1g)", "mrr1000") == MeanStd(
        0.522, 0.053
    )
    assert paper_value("retrieve_and_rerank", 5, "rer_f1") == 0.42


def test_rows_are_copies():
    paper_rows("corpus")[0]["segments"] = 0
    assert paper_rows("corpus")[0]["segments"] == 74_672


def test_the_papers_own_sums_agree():
    for side in ("query", "source"):
        rows = [row for row in paper_corpus_sizes() if row.side == side]
        assert sum(row.segments for row in rows if row.author) == rows[-1].segments
    pairs = paper_author_pair_sizes()
    assert (sum(row.cit for row in pairs), sum(row.cf for row in pairs)) == (849, 621)
    assert sum(row.references for row in paper_fold_sizes()) == 1470
    assert sum(row.citing for row in paper_fold_sizes()) == 706


def test_the_shipped_figures_are_those_of_the_paper(shared):
    tables = json.loads((shared / "paper" / "tables.json").read_text("utf-8"))
    assert list(tables) == list(PAPER_TABLES)
    for name, rows in tables.items():
        for ours, theirs in zip(paper_rows(name), rows, strict=True):
            plain = {k: v._asdict() if isinstance(v, MeanStd) else v for k, v in ours.items()}
            assert plain == theirs
