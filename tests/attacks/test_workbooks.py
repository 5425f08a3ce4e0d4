"""Spreadsheets that are bombs, or declare more than they contain."""

import io
import tracemalloc
import zipfile
from contextlib import contextmanager

import openpyxl
import pytest

from locisimiles.errors import InputError, MalformedInputError, UnsafeInputError

SHEET = "xl/worksheets/sheet1.xml"
NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
HEADER = [("A1", "id"), ("B1", "text")]


def _cells(number, cells):
    inside = "".join(f'<c r="{r}" t="inlineStr"><is><t>{v}</t></is></c>' for r, v in cells)
    return f'<row r="{number}">{inside}</row>'


def _sheet(*rows, prolog=""):
    inside = "".join(_cells(number, cells) for number, cells in rows)
    return f"{prolog}<worksheet {NAMESPACE}><sheetData>{inside}</sheetData></worksheet>"


def _workbook(sheet=None, *, extra=None, rename=None):
    """Return a workbook whose parts are replaced by hostile ones."""
    stream, target = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(stream)
    source = zipfile.ZipFile(stream)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in source.namelist():
            data = source.read(name)
            if name == SHEET and sheet is not None:
                data = sheet if isinstance(sheet, bytes) else sheet.encode()
            if rename:
                name, data = name.replace(*rename), data.replace(*map(str.encode, rename))  # noqa: PLW2901
            archive.writestr(name, data)
        for name, data in (extra or {}).items():
            archive.writestr(name, data)
    return target.getvalue()


@contextmanager
def _traced_memory():
    """Yield what tells the greatest number of bytes that were in use at a time."""
    peaks = []
    tracemalloc.start()
    try:
        yield lambda: peaks[0]
        peaks.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


ROWS = [(1, HEADER), (2, [("A2", "1"), ("B2", "&e;")])]
DOCTYPE = '<!DOCTYPE w [<!ENTITY e "Arma uirumque">]>'


def test_a_harmless_workbook_is_read(attack):
    rows = [(1, HEADER), (2, [("A2", "1"), ("B2", "arma")])]
    assert attack("a.xlsx", _workbook(_sheet(*rows))).texts == ("arma",)


@pytest.mark.parametrize("doctype", [DOCTYPE, DOCTYPE.lower().replace("entity", "ENTITY")])
def test_a_document_type_is_refused(attack, doctype):
    with pytest.raises(UnsafeInputError, match=rf"'{SHEET}' in the workbook defines XML entities"):
        attack("a.xlsx", _workbook(_sheet(*ROWS, prolog=doctype)))


@pytest.mark.parametrize("part", ["xl/other.xml", "_rels/more.rels"])
def test_a_document_type_in_any_part_is_refused(attack, part):
    with pytest.raises(UnsafeInputError, match=part):
        attack("a.xlsx", _workbook(extra={part: f"<?xml version='1.0'?>{DOCTYPE}<x/>"}))


def test_a_bomb_is_refused(attack):
    data = _workbook(extra={"xl/media/image1.png": b"\0" * 30_000_000})
    with pytest.raises(UnsafeInputError, match="would unpack to"):
        attack("a.xlsx", data)


def test_a_path_outside_the_archive_is_refused(attack):
    with pytest.raises(UnsafeInputError, match="a path that leads outside it"):
        attack("a.xlsx", _workbook(extra={"../../evil.xml": "<x/>"}))


def test_a_billion_laughs_stay_small(attack):
    laughs = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    doctype = f'<!DOCTYPE w [<!ENTITY e0 "lol">{laughs}<!ENTITY e "&e8;">]>'
    with pytest.raises(UnsafeInputError):
        attack("a.xlsx", _workbook(_sheet(*ROWS, prolog=doctype)))


@pytest.mark.parametrize(
    "sheet", ["", "<worksheet", "<html/>", b"\xff\xfe\x00", _sheet((1, [("ZZZZZZ9", "x")]))]
)
def test_an_invalid_sheet_is_an_error_of_ours(attack, sheet):
    with pytest.raises(InputError):
        attack("a.xlsx", _workbook(sheet))


def test_a_sheet_that_declares_a_wrong_size_is_read(attack):
    rows = [(1, HEADER), (2, [("A2", "1"), ("B2", "arma")])]
    sheet = _sheet(*rows).replace("<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>')
    assert attack("a.xlsx", _workbook(sheet)).texts == ("arma",)


@pytest.mark.parametrize(
    "data",
    [
        _workbook(_sheet(*ROWS, prolog=f"<!--{'x' * 5000}-->{DOCTYPE}")),
        _workbook(
            _sheet(*ROWS, prolog=f"<?xml version='1.0' encoding='UTF-16'?>{DOCTYPE}").encode(
                "utf-16"
            )
        ),
        _workbook(_sheet(*ROWS, prolog=DOCTYPE), rename=("sheet1.xml", "sheet1.dat")),
    ],
    ids=["behind a comment", "in a wide encoding", "under another suffix"],
)
def test_a_hidden_document_type_is_refused(attack, data):
    with pytest.raises(UnsafeInputError):
        attack("a.xlsx", data)


def test_a_row_beyond_the_end_of_every_sheet_is_refused(attack):
    far = 1_048_577
    with pytest.raises(InputError):
        attack(
            "a.xlsx", _workbook(_sheet((1, HEADER), (far, [(f"A{far}", "1"), (f"B{far}", "a")])))
        )


def test_a_cell_far_to_the_right_does_not_fill_the_memory(attack):
    rows = [(1, [*HEADER, ("XFD1", "x")]), (300, [("A300", "1"), ("B300", "arma")])]
    data = _workbook(_sheet(*rows))
    with _traced_memory() as peak:
        attack("a.xlsx", data)
    assert peak() < 10_000_000  # 300 rows of 16,384 empty cells are 40 MB; a whole sheet 137 GB


@pytest.mark.parametrize("part", ["name", "content"])
def test_a_damaged_part_is_an_error_of_ours(attack, part):
    data = bytearray(_workbook())
    name = zipfile.ZipFile(io.BytesIO(data)).getinfo(SHEET).header_offset + 30
    place = name if part == "name" else name + len(SHEET)
    data[place : place + 20] = b"~" * 20
    with pytest.raises(MalformedInputError):
        attack("a.xlsx", bytes(data))
