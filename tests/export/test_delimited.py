"""CSV and TSV: guarding texts from spreadsheets."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Document, ParameterError, Pipeline, Segment, make_retriever, write_results
from locisimiles.export.delimited import guard, unguard


@given(st.text("'=+-@\t\r\na ", max_size=6))
def test_guards_can_be_removed(text):
    assert unguard(guard(text)) == text
    assert not guard(text).startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


@pytest.fixture
def hostile():
    texts = ["=cmd() arma", "+arma", "-arma", "@arma", "arma"]
    document = Document.from_segments(Segment(text, text, author=text) for text in texts)
    return Pipeline(make_retriever("bm25-surface"), k=5).run(query=document, source=document)


@pytest.mark.parametrize(("suffix", "delimiter"), [(".csv", ","), (".tsv", "\t")])
def test_a_safe_table_has_no_cell_that_is_a_formula(tmp_path, hostile, suffix, delimiter):
    path, _ = write_results(hostile, tmp_path / f"hits{suffix}", spreadsheet_safe=True)
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter=delimiter))
    assert not [cell for row in rows for cell in row.values() if cell.startswith(tuple("=+-@"))]
    assert rows[0]["query_text"] == "'=cmd() arma"
    assert {row["query_text"] for row in rows} == {
        "'=cmd() arma", "'+arma", "'-arma", "'@arma", "arma"
    }  # fmt: skip


def test_numbers_are_not_guarded(tmp_path, hostile):
    hostile.candidates.score[:] = -0.5
    path, _ = write_results(hostile, tmp_path / "hits.csv", spreadsheet_safe=True)
    with path.open(encoding="utf-8", newline="") as stream:
        assert {row["score"] for row in csv.DictReader(stream)} == {"-0.5"}


def test_only_formats_for_spreadsheets_are_made_safe(tmp_path, hostile):
    with pytest.raises(ParameterError, match=r"\.json files are not read by spreadsheet"):
        write_results(hostile, tmp_path / "hits.json", spreadsheet_safe=True)
    assert write_results(hostile, tmp_path / "hits.xlsx", spreadsheet_safe=True)
