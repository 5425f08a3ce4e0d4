"""XLSX: aligned words in colour, filters, and the manifest on a second sheet."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Alignment, Color, Font
from openpyxl.utils import get_column_letter
from openpyxl.writer.excel import ExcelWriter

from locisimiles.errors import OutputError
from locisimiles.export.json_files import compact_json
from locisimiles.export.sheets import (
    LONG_TEXTS_SHEET,
    MANIFEST_SHEET,
    REFERENCES_SHEET,
    WHOLE_MANIFEST,
    escape_cell,
    unescape_cell,
)
from locisimiles.results.columns import EXPLAINED_COLUMN, aligned_rows, column_names
from locisimiles.results.highlights import marks_of, pieces

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from locisimiles.results import Results
    from locisimiles.results.columns import Cell
    from locisimiles.results.highlights import Mark

__all__ = ["write_plain_xlsx", "write_xlsx"]

_MOST_ROWS = 1_048_576
_LONGEST_CELL = 32_767
# An escape has seven characters, and characters beyond the first plane count twice.
_PIECE = 4_000
_COLOURS = ("B00020", "0B57D0", "146C2E", "7B1FA2", "9A5B00", "00677D", "AD1457", "4A4A4A")
_FONTS = [InlineFont(b=True, color=Color(f"FF{colour}")) for colour in _COLOURS]
_BOLD, _WRAPPED = Font(bold=True), Alignment(wrap_text=True, vertical="top")
_WIDTHS = {
    **dict.fromkeys(("query_text", "source_text", EXPLAINED_COLUMN), 60),
    "note": 40,
    **dict.fromkeys(("query_id", "source_id", "shared"), 24),
}
_USUAL_WIDTH = 14
_MODIFIED = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")
_NO_TIME = (1980, 1, 1, 0, 0, 0)


def write_xlsx(results: Results, stream: BinaryIO) -> None:
    """Write a workbook with the sheets ``references`` and ``manifest``.

    Texts too long for a cell continue on the sheet ``long texts``.
    """
    if len(results) >= _MOST_ROWS:
        raise OutputError("export.too_many_rows", rows=len(results))
    workbook = Workbook(write_only=True)
    references = _References(workbook, column_names(results))
    _write_manifest(workbook.create_sheet(MANIFEST_SHEET), results.manifest)
    references.write(results)
    _save(workbook, stream)


def write_plain_xlsx(names: Sequence[str], rows: Sequence[Sequence[str]], stream: BinaryIO) -> None:
    """Write a workbook with one sheet of texts; those too long for a cell continue on another."""
    if len(rows) >= _MOST_ROWS:
        raise OutputError("export.too_many_rows", rows=len(rows))
    workbook = Workbook(write_only=True)
    _References(workbook, tuple(names)).write_plain(rows)
    _save(workbook, stream)


def _save(workbook: Any, stream: BinaryIO) -> None:  # noqa: ANN401
    with _Archive(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        ExcelWriter(workbook, archive).write_data()


def _write_manifest(sheet: Any, manifest: Mapping[str, object]) -> None:  # noqa: ANN401
    sheet.column_dimensions["B"].width = 80
    # Single values are for people; programs read the JSON.
    rows = [(name, compact_json(value)[:_PIECE]) for name, value in manifest.items()]
    rows += [(WHOLE_MANIFEST, piece) for piece in _cut(compact_json(dict(manifest)))]
    for row in rows:
        sheet.append([_cell(sheet, text) for text in row])


def _cut(text: str) -> list[str]:
    return [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]


def _cell(sheet: Any, text: str, marks: Iterable[Mark] = ()) -> Any:  # noqa: ANN401
    content: Any = escape_cell(text)
    # Programs disagree on escapes in coloured texts, so texts with escapes stay plain.
    if marks and unescape_cell(text) == text:
        blocks = (
            escape_cell(piece)
            if number is None
            else TextBlock(_FONTS[number % len(_FONTS)], escape_cell(piece))
            for piece, number in pieces(text, marks)
        )
        content = CellRichText(*blocks)
    cell = WriteOnlyCell(sheet, content)
    cell.data_type = "s"  # never a formula
    return cell


class _References:
    """The sheet of references, written row by row."""

    def __init__(self, workbook: Any, names: tuple[str, ...]) -> None:  # noqa: ANN401
        self._workbook, self._names = workbook, names
        self._sheet = workbook.create_sheet(REFERENCES_SHEET)
        self._long_texts: Any = None
        self._sheet.freeze_panes = "C2"
        for position, name in enumerate(names, start=1):
            width = _WIDTHS.get(name, _USUAL_WIDTH)
            self._sheet.column_dimensions[get_column_letter(position)].width = width

    def write(self, results: Results) -> None:
        self._write_header()
        for number, (row, alignment) in enumerate(aligned_rows(results), start=2):
            marks = dict(zip(("query_text", "source_text"), marks_of(alignment), strict=True))
            cells = (self._value(number, name, row[name], marks.get(name)) for name in self._names)
            self._sheet.append(list(cells))
        self._filter(len(results))

    def write_plain(self, rows: Sequence[Sequence[str]]) -> None:
        self._write_header()
        for number, row in enumerate(rows, start=2):
            cells = zip(self._names, row, strict=True)
            self._sheet.append([self._value(number, name, text, None) for name, text in cells])
        self._filter(len(rows))

    def _write_header(self) -> None:
        header = [_cell(self._sheet, name) for name in self._names]
        for cell in header:
            cell.font = _BOLD
        self._sheet.append(header)

    def _filter(self, rows: int) -> None:
        last_column = get_column_letter(len(self._names))
        self._sheet.auto_filter.ref = f"A1:{last_column}{rows + 1}"

    def _value(self, row: int, name: str, value: Cell, marks: list[Mark] | None) -> Any:  # noqa: ANN401
        if not isinstance(value, str):
            return value
        if len(value) > _PIECE and _length(escape_cell(value)) > _LONGEST_CELL:
            return self._long_text(row, name, value)
        cell = _cell(self._sheet, value, marks or ())
        if marks is not None or name in (EXPLAINED_COLUMN, "note"):
            cell.alignment = _WRAPPED
        return cell

    def _long_text(self, row: int, name: str, text: str) -> Any:  # noqa: ANN401
        if self._long_texts is None:
            self._long_texts = self._workbook.create_sheet(LONG_TEXTS_SHEET)
            self._long_texts.append(["row", "column", "part", "text"])
        sheet = self._long_texts
        for part, piece in enumerate(_cut(text), start=1):
            sheet.append([row, _cell(sheet, name), part, _cell(sheet, piece)])
        note = f" … ({len(text):,} characters; all of them are on the sheet '{LONG_TEXTS_SHEET}')"
        return _cell(self._sheet, text[:_PIECE] + note)


def _length(text: str) -> int:
    """Return the length in UTF-16 units, as spreadsheet programs count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class _Archive(zipfile.ZipFile):
    """A zip file without timestamps, so that equal results give equal bytes."""

    def writestr(self, name: str | zipfile.ZipInfo, data: str | bytes, *_: Any) -> None:  # type: ignore[override] # noqa: ANN401
        data = data.encode() if isinstance(data, str) else data
        if str(name) == "docProps/core.xml":
            data = _MODIFIED.sub(rb"\g<1>1980-01-01T00:00:00Z", data)
        super().writestr(self._undated(str(name)), data)

    def write(self, file: str | os.PathLike[str], name: Any = None, *_: Any) -> None:  # noqa: ANN401
        with Path(file).open("rb") as source, self.open(self._undated(name), "w") as target:
            shutil.copyfileobj(source, target)

    @staticmethod
    def _undated(name: str) -> zipfile.ZipInfo:
        undated = zipfile.ZipInfo(name, _NO_TIME)
        undated.compress_type = zipfile.ZIP_DEFLATED
        return undated
