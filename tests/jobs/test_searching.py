"""Searches in several processes have the bytes of a search in one."""

import tempfile
from pathlib import Path

import pytest

from locisimiles import Index, Pipeline, load_example_query, load_example_source
from locisimiles.classify.selection import Selection
from locisimiles.errors import MalformedInputError, OutputError
from locisimiles.export import write_blocks
from locisimiles.jobs import SearchSettings, can_share, plan_job, search_in_processes
from locisimiles.jobs.comparing import Comparing
from locisimiles.jobs.searcher import JobSearcher
from locisimiles.late import IndexEncoder


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Return the folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def written(blocks, path):
    return [file.read_bytes() for file in write_blocks(blocks, path)]


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize(
    ("settings", "selection"),
    [(SearchSettings("bm25", k=3), {}), (SearchSettings("bm25"), {"budget": 11}),
     (SearchSettings("bm25", classifier=None), {}),
     (SearchSettings("bm25", classifier="ensemble", k=20, depth=30, group=True), {}),
     (SearchSettings("bm25", classifier=None, k=20, group=True), {}),
     (SearchSettings("bm25", exclude=("same-author",), depth=20), {"precision": 0.3})],
)  # fmt: skip
def test_any_number_of_processes_gives_the_same_bytes(
    sources, temporary, tmp_path, *, settings, selection, processes
):
    query, index, chosen = load_example_query(), Index.open(sources), Selection(**selection)
    found = search_in_processes(
        query, index, settings, processes=processes, selection=chosen, size=17
    )
    blocks = list(found)
    searcher = settings.pipeline(selection=chosen).prepare(index)
    here = list(searcher.blocks(query))
    for suffix in (".csv", ".jsonl", ".parquet"):
        ours = written(iter(blocks), tmp_path / f"processes{suffix}")
        assert ours == written(iter(here), tmp_path / f"here{suffix}")
    assert not list(temporary.iterdir())


def test_words_are_compared_by_the_processes_that_search(sources, tmp_path, monkeypatch):
    def here(*_):
        pytest.fail("compared in the process that writes")

    monkeypatch.setattr("locisimiles.results.columns.shared_lemmas", here)
    monkeypatch.setattr("locisimiles.results.base.parallel_rows", here)
    found = search_in_processes(
        load_example_query(),
        Index.open(sources),
        SearchSettings("bm25", group=True, depth=20),
        processes=2,
        size=20,
    )
    assert written(found, tmp_path / "hits.csv")


def test_damage_to_what_processes_found_of_words_is_noticed(sources, tmp_path):
    index, comparing = Index.open(sources), Comparing(3, group=True)
    job = plan_job(tmp_path / "job", load_example_query(), index, SearchSettings("bm25"))
    searcher = JobSearcher(job)
    searcher.run(0, comparing)
    block = searcher.block(0)
    first = block.select(block.rank <= 3)
    assert comparing.read(job, 0, first).shared == list(first.compared(group=False).shared)
    with pytest.raises(MalformedInputError, match="damaged"):
        comparing.read(job, 0, first.select(range(1, len(first))))


def test_the_default_method_gives_the_same_bytes(tmp_path):
    query = load_example_query()[:6]
    index = Index.build(tmp_path / "index", load_example_source(), IndexEncoder())
    settings = SearchSettings(depth=20)
    assert can_share(settings, index)
    found = search_in_processes(query, index, settings, processes=2, size=3)
    ours = written(found, tmp_path / "processes.csv")
    theirs = Pipeline(depth=20).prepare(index).blocks(query)
    assert ours == written(theirs, tmp_path / "here.csv")


def test_sources_that_each_process_would_encode_are_not_shared(sources):
    index = Index.open(sources)
    assert not can_share(SearchSettings(), index)
    assert can_share(SearchSettings("bm25"), index)


def test_a_search_that_is_given_up_leaves_nothing(sources, temporary):
    blocks = search_in_processes(
        load_example_query(), Index.open(sources), SearchSettings("bm25"), processes=2, size=5
    )
    assert len(next(blocks))
    assert len(list(Path(temporary).iterdir())) == 1
    blocks.close()
    assert not list(Path(temporary).iterdir())


def test_processes_that_keep_dying_end_a_search(sources, monkeypatch):
    monkeypatch.setattr("locisimiles.jobs.processes._serve", print)  # and end
    blocks = search_in_processes(
        load_example_query(), Index.open(sources), SearchSettings("bm25"), processes=2, size=5
    )
    with pytest.raises(OutputError, match="over the same part of the search"):
        next(blocks)
