"""Columns in Parquet files."""

import subprocess
import sys

import numpy as np
import pytest

from locisimiles.errors import InputError, MalformedInputError, OutputError
from locisimiles.files.parquet_columns import read_columns, write_columns

COLUMNS = {
    "query": np.arange(1000, dtype=np.int32),
    "score": np.linspace(0, 1, 1000, dtype=np.float32),
    "text": np.array(["arma", "", "ü\x00'"] * 333 + ["x"], object),
}


def test_columns_are_read_as_they_were_written(tmp_path):
    write_columns(tmp_path / "a.parquet", COLUMNS, {"block": "it's", "other": ""})
    found = read_columns(tmp_path / "a.parquet")
    assert found.metadata == {"block": "it's", "other": ""}
    for name, column in COLUMNS.items():
        assert found.columns[name].dtype == column.dtype
        assert np.array_equal(found.columns[name], column)


def test_equal_columns_give_equal_bytes(tmp_path):
    for name in ("a", "it's"):
        write_columns(tmp_path / f"{name}.parquet", COLUMNS, {"block": "x"})
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "it's.parquet").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def test_columns_may_be_empty(tmp_path):
    write_columns(tmp_path / "a.parquet", {"score": np.empty(0, np.float32)}, {})
    found = read_columns(tmp_path / "a.parquet")
    assert found.columns["score"].dtype == np.float32
    assert len(found.columns["score"]) == 0


def test_what_cannot_be_read_is_named(tmp_path):
    path = tmp_path / "a.parquet"
    with pytest.raises(InputError, match=r"a\.parquet: file not found"):
        read_columns(path)
    for content in (b"", b"PAR1", b"PAR1" + bytes(100) + b"PAR1"):
        path.write_bytes(content)
        with pytest.raises(MalformedInputError, match=r"a\.parquet"):
            read_columns(path)


def test_what_cannot_be_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "none" / "a.parquet"
    with pytest.raises(OutputError, match="No such file"):
        write_columns(path, COLUMNS, {})


def test_no_progress_is_drawn_where_python_reads_no_file():
    code = """
from locisimiles.files.parquet_columns import connected
with connected() as connection:
    print(connection.execute("SELECT current_setting('enable_progress_bar')").fetchall())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "[(False,)]\n"
