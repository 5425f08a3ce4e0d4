"""Compact files have the pairs of merged jobs."""

import json

import numpy as np
import pytest

from locisimiles import Document, Index, Segment, load_example_query, read_results
from locisimiles.classify.selection import Selection
from locisimiles.errors import InputError
from locisimiles.files.parquet_columns import read_columns
from locisimiles.jobs import (
    SearchSettings,
    merged_blocks,
    merging_pipeline,
    plan_job,
    run_blocks,
    write_compact,
)
from locisimiles.results import Results


@pytest.fixture(scope="module")
def judged(sources, tmp_path_factory):
    """Return a job whose pairs were judged, with many equal probabilities."""
    query, folder = load_example_query(), tmp_path_factory.mktemp("judged") / "job"
    job = plan_job(
        folder,
        query,
        Index.open(sources),
        SearchSettings("bm25", classifier="ensemble", depth=8),
        block_size=9,
    )
    run_blocks(job)
    return job


@pytest.mark.parametrize(
    ("k", "selection"),
    [(None, {}), (3, {}), (None, {"budget": 17}), (2, {"budget": 17}), (None, {"budget": 9999}),
     (None, {"precision": 0.2}), (None, {"precision": 1.0}), (None, {"threshold": 0.05})],
)  # fmt: skip
def test_compact_files_have_the_pairs_of_merged_jobs(judged, tmp_path, k, selection):
    pipeline = merging_pipeline(judged, k=k, selection=Selection(**selection))
    path = tmp_path / "compact.parquet"
    tally = write_compact(judged, pipeline, path)
    merged = Results.join(merged_blocks(judged, pipeline))
    file = read_columns(path)
    columns = file.columns
    query, source = merged.query, merged.source
    rows = merged.candidates.query.tolist(), merged.candidates.source.tolist()
    assert columns["query_id"].tolist() == [query.ids[row] for row in rows[0]]
    assert columns["source_id"].tolist() == [source.ids[row] for row in rows[1]]
    assert columns["source_work"].tolist() == [source.works[row] or "" for row in rows[1]]
    assert columns["query_locus"].tolist() == [query.loci[row] or "" for row in rows[0]]
    assert columns["rank"].tolist() == merged.rank.tolist()
    assert np.array_equal(columns["score"], merged.candidates.score)
    assert np.array_equal(columns["probability_cf"], merged.probabilities[:, 2])
    assert json.loads(file.metadata["locisimiles.manifest"]) == json.loads(
        json.dumps(merged.manifest)
    )
    assert tally.pairs == len(merged)


def test_equal_jobs_give_equal_bytes(planned, tmp_path, monkeypatch):
    run_blocks(planned)
    written = []
    for name in ("a", "b"):
        path = tmp_path / f"{name}.parquet"
        write_compact(planned, merging_pipeline(planned), path)
        written.append(path.read_bytes())
        monkeypatch.setitem(__import__("sys").modules, "pandas", None)  # it is not ours to need
    assert written[0] == written[1]


def test_compact_files_are_read_with_or_without_texts(planned, tmp_path):
    run_blocks(planned)
    path = tmp_path / "compact.parquet"
    write_compact(planned, merging_pipeline(planned), path)
    merged = Results.join(merged_blocks(planned, merging_pipeline(planned)))
    alone = read_results(path)
    assert [one.query.id for one in alone] == [one.query.id for one in merged]
    whole = read_results(path, query=load_example_query(), source=merged.source)
    assert whole.candidates == merged.candidates
    assert whole[0].source.text


def test_an_unfinished_or_damaged_job_gives_no_file(planned, tmp_path):
    run_blocks(planned, range(8))
    path, pipeline = tmp_path / "compact.parquet", merging_pipeline(planned)
    with pytest.raises(InputError, match="1 of 9 blocks"):
        write_compact(planned, pipeline, path)
    run_blocks(planned)
    damaged = bytearray(planned.block_path(2).read_bytes())
    damaged[40] ^= 1
    planned.block_path(2).write_bytes(damaged)
    with pytest.raises(InputError, match="1 of 9 blocks"):
        write_compact(planned, pipeline, path)
    assert not path.exists()


@pytest.mark.parametrize(
    "selection", [{}, {"budget": 17}, {"precision": 0.05}, {"threshold": 0.01}]
)
def test_compact_files_have_adapted_probabilities(sources, tmp_path, selection):
    known = load_example_query()
    query = Document.from_segments([Segment(one.id, one.text, author="Nemo") for one in known])
    job = plan_job(
        tmp_path / "job",
        query,
        Index.open(sources),
        SearchSettings("bm25", classifier="ensemble", depth=8),
        block_size=9,
    )
    run_blocks(job)
    pipeline = merging_pipeline(job, selection=Selection(**selection))
    write_compact(job, pipeline, tmp_path / "compact.parquet")
    merged = Results.join(merged_blocks(job, pipeline))
    file = read_columns(tmp_path / "compact.parquet")
    assert len(merged) > 0
    assert np.array_equal(file.columns["score"], merged.candidates.score)
    assert np.array_equal(file.columns["probability_cit"], merged.probabilities[:, 1])
    manifest = json.loads(file.metadata["locisimiles.manifest"])
    assert manifest["base_rate"].keys() == {"others"}
    assert manifest == json.loads(json.dumps(merged.manifest))
