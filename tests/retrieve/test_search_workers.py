"""Searching with the help of other processes."""

import io
import subprocess
import sys

import numpy as np
import pytest

from locisimiles import BM25, ParameterError
from locisimiles.examples import load_example_query, load_example_source
from locisimiles.retrieve import TfIdf, change_settings, search_workers, sparse_index
from locisimiles.retrieve.lexical.postings import Postings, TermCounts
from locisimiles.retrieve.search_workers import QueryBlock, SearchWorkers, search_block, work


@pytest.fixture
def query():
    return load_example_query()


@pytest.fixture
def source():
    return load_example_source()


@pytest.fixture
def started(monkeypatch):
    """Let few queries be enough for processes, and return those that are started."""
    monkeypatch.setattr(sparse_index, "_FEWEST_A_WORKER", 1)
    monkeypatch.setattr(sparse_index, "_SHARED_BATCH", 2)
    processes = []

    class Recorded(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            processes.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    return processes


@pytest.fixture
def folders(monkeypatch, tmp_path):
    monkeypatch.setattr(search_workers.tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("retriever", [BM25(workers=2), TfIdf(workers=3)])
def test_processes_find_what_one_finds(query, source, retriever, started, folders):
    found = retriever.index(source).search(query, 5)
    alone = change_settings(retriever, {"workers": "1"}).index(source).search(query, 5)
    assert found == alone
    assert len(found) > 0
    assert [process.returncode for process in started] == [0] * (retriever.workers - 1)
    assert list(folders.iterdir()) == []


def test_few_queries_start_no_process(query, source, monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", None)
    assert len(BM25(workers=8).index(source).search(query, 5)) > 0


@pytest.mark.parametrize("executable", ["", None, "/no/such/python"])
def test_without_a_python_everything_is_done_here(query, source, executable, started, monkeypatch):
    monkeypatch.setattr(sys, "executable", executable)
    assert BM25(workers=2).index(source).search(query, 5) == BM25().index(source).search(query, 5)
    assert started == []


@pytest.mark.parametrize("code", ["raise SystemExit(3)", "input(); raise SystemExit(3)"])
def test_what_a_process_leaves_undone_is_done_here(query, source, code, started, monkeypatch):
    monkeypatch.setattr(search_workers, "_START", code)
    assert BM25(workers=2).index(source).search(query, 5) == BM25().index(source).search(query, 5)
    assert [process.returncode for process in started] == [3]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_nothing_is_left_behind_when_a_search_is_broken_off(query, source, error, started, folders):
    def break_off(step, done, total):
        if step == "searching" and 0 < done < total:
            raise error

    index = BM25(workers=3).index(source)
    with pytest.raises(error):
        index.search(query, 5, progress=break_off)
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)
    assert list(folders.iterdir()) == []


def postings_of(texts):
    counts, numbers = TermCounts.of(texts, found := {}, grow=True).in_order(found)
    return Postings(counts, counts.count / 3, len(numbers))


def test_a_process_searches_the_blocks_that_it_is_told_of(folders, monkeypatch):
    postings, places = postings_of(["ab", "b", "", "bcc"]), np.arange(4)
    block = QueryBlock(np.array([1, 2]), np.array([1.0, 0.5]), np.array([0, 1, 1, 2]))
    with SearchWorkers(postings, places, 2, count=0) as workers:
        assert not workers.take(0, block)  # nobody is there
        (folder,) = folders.iterdir()
        search_workers._write(folder / "block-7.npz", block._asdict())
        monkeypatch.setattr(sys, "stdin", io.StringIO("7\n"))
        work(str(folder))
        workers._blocks[7] = None
        found = workers.results()[7]
    expected = search_block(postings, places, 2, block)
    assert [own.tolist() for pair in found for own in pair] == [
        own.tolist() for pair in expected for own in pair
    ]
    assert [source.tolist() for source, _ in found] == [[0, 1], [], [3]]


@pytest.mark.parametrize("texts", [[], [""], ["ab", "b", "", "bcc"]])
def test_postings_are_made_again_from_their_columns(texts):
    postings = postings_of(texts)
    again = Postings.from_columns(**postings.columns())
    for term in range(len(set("".join(texts)))):
        query = np.array([term]), np.array([0.7])
        np.testing.assert_array_equal(postings.score(*query), again.score(*query))
    assert again.columns().keys() == postings.columns().keys()


@pytest.mark.parametrize("make", [BM25, TfIdf])
@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "2", None])
def test_a_number_of_processes_that_makes_no_sense_is_refused(make, workers):
    with pytest.raises(ParameterError, match="workers"):
        make(workers=workers)


@pytest.mark.parametrize("make", [BM25, TfIdf])
def test_the_number_of_processes_is_no_part_of_what_a_method_is(make):
    assert make(workers=2).parameters() == make().parameters()
    assert make(workers=2) == make()
