"""Spreadsheets (XLSX): the first sheet that has an id and a text column."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any

from locisimiles.corpus.formats.records import RecordTable, has_segment_columns
from locisimiles.corpus.inputs import check_zip
from locisimiles.errors import EmptyInputError, MalformedInputError, UnsafeInputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zipfile import ZipFile

    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.inputs import RawInput
    from locisimiles.corpus.options import ReadOptions
    from locisimiles.corpus.report import ReadReport

__all__ = ["read_xlsx"]

_PROLOG = 4096


def read_xlsx(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:  # noqa: ARG001
    """Read a sheet whose first row names the columns.

    Numbers become text as they look (``1``, not ``1.0``); formulas give their last value.
    """
    with check_zip(raw) as archive:
        _refuse_entities(raw, archive)
    sheets = list(_sheets(raw))
    chosen = next((rows for _, rows in sheets if rows and has_segment_columns(rows[0])), None)
    if chosen is None:
        chosen = next((rows for _, rows in sheets if rows), None)
    if chosen is None:
        raise EmptyInputError("the workbook is empty", file=raw.name)
    for title, rows in sheets:
        if rows and rows is not chosen:
            report.note(raw.name, f"only one sheet is read; left out: {title!r}")
    table = RecordTable(raw.name, chosen[0], report)
    for number, cells in enumerate(chosen[1:], start=2):
        if any(cells):
            table.add(number, cells)
    return table.finish()


def _sheets(raw: RawInput) -> Iterator[tuple[str, list[list[str]]]]:
    import openpyxl  # takes a while to import, and few inputs need it

    try:
        with warnings.catch_warnings():
            # openpyxl warns about styles and extensions, which do not concern the text.
            warnings.simplefilter("ignore")
            workbook = openpyxl.load_workbook(io.BytesIO(raw.data), read_only=True, data_only=True)
            for sheet in workbook.worksheets:
                sheet.reset_dimensions()  # files of other programs announce wrong ones
                rows = [[_as_text(cell) for cell in row] for row in sheet.values]
                width = max((len(row) for row in rows), default=0)
                yield sheet.title, [row + [""] * (width - len(row)) for row in rows]
    except Exception as error:
        raise MalformedInputError(
            f"the workbook is damaged ({type(error).__name__}: {error})",
            file=raw.name,
            hint="open it in a spreadsheet program and save it again",
        ) from error


def _refuse_entities(raw: RawInput, archive: ZipFile) -> None:
    for name in archive.namelist():
        if name.endswith((".xml", ".rels")):
            with archive.open(name) as part:
                if b"<!DOCTYPE" in part.read(_PROLOG).upper():
                    raise UnsafeInputError(
                        f"{name!r} in the workbook defines XML entities", file=raw.name
                    )


def _as_text(cell: Any) -> str:  # noqa: ANN401 - cells hold numbers, dates, text, nothing
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)
