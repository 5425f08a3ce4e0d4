"""Parquet, read with pyarrow."""

import json
import sys
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet
import pytest

from locisimiles import MissingDependencyError, write_results
from locisimiles.export import check_output, parquet, write_blocks
from locisimiles.export.reading import read_results
from locisimiles.results.columns import result_rows


def test_a_table_has_every_column_as_it_was(tmp_path, judged):
    (path,) = write_results(judged, tmp_path / "hits.parquet")
    table = pa.parquet.read_table(path)
    assert table.to_pylist() == list(result_rows(judged))
    assert table.schema.field("rank").type == pa.int32()
    assert table.schema.field("score").type == pa.float64()
    assert table.schema.field("source_text").type == pa.string()


def test_the_manifest_is_in_the_schema(tmp_path, judged):
    (path,) = write_results(judged, tmp_path / "hits.parquet")
    metadata = pa.parquet.read_schema(path).metadata
    assert json.loads(metadata[b"locisimiles.manifest"]) == judged.manifest


def test_many_rows_come_in_groups(tmp_path, monkeypatch, found):
    monkeypatch.setattr(parquet, "_ROWS_PER_GROUP", 50)
    (path,) = write_results(found, tmp_path / "hits.parquet")
    assert pa.parquet.ParquetFile(path).num_row_groups == 3
    assert pa.parquet.read_table(path).to_pylist() == list(result_rows(found))


def test_blocks_have_the_bytes_of_the_whole(tmp_path, monkeypatch, found):
    monkeypatch.setattr(parquet, "_ROWS_PER_GROUP", 50)
    (whole,) = write_results(found, tmp_path / "whole.parquet")
    query = found.candidates.query
    for size in (1, 7, 1000):
        blocks = [
            replace(found, candidates=found.candidates.select(query // size == number))
            for number in range(int(query[-1]) // size + 1)
        ]
        (path,) = write_blocks(blocks, tmp_path / f"{size}.parquet")
        assert path.read_bytes() == whole.read_bytes()
    assert pa.parquet.ParquetFile(whole).num_row_groups == 3


def test_missing_pyarrow_is_reported_before_the_search(tmp_path, monkeypatch, judged):
    (path,) = write_results(judged, tmp_path / "hits.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'pyarrow"):
        check_output(tmp_path / "new.parquet")
    assert len(read_results(path)) == len(judged)  # to read, it is not needed
