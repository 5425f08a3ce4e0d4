"""Results as data frames: the same cells as in our files."""

import json
import sys
from io import BytesIO

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from locisimiles import (
    BM25,
    Pipeline,
    load_example_query,
    load_example_source,
    read_results,
    write_results,
)
from locisimiles.errors import MissingDependencyError, ParameterError
from locisimiles.export.explained import explain_results
from locisimiles.results.columns import NUMBER_COLUMNS, column_names, result_rows


@pytest.fixture(scope="module")
def results():
    return explain_results(Pipeline(k=4).run(load_example_query(), load_example_source()))


@pytest.fixture(scope="module")
def plain():
    return Pipeline(BM25(), k=4).run(load_example_query(), load_example_source())


def same(rows, expected):
    """Compare rows; frames have numbers that our files round."""
    assert [list(row) for row in rows] == [list(row) for row in expected]
    for row, other in zip(rows, expected, strict=True):
        for name, cell in row.items():
            close = pytest.approx(other[name], abs=2e-4) if name in NUMBER_COLUMNS else other[name]
            assert cell == close, name
    return True


@pytest.mark.parametrize("kind", ["results", "plain"])
def test_frames_have_the_rows_of_our_files(kind, request):
    found = request.getfixturevalue(kind)
    rows = list(result_rows(found))
    assert same(found.to_pandas().to_dict("records"), rows)
    assert same(found.to_polars().to_dicts(), rows)
    assert same(found.to_arrow().to_pylist(), rows)


def test_frames_have_the_columns_of_our_files_in_order(results):
    names = list(column_names(results))
    assert list(results.to_pandas()) == results.to_polars().columns == names
    assert results.to_arrow().column_names == names


def test_numbers_are_numbers_and_texts_texts(results):
    for name, kind in results.to_polars().schema.items():
        expected = pl.Int32 if name == "rank" else pl.Float64
        assert kind == (expected if name in NUMBER_COLUMNS else pl.String), name


def test_chosen_columns_come_in_the_given_order(results):
    names = ["source_author", "probability"]
    assert list(results.to_pandas(names)) == names
    assert results.to_arrow(names).column_names == names


def test_chosen_columns_need_no_comparison_of_words(results, monkeypatch):
    monkeypatch.setattr("locisimiles.results.frames.result_rows", lambda _: pytest.fail("rows"))
    assert len(results.to_pandas(["query_id", "source_text", "rank", "score"])) == len(results)


def test_an_unknown_column_is_an_error(results):
    with pytest.raises(ParameterError, match="unknown column 'author'; choose one of query_id"):
        results.to_pandas(["author"])


def test_the_manifest_comes_along(results):
    assert results.to_pandas().attrs["manifest"] == results.manifest
    assert json.loads(results.to_arrow().schema.metadata[b"locisimiles.manifest"]) == json.loads(
        json.dumps(dict(results.manifest))
    )


def test_an_arrow_table_written_as_parquet_is_read_as_results(results, tmp_path):
    pq.write_table(results.to_arrow(), tmp_path / "hits.parquet")
    again = read_results(tmp_path / "hits.parquet")
    assert [(one.query.id, one.source.id) for one in again] == [
        (one.query.id, one.source.id) for one in results
    ]
    write_results(results, tmp_path / "ours.parquet")
    assert again.manifest == read_results(tmp_path / "ours.parquet").manifest


def test_libraries_take_results_as_an_arrow_stream(results):
    assert pa.table(results).equals(results.to_arrow())
    assert pl.DataFrame(results).equals(results.to_polars())
    stream = BytesIO()
    pq.write_table(pa.RecordBatchReader.from_stream(results).read_all(), stream)
    assert pq.read_table(BytesIO(stream.getvalue())).num_rows == len(results)


def test_columns_of_others_come_along(results, tmp_path):
    write_results(results, tmp_path / "hits.csv")
    frame = pd.read_csv(tmp_path / "hits.csv", keep_default_na=False, dtype=str)
    frame["note"] = [f"note {row}" for row in range(len(frame))]
    frame.to_csv(tmp_path / "noted.csv", index=False)
    assert read_results(tmp_path / "noted.csv").to_pandas()["note"].tolist() == list(frame["note"])


def test_no_pairs_are_a_frame_without_rows(results):
    none = results[:0]
    assert none.to_pandas().shape == (0, len(column_names(results)))
    assert none.to_polars().schema == results.to_polars().schema
    assert none.to_arrow().schema.equals(results.to_arrow().schema)


@pytest.mark.parametrize(
    ("library", "method"),
    [("pandas", "to_pandas"), ("polars", "to_polars"), ("pyarrow", "to_arrow")],
)
def test_a_missing_library_is_named_with_the_command(results, monkeypatch, library, method):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(
        MissingDependencyError, match=f"{library} is not installed; install it with: .*{library}"
    ):
        getattr(results, method)()


def test_ranks_of_chosen_results_are_those_of_the_search(results):
    part = results[2:9]
    assert np.array_equal(part.to_pandas()["rank"], results.to_pandas()["rank"][2:9])
