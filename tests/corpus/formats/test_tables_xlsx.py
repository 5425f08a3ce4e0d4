import datetime as dt
import io
import re
import zipfile

import openpyxl
import pytest

from locisimiles.errors import (
    EmptyInputError,
    MalformedInputError,
    MissingColumnError,
    SegmentIdError,
)


def _workbook(**sheets):
    book, stream = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(stream)
    return stream.getvalue()


def test_the_first_row_names_the_columns(read):
    rows = [["Seg_ID", "Text", "author", "note"], ["a", " arma ", "Virgil", "x"], ["b", "uirum"]]
    document = read("xlsx", _workbook(Sheet=rows))
    assert (document.ids, document.texts) == (("a", "b"), ("arma", "uirum"))
    assert document.authors == ("Virgil", "")
    assert dict(document.meta) == {"note": ("x", "")}
    assert document.report.messages() == []


@pytest.mark.parametrize(
    ("cell", "segment_id"),
    [(1, "1"), (1.0, "1"), (1.5, "1.5"), (10**15, "1000000000000000"), ("1.0", "1.0")],
)
def test_numeric_ids_become_text_as_they_look(read, cell, segment_id):
    document = read("xlsx", _workbook(Sheet=[["id", "text"], [cell, "arma"]]))
    assert document.ids == (segment_id,)


def test_dates_and_truth_values_become_text(read):
    rows = [["id", "text", "day", "sure"], ["a", "x", dt.date(2024, 3, 15), True]]
    document = read("xlsx", _workbook(Sheet=rows))
    assert document["a"].meta == {"day": "2024-03-15 00:00:00", "sure": "True"}


def test_the_sheet_with_the_right_columns_is_read_and_the_others_reported(read):
    data = _workbook(Notes=[["bla"]], Texts=[["id", "text"], ["a", "arma"]], Empty=[], More=[["x"]])
    document = read("xlsx", data)
    assert document.ids == ("a",)
    assert document.report.messages() == [
        "text.xlsx: only one sheet is read; 'Notes' left out",
        "text.xlsx: only one sheet is read; 'More' left out",
    ]


def test_the_first_of_two_sheets_with_the_right_columns_is_read(read):
    data = _workbook(A=[["id", "text"], ["a", "arma"]], B=[["id", "text"], ["b", "uirum"]])
    document = read("xlsx", data)
    assert document.ids == ("a",)
    assert document.report.messages() == ["text.xlsx: only one sheet is read; 'B' left out"]


def test_rows_are_counted_as_the_spreadsheet_counts_them(read):
    rows = [["id", "text"], [], ["a", "arma"], ["b", None], ["c", " "]]
    document = read("xlsx", _workbook(Sheet=rows))
    assert document.report.messages() == [
        "text.xlsx: 2 rows skipped, the text is empty (rows 4, 5)"
    ]


def test_a_repeated_id_is_refused_with_both_rows(read):
    rows = [["id", "text"], [1, "arma"], [], [1.0, "uirum"]]
    with pytest.raises(SegmentIdError) as caught:
        read("xlsx", _workbook(Sheet=rows))
    assert str(caught.value) == (
        "text.xlsx, row 4: the id '1' is already used in row 2; ids must be unique"
    )


def test_a_workbook_without_the_right_columns_is_refused_with_those_it_has(read):
    with pytest.raises(MissingColumnError, match=r"row 1: there is no column 'text'; .* id, n"):
        read("xlsx", _workbook(Sheet=[["id", "n"], ["a", "b"]]))


def test_an_empty_workbook_is_an_error(read):
    with pytest.raises(EmptyInputError, match=r"text\.xlsx: the workbook is empty"):
        read("xlsx", _workbook(Sheet=[]))


def test_a_workbook_of_a_header_alone_is_an_error(read):
    with pytest.raises(EmptyInputError, match="no row contains text"):
        read("xlsx", _workbook(Sheet=[["id", "text"]]))


def test_a_zip_file_that_is_not_a_workbook_is_an_error(read, write_zip):
    data = write_zip("a.xlsx", {"xl/workbook.xml": "<x/>"}).read_bytes()
    with pytest.raises(MalformedInputError) as caught:
        read("xlsx", data)
    assert str(caught.value).startswith("text.xlsx: the workbook is damaged (")
    assert str(caught.value).endswith("; open it in a spreadsheet program and save it again")


def test_a_file_that_is_not_a_zip_file_is_an_error(read):
    with pytest.raises(MalformedInputError, match=r"text\.xlsx: the zip file is damaged"):
        read("xlsx", b"PK\x03\x04 arma")


def test_formulas_give_their_last_value(read):
    data = _workbook(Sheet=[["id", "text", "sum"], ["a", "arma", "=1+1"]])
    source, target = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            # openpyxl works out no formulas; a spreadsheet program puts the value beside them.
            part = re.sub(rb"</f><v ?/>|</f><v></v>", b"</f><v>2</v>", source.read(name))
            archive.writestr(name, part)
    assert read("xlsx", target.getvalue())["a"].meta == {"sum": "2"}


def test_empty_rows_before_the_header_are_passed_over_as_in_csv(read):
    document = read("xlsx", _workbook(Sheet=[[None], ["id", "text"], ["a", "arma"]]))
    assert document.ids == ("a",)
