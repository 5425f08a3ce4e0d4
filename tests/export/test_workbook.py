"""XLSX, read with openpyxl."""

import json

import numpy as np
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.cell.rich_text import TextBlock

from locisimiles import Candidates, Document, OutputError, Results, Segment, write_results
from locisimiles.export import workbook
from locisimiles.export.reading import read_results
from locisimiles.export.sheets import escape_cell, unescape_cell


def pair(query_text, source_text, **manifest):
    place = np.zeros(1, np.int32)
    return Results(
        Document.from_segments([Segment("q", query_text)]),
        Document.from_segments([Segment("s", source_text)]),
        Candidates(place, place, np.ones(1, np.float32)),
        manifest,
    )


def coloured(cell):
    return {
        block.text: block.font.color.rgb for block in cell.value if isinstance(block, TextBlock)
    }


@pytest.fixture
def sheet(tmp_path, judged):
    (path,) = write_results(judged, tmp_path / "hits.xlsx")
    return openpyxl.load_workbook(path, rich_text=True)["references"]


def test_the_header_is_frozen_and_has_filters(sheet):
    assert sheet.freeze_panes == "C2"
    assert sheet.auto_filter.ref == f"A1:{sheet.cell(1, sheet.max_column).coordinate[:-1]}4"
    assert sheet["A1"].font.bold


def test_aligned_words_have_the_same_colour(sheet):
    names = [cell.value for cell in sheet[1]]
    query = coloured(sheet[2][names.index("query_text")])
    source = coloured(sheet[2][names.index("source_text")])
    assert set(query) == {"haesit", "uox", "faucibus"}
    assert query == source
    assert len(set(query.values())) == 3


def test_numbers_are_numbers_and_texts_are_texts(sheet):
    names = [cell.value for cell in sheet[1]]
    row = dict(zip(names, sheet[2], strict=True))
    assert row["rank"].data_type == row["score"].data_type == "n"
    assert (row["rank"].value, row["probability_cit"].value) == (1, 0.875)
    assert sheet[4][1].value == "=fabula"
    assert sheet[4][1].data_type == "s"


def test_the_manifest_has_a_sheet(tmp_path):
    long = "a" * 10_000
    (path,) = write_results(pair("arma", "arma", k=3, note=long), tmp_path / "hits.xlsx")
    rows = list(openpyxl.load_workbook(path)["manifest"].values)
    assert ("k", "3") in rows
    whole = "".join(value for name, value in rows if name == workbook.WHOLE_MANIFEST)
    assert json.loads(whole) == {"k": 3, "note": long}


@pytest.mark.parametrize("letter", ["a", "🏛", "\x00", "_x0041_"])
def test_a_text_too_long_for_a_cell_is_continued_on_another_sheet(tmp_path, letter):
    text = letter * 40_000
    (path,) = write_results(pair(text, "arma"), tmp_path / "hits.xlsx")
    book = openpyxl.load_workbook(path)
    for sheet in book:
        for row in sheet.values:
            assert all(len(str(cell).encode("utf-16-le")) // 2 <= 32_767 for cell in row)
    assert f"({len(text):,} characters; all of them are on the sheet 'long texts')" in str(
        [cell for cell in list(book["references"].values)[1] if "sheet" in str(cell)]
    )
    assert read_results(path).query["q"].text == text


def test_a_text_that_just_fits_stays_in_its_cell(tmp_path):
    text = "a" * 32_767
    (path,) = write_results(pair(text, "arma"), tmp_path / "hits.xlsx")
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["references", "manifest"]
    assert text in list(book["references"].values)[1]


@given(
    st.text(st.characters(codec="utf-16-le") | st.sampled_from("_x0041F\x00\r\ufffe"), max_size=30)
)
def test_escapes_are_undone_when_read(text):
    assert unescape_cell(escape_cell(text)) == text


def test_more_rows_than_a_sheet_has_are_refused(tmp_path, monkeypatch, judged):
    monkeypatch.setattr(workbook, "_MOST_ROWS", 3)
    with pytest.raises(OutputError, match=r"a sheet cannot have 3 rows; use \.csv or \.parquet"):
        write_results(judged, tmp_path / "hits.xlsx")
    assert list(tmp_path.iterdir()) == []
