"""Hundreds of hostile inputs: each a right result or a clear error, fast and small.

``python benchmarks/trust.py`` reads and counts all of them; here, a share is read.
"""

import sys

import pytest

from hostile import _results_csv, _results_parquet, hostile_inputs
from locisimiles.export import read_results
from locisimiles.files.tables import read_table
from measured import measured
from trust import is_good, read_all

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is told by Linux")


def test_there_are_at_least_six_hundred():
    inputs = [hostile.name for hostile in hostile_inputs()]
    assert len(set(inputs)) == len(inputs) >= 600


def read_badly(every):
    took = list(read_all(every))
    return len(took), [(hostile.name, reader, one) for hostile, reader, one in took
                       if not is_good(one)]  # fmt: skip


def test_a_share_of_them_is_read_well():
    readings, bad = read_badly(83)
    assert readings > 10
    assert bad == []


@pytest.mark.parametrize(
    "name", ["many rows in Parquet", pytest.param("empty rows", marks=pytest.mark.slow)]
)
def test_millions_of_rows_are_read_or_refused_at_once(name, tmp_path):
    hostile = next(one for one in hostile_inputs() if one.name == name)
    path = tmp_path / hostile.file
    path.write_bytes(hostile.content())
    for read in (read_table, read_results):
        took = measured(lambda read=read: read(path), seconds=10, megabytes=1000)
        assert took.end == "error", took
        assert took.megabytes < 500, took


@pytest.mark.parametrize("write", [_results_parquet, _results_csv], ids=["Parquet", "CSV"])
def test_results_take_little_more_memory_than_their_ids(write, tmp_path):
    """A million of them must fit into a gigabyte; as objects, they took 1.7."""
    path = tmp_path / f"a.{'csv' if write is _results_csv else 'parquet'}"
    path.write_bytes(write(100_000, 5))
    took = measured(lambda: read_results(path), seconds=10, megabytes=1000)
    assert took.end == "result", took
    assert took.megabytes < 100, took


@pytest.mark.slow
def test_all_of_them_are_read_well():
    readings, bad = read_badly(1)
    assert readings > 1000
    assert bad == []
