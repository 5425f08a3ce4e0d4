"""A benchmark in the shape of ir_datasets."""

import ir_measures
import pytest

from locisimiles import Document, ParameterError, Segment
from locisimiles.benchmark import Benchmark, IrDataset, Label, References
from locisimiles.retrieve import BM25


@pytest.fixture
def benchmark():
    query = ["o decus italiae", "haesit uox faucibus", "nihil"]
    source = ["arma uirumque cano", "o decus Italiae uirgo", "et uox faucibus haesit"]
    return Benchmark(
        query=Document.from_texts(query, ["q 1", "q 2", "q 3"], author="Jerome"),
        source=Document.from_segments(
            Segment(f"s {n}", text, "Virgil", "Aeneis", str(n)) for n, text in enumerate(source)
        ),
        references=References.from_columns(
            [0, 1], [1, 2], [Label.CIT, Label.CF], fold=[0, 1], grade=[2, 1]
        ),
    )


def test_it_has_what_tools_ask_for(benchmark):
    dataset = IrDataset(benchmark)
    assert [doc.doc_id for doc in dataset.docs_iter()] == ["s 0", "s 1", "s 2"]
    assert (dataset.docs_count(), dataset.queries_count(), dataset.qrels_count()) == (3, 3, 2)
    assert next(dataset.queries_iter()).default_text() == "o decus italiae"
    assert [tuple(qrel) for qrel in dataset.qrels_iter()] == [
        ("q 1", "s 1", 2, "cit"),
        ("q 2", "s 2", 1, "cf"),
    ]
    doc = dataset.docs_store().get("s 1")
    assert (doc.author, doc.work, doc.locus) == ("Virgil", "Aeneis", "1")
    assert doc.default_text() == "o decus Italiae uirgo"
    assert isinstance(doc, dataset.docs_cls())
    with pytest.raises(KeyError):
        dataset.docs_store().get("s 9")


def test_a_fold_has_its_queries_and_all_sources(benchmark):
    dataset = IrDataset(benchmark, fold=1)
    assert [query.query_id for query in dataset.queries_iter()] == ["q 2"]
    assert [qrel.doc_id for qrel in dataset.qrels_iter()] == ["s 2"]
    assert dataset.docs_count() == 3
    with pytest.raises(ParameterError, match="unknown fold"):
        IrDataset(benchmark, fold=7)


def test_ir_measures_takes_it(benchmark):
    dataset = IrDataset(benchmark)
    index = BM25().index(benchmark.source)
    found = index.search(benchmark.query, 3)
    columns = (found.query.tolist(), found.source.tolist(), found.score.tolist())
    run = [
        ir_measures.ScoredDoc(benchmark.query.ids[q], benchmark.source.ids[s], score)
        for q, s, score in zip(*columns, strict=True)
    ]
    measured = ir_measures.calc_aggregate([ir_measures.RR], dataset.qrels_iter(), run)
    assert measured[ir_measures.RR] == 1
