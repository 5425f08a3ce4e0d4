"""Merged jobs have the bytes of a search in one process."""

import random

import pytest

from locisimiles import Index, Pipeline, load_example_query, load_example_source, write_results
from locisimiles.classify.selection import Selection
from locisimiles.errors import InputError, ParameterError
from locisimiles.export import write_blocks
from locisimiles.jobs import SearchSettings, merged_blocks, merging_pipeline, plan_job, run_blocks
from locisimiles.late import IndexEncoder


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Return a job of the default method, done in a random order by two processes."""
    folder = tmp_path_factory.mktemp("judged")
    index = Index.build(folder / "index", load_example_source(), IndexEncoder())
    job = plan_job(
        folder / "job", load_example_query()[:12], index, SearchSettings(depth=30), block_size=5
    )
    run_blocks(job, random.Random(2).sample(range(3), 3), processes=2)
    return job


def merged(job, path, **choice):
    return write_blocks(merged_blocks(job, merging_pipeline(job, **choice)), path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".html"])
def test_a_job_gives_the_bytes_of_a_search(planned, sources, tmp_path, suffix):
    run_blocks(planned)
    query, index = load_example_query(), Index.open(sources)
    found = Pipeline("bm25").run(query=query, source=index)
    ours = merged(planned, tmp_path / f"job{suffix}")
    theirs = write_results(found, tmp_path / f"search{suffix}")
    assert [path.read_bytes() for path in ours] == [path.read_bytes() for path in theirs]


@pytest.mark.parametrize(
    ("k", "selection"),
    [(None, {}), (4, {}), (None, {"budget": 17}), (3, {"budget": 17}), (None, {"precision": 0.4}),
     (None, {"threshold": 0.05})],
)  # fmt: skip
def test_candidates_are_selected_after_the_search(judged, tmp_path, k, selection):
    chosen = Selection(**selection)
    pipeline = Pipeline(k=k, depth=30, selection=chosen)
    found = pipeline.run(query=load_example_query()[:12], source=Index.open(judged.index_folder))
    assert len(found)
    ours = merged(judged, tmp_path / "job.csv", k=k, selection=chosen)
    theirs = write_results(found, tmp_path / "search.csv")
    assert [path.read_bytes() for path in ours] == [path.read_bytes() for path in theirs]


def test_more_candidates_than_there_are_cannot_be_had(planned, judged):
    with pytest.raises(ParameterError, match="k"):
        merging_pipeline(planned, k=11)
    assert merging_pipeline(judged, k=30).k == 30
    with pytest.raises(ParameterError, match="classifier"):
        merging_pipeline(planned, selection=Selection(budget=3))


def test_an_unfinished_job_says_what_is_missing(planned):
    run_blocks(planned, range(7))
    with pytest.raises(InputError, match=r"2 of 9 blocks of the job .* are missing; do them with"):
        merged_blocks(planned, merging_pipeline(planned))


def test_damage_is_noticed(planned):
    run_blocks(planned)
    path = planned.block_path(4)
    path.write_bytes(planned.block_path(3).read_bytes())
    with pytest.raises(InputError, match=f"{path.name}: the file is damaged"):
        list(merged_blocks(planned, merging_pipeline(planned)))
