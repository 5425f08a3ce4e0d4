"""Parquet as other programs write it."""

from datetime import UTC, date, datetime, time
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from locisimiles.errors import MalformedInputError, UnsafeInputError
from locisimiles.export import read_results
from locisimiles.files import parquet_rows
from locisimiles.files.limits import VARIABLE, Limits, limited
from locisimiles.files.parquet_rows import read_parquet
from locisimiles.files.raw import read_raw
from locisimiles.files.tables import read_table
from locisimiles.files.text_columns import TextColumnWriter

KINDS = {
    "a date": ([date(29, 9, 2)], "0029-09-02"),
    "a time": ([time(12, 30)], "12:30:00"),
    "a moment": ([datetime(2026, 1, 2, 3, 4, 5)], "2026-01-02 03:04:05"),  # noqa: DTZ001
    "a moment somewhere": (
        pa.array([datetime(2026, 1, 2, tzinfo=UTC)], pa.timestamp("ns", "UTC")),
        "2026-01-02 00:00:00+00",
    ),
    "a decimal": ([Decimal("1.50")], "1.50"),
    "bytes of text": (["carō".encode()], "carō"),
    "other bytes": ([b"\xff\x00a"], "\\xff\x00a"),
    "a list": ([["a", "b"]], '["a","b"]'),
    "a structure": ([{"when": date(29, 9, 2)}], '{"when":"0029-09-02"}'),
    "a map": (pa.array([[("cit", 0.5)]], pa.map_(pa.string(), pa.float64())), '{"cit":0.5}'),
    "nothing": (pa.array([None], pa.null()), ""),
    "a truth": ([True], "true"),
    "a number": ([2.5], "2.5"),
    "a small number": (pa.array([0.5], pa.float32()), "0.5"),
    "a code": (pa.array(["x"]).dictionary_encode(), "x"),
}


def parquet(path, **columns):
    pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize(("values", "text"), KINDS.values(), ids=KINDS)
def test_values_become_text(tmp_path, values, text):
    path = parquet(tmp_path / "a.parquet", id=["1"], x=values)
    assert read_table(path).rows[0].cells["x"] == text


def test_results_with_a_date_are_read(tmp_path):
    path = parquet(
        tmp_path / "a.parquet", query_id=["a"], source_id=["b"], score=[Decimal("0.5")],
        read=[date(2026, 1, 2)],
    )  # fmt: skip
    assert read_results(path)[0].score == 0.5


def test_rows_names_and_metadata(tmp_path):
    table = pa.table({"Id": [1, 2], 'te"xt': ["a", None]}).replace_schema_metadata({"k": "v"})
    pq.write_table(table, tmp_path / "a[1]*.parquet")
    content = read_parquet(read_raw(tmp_path / "a[1]*.parquet"))
    assert content.names == ("Id", 'te"xt')
    assert content.size == 2
    assert content.columns == (("1", "2"), ("a", ""))
    assert content.metadata["k"] == "v"


@pytest.mark.parametrize("data", [b"", b"PAR1", b"rubbish", b"PAR1" + b"\xff" * 40 + b"PAR1"])
def test_a_damaged_file_is_an_error_without_our_folders(tmp_path, data):
    (tmp_path / "a.parquet").write_bytes(data)
    with pytest.raises(MalformedInputError, match="not a readable Parquet file") as caught:
        read_table(tmp_path / "a.parquet")
    assert "read.parquet" not in str(caught.value)


@pytest.mark.parametrize("limits", [Limits(unpacked=10), Limits(cells=3), Limits(columns=1)])
def test_what_it_would_take_is_counted_before(tmp_path, limits):
    path = parquet(tmp_path / "a.parquet", id=["1", "2"], text=["arma", "uirum"])
    with limited(limits), pytest.raises(UnsafeInputError, match=VARIABLE):
        read_table(path)


@pytest.mark.parametrize("letters", [1, 40, 10_000])
def test_rows_of_any_length_come_back_in_their_order(tmp_path, monkeypatch, letters):
    """Long texts are fetched few at a time; short ones beside them lose nothing."""
    monkeypatch.setattr(parquet_rows, "_LETTERS_AT_ONCE", letters)
    monkeypatch.setattr(parquet_rows, "_AT_ONCE", 12)
    texts = ["arma"] * 30 + ["ū" * 900, "", "uirum" * 50] + ["cano"] * 7
    ids = [str(row) for row in range(len(texts))]
    path = parquet(tmp_path / "a.parquet", id=ids, text=texts, size=list(map(len, texts)))
    content = read_parquet(read_raw(path))
    assert content.columns == (tuple(ids), tuple(texts), tuple(str(len(one)) for one in texts))


def test_few_letters_are_objects_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_rows, "_LETTERS_AT_ONCE", 100)
    sizes, extend = [], TextColumnWriter.extend

    def noted(writer, texts):
        sizes.append(sum(map(len, texts)))
        extend(writer, texts)

    monkeypatch.setattr(TextColumnWriter, "extend", noted)
    texts = ["a"] * 3000 + ["b" * 90] * 50 + ["c"] * 300
    read_parquet(read_raw(parquet(tmp_path / "a.parquet", text=texts)))
    assert sum(sizes) == sum(map(len, texts))
    assert max(sizes) <= 100 + 90


@pytest.mark.parametrize(
    ("texts", "fits"),
    [(["a" * 3000] * 800, True), (["a" * 3000] * 900, False),
     (["a" * 30] * 120_000, True), (["a" * 30] * 140_000, False)],
)  # fmt: skip
def test_long_texts_take_more_than_their_letters(tmp_path, texts, fits):
    """DuckDB has a page of them and a vector of 2,048 besides the column that we make."""
    path = parquet(tmp_path / "a.parquet", text=texts)
    with limited(Limits(unpacked=10**7)):
        if fits:
            assert read_parquet(read_raw(path)).columns == (tuple(texts),)
        else:
            with pytest.raises(UnsafeInputError, match="unpacked="):
                read_parquet(read_raw(path))
