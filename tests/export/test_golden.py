"""Files stay the same, so that programs that read them keep working."""

import openpyxl
import pyarrow.parquet
import pytest

from locisimiles import write_results
from locisimiles.export import EXPORT_SUFFIXES

BINARY = {".xlsx", ".parquet"}


@pytest.fixture(params=["hits", "read"])
def name(request):
    """Return the name of golden files: without and with judgements of readers."""
    return request.param


@pytest.fixture
def results(name, judged, read):
    return read if name == "read" else judged


@pytest.mark.parametrize("suffix", [s for s in EXPORT_SUFFIXES if s not in BINARY])
def test_a_file_is_unchanged(tmp_path, golden, name, results, suffix):
    for path in write_results(results, tmp_path / f"{name}{suffix}"):
        content = path.read_bytes()
        if suffix == ".html":
            content = golden.with_placeholders(content)
        assert content == (golden.GOLDEN / path.name).read_bytes()


def test_the_cells_of_a_workbook_are_unchanged(tmp_path, golden, name, results):
    (path,) = write_results(results, tmp_path / f"{name}.xlsx")
    old, new = (
        openpyxl.load_workbook(one, rich_text=True) for one in (golden.GOLDEN / path.name, path)
    )
    assert new.sheetnames == old.sheetnames
    for one, other in zip(old, new, strict=True):
        assert list(other.values) == list(one.values)


def test_a_parquet_table_is_unchanged(tmp_path, golden, name, results):
    (path,) = write_results(results, tmp_path / f"{name}.parquet")
    old = pyarrow.parquet.read_table(golden.GOLDEN / path.name)
    new = pyarrow.parquet.read_table(path)
    assert new.equals(old, check_metadata=True)


def test_there_is_a_golden_file_of_every_format_and_no_other(tmp_path, golden):
    golden.write_golden(tmp_path)
    there = {path.name for path in golden.GOLDEN.iterdir()}
    assert {path.name for path in tmp_path.iterdir()} == there
