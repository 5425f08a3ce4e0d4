"""Results as TREC runs, as trec_eval reads them."""

import numpy as np
import pytest
from ir_measures import read_trec_run

from locisimiles import (
    BM25,
    Document,
    Pipeline,
    Segment,
    load_example_query,
    load_example_source,
    write_results,
)
from locisimiles.benchmark.runs.trec import read_run
from locisimiles.export import write_blocks


@pytest.fixture(scope="module")
def results():
    return Pipeline("default", k=5).run(load_example_query(), load_example_source())


def test_what_is_read_is_what_was_written(results, tmp_path):
    path, manifest = write_results(results, tmp_path / "hits.trec")
    again = read_run(path, results.query, results.source)
    np.testing.assert_array_equal(again.query, results.candidates.query)
    np.testing.assert_array_equal(again.score, results.candidates.score)
    assert manifest.name == "hits.trec.manifest.json"


def test_others_read_it(results, tmp_path):
    path, _ = write_results(results, tmp_path / "hits.trec")
    lines = list(read_trec_run(str(path)))
    assert len(lines) == len(results)
    first = results[0]
    assert lines[0].query_id == first.query.id.replace(" ", "%20")
    assert lines[0].score == pytest.approx(first.score)
    assert path.read_text().splitlines()[0].split()[3:] == ["1", f"{first.score:.9g}", "default"]


def test_blocks_give_the_same_bytes(results, tmp_path):
    searcher = Pipeline("default", k=5).prepare(load_example_source())
    write_blocks(searcher.blocks(load_example_query(), 2), tmp_path / "blocks.trec")
    write_results(results, tmp_path / "whole.trec")
    whole = (tmp_path / "whole.trec").read_bytes()
    assert (tmp_path / "blocks.trec").read_bytes() == whole


def test_ranks_are_those_of_the_search(results, tmp_path):
    path, _ = write_results(results[2:4], tmp_path / "part.trec")
    assert [line.split()[3] for line in path.read_text().splitlines()] == ["3", "4"]


def test_a_hostile_id_stays_one_field(tmp_path):
    document = Document.from_segments([Segment("a\tb\n100% c", "arma uirumque cano")])
    path, _ = write_results(Pipeline(BM25()).run(document, document), tmp_path / "x.trec")
    fields = path.read_text().split("\n")[0].split()
    assert fields[0] == fields[2] == "a%09b%0A100%25%20c"
    assert read_run(path, document, document).query.tolist() == [0]
