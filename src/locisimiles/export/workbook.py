"""XLSX: texts with their answering words in colour, filters, and the manifest on a second sheet."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from locisimiles.errors import OutputError
from locisimiles.export.columns import EXPLAINED_COLUMN, aligned_rows, column_names
from locisimiles.export.highlights import marks_in_query, marks_in_source, pieces

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    from locisimiles.export.columns import Cell
    from locisimiles.export.highlights import Mark
    from locisimiles.results import Results

__all__ = [
    "LONG_TEXTS_SHEET",
    "MANIFEST_SHEET",
    "REFERENCES_SHEET",
    "WHOLE_MANIFEST",
    "escape_cell",
    "unescape_cell",
    "write_xlsx",
]

REFERENCES_SHEET, MANIFEST_SHEET, LONG_TEXTS_SHEET = "references", "manifest", "long texts"
WHOLE_MANIFEST = "all of it, as JSON"
_MOST_ROWS = 1_048_576
_LONGEST_CELL = 32_767
# Escapes make seven characters of one, and letters beyond the first plane count twice.
_PIECE = 4_000
_COLOURS = ("B00020", "0B57D0", "146C2E", "7B1FA2", "9A5B00", "00677D", "AD1457", "4A4A4A")
_WIDTHS = {
    "query_text": 60,
    "source_text": 60,
    "shared": 24,
    "query_id": 24,
    "source_id": 24,
    "explanation": 60,
}
_USUAL_WIDTH = 14
_ILLEGAL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_MODIFIED = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")
_NO_TIME = (1980, 1, 1, 0, 0, 0)


def escape_cell(text: str) -> str:
    r"""Write characters that a sheet cannot hold as spreadsheet programs do.

    Examples
    --------
    >>> escape_cell("arma\x00\r"), escape_cell("_x0041_")
    ('arma_x0000__x000D_', '_x005F_x0041_')
    """
    return _ILLEGAL.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


def unescape_cell(text: str) -> str:
    r"""Read what `escape_cell` wrote.

    Examples
    --------
    >>> unescape_cell(escape_cell("arma\x00\r _x0041_ _x"))
    'arma\x00\r _x0041_ _x'
    """
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def write_xlsx(results: Results, stream: BinaryIO) -> None:
    """Write a workbook with the sheets ``references`` and ``manifest``.

    Texts that are too long for a cell are continued on the sheet ``long texts``.

    Raises
    ------
    OutputError
        If there are more rows than a sheet can have.
    """
    import openpyxl
    from openpyxl.writer.excel import ExcelWriter

    if len(results) >= _MOST_ROWS:
        raise OutputError(
            f"a sheet cannot have {len(results):,} rows", hint="use .csv or .parquet, or a lower k"
        )
    workbook = openpyxl.Workbook(write_only=True)
    sheet = workbook.create_sheet(REFERENCES_SHEET)
    _write_manifest(workbook.create_sheet(MANIFEST_SHEET), results.manifest)
    _Sheet(sheet, column_names(results), workbook).write(results)
    with _Archive(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        ExcelWriter(workbook, archive).write_data()


def _write_manifest(sheet: Any, manifest: Mapping[str, object]) -> None:  # noqa: ANN401
    sheet.column_dimensions["B"].width = 80
    for name, value in manifest.items():
        sheet.append(
            [_plain(sheet, name), _plain(sheet, json.dumps(value, ensure_ascii=False)[:_PIECE])]
        )
    # Values above are for people; programs read the whole, however long it is.
    whole = json.dumps(dict(manifest), ensure_ascii=False)
    for start in range(0, len(whole), _PIECE):
        sheet.append([_plain(sheet, WHOLE_MANIFEST), _plain(sheet, whole[start : start + _PIECE])])


def _plain(sheet: Any, text: str) -> Any:  # noqa: ANN401 - a cell
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, escape_cell(text))
    cell.data_type = "s"  # never a formula, whatever it begins with
    return cell


class _Sheet:
    """The sheet of references, written row by row."""

    def __init__(self, sheet: Any, names: tuple[str, ...], workbook: Any) -> None:  # noqa: ANN401
        from openpyxl.cell.text import InlineFont
        from openpyxl.styles import Alignment, Color, Font
        from openpyxl.utils import get_column_letter

        self._sheet, self._names, self._workbook = sheet, names, workbook
        self._fonts = [InlineFont(b=True, color=Color(f"FF{colour}")) for colour in _COLOURS]
        self._bold, self._wrapped = Font(bold=True), Alignment(wrap_text=True, vertical="top")
        self._long_texts: Any = None
        sheet.freeze_panes = "C2"
        for position, name in enumerate(names, start=1):
            width = _WIDTHS.get(name, _USUAL_WIDTH)
            sheet.column_dimensions[get_column_letter(position)].width = width
        self._last_column = get_column_letter(len(names))

    def write(self, results: Results) -> None:
        header = [_plain(self._sheet, name) for name in self._names]
        for cell in header:
            cell.font = self._bold
        self._sheet.append(header)
        for number, (row, alignment) in enumerate(aligned_rows(results), start=2):
            marks = {
                "query_text": marks_in_query(alignment),
                "source_text": marks_in_source(alignment),
            }
            cells = (self._cell(number, name, row[name], marks.get(name)) for name in self._names)
            self._sheet.append(list(cells))
        self._sheet.auto_filter.ref = f"A1:{self._last_column}{len(results) + 1}"

    def _cell(self, row: int, name: str, value: Cell, marks: list[Mark] | None) -> Any:  # noqa: ANN401
        from openpyxl.cell import WriteOnlyCell

        if not isinstance(value, str):
            return value
        if len(value) > _PIECE and _length(escape_cell(value)) > _LONGEST_CELL:
            return self._long_text(row, name, value)
        cell = _plain(self._sheet, value)
        # Readers do not agree on escapes in coloured texts, so what looks like one has no colours.
        if marks and not _ESCAPED.search(value):
            cell = WriteOnlyCell(self._sheet, self._rich(value, marks))
            cell.data_type = "s"
        if marks is not None or name == EXPLAINED_COLUMN:
            cell.alignment = self._wrapped
        return cell

    def _rich(self, text: str, marks: Iterable[Mark]) -> Any:  # noqa: ANN401
        from openpyxl.cell.rich_text import CellRichText, TextBlock

        return CellRichText(
            [
                escape_cell(piece)
                if number is None
                else TextBlock(self._fonts[number % len(self._fonts)], escape_cell(piece))
                for piece, number in pieces(text, marks)
            ]
        )

    def _long_text(self, row: int, name: str, text: str) -> Any:  # noqa: ANN401
        if self._long_texts is None:
            self._long_texts = self._workbook.create_sheet(LONG_TEXTS_SHEET)
            self._long_texts.append(["row", "column", "part", "text"])
        for part, start in enumerate(range(0, len(text), _PIECE), start=1):
            piece = _plain(self._long_texts, text[start : start + _PIECE])
            self._long_texts.append([row, _plain(self._long_texts, name), part, piece])
        note = f" … ({len(text):,} characters; all of them are on the sheet '{LONG_TEXTS_SHEET}')"
        return _plain(self._sheet, text[:_PIECE] + note)


def _length(text: str) -> int:
    """Return the length as spreadsheet programs count it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class _Archive(zipfile.ZipFile):
    """A zip file without times, so that the same results give the same bytes."""

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
