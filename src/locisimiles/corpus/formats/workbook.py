"""Spreadsheets (XLSX): the first sheet that has an id and a text column."""

from __future__ import annotations

import io
import re
import warnings
from typing import TYPE_CHECKING, Any

from locisimiles.corpus.formats.records import RecordTable, has_segment_columns
from locisimiles.corpus.inputs import check_zip, read_member
from locisimiles.errors import EmptyInputError, MalformedInputError, UnsafeInputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from zipfile import ZipFile

    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.inputs import RawInput
    from locisimiles.corpus.options import ReadOptions
    from locisimiles.corpus.report import ReadReport

__all__ = ["read_sheets", "read_xlsx"]

_MOST_ROWS = 1_048_576  # what spreadsheet programs allow
_ENCODINGS_OF_XML = ("utf-8", "utf-16-le", "utf-16-be")
_DOCTYPE = re.compile(
    b"|".join("<!doctype".encode(name) for name in _ENCODINGS_OF_XML), re.IGNORECASE
)


def read_xlsx(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:  # noqa: ARG001
    """Read a sheet whose first row names the columns.

    Numbers become text as they look (``1``, not ``1.0``); formulas give their last value.
    """
    sheets = read_sheets(raw)
    with_segments = (sheet for sheet in sheets if has_segment_columns(sheet[1][0][1]))
    chosen = next(with_segments, sheets[0])
    for title, _ in sheets:
        if title != chosen[0]:
            report.note(raw.name, f"only one sheet is read; left out: {title!r}")
    (_, names), *rows = chosen[1]
    table = RecordTable(raw.name, names, report)
    for number, cells in rows:
        padded = cells[: len(names)] + [""] * (len(names) - len(cells))
        if any(cells[len(names) :]):
            raise MalformedInputError(
                "there is a cell to the right of the last named column", file=raw.name, row=number
            )
        table.add(number, padded)
    return table.finish()


def read_sheets(raw: RawInput) -> list[tuple[str, list[tuple[int, list[str]]]]]:
    """Return the title of each sheet and its rows that are not empty, with their numbers.

    Raises
    ------
    InputError
        If the workbook is damaged, unsafe or empty.
    """
    with check_zip(raw) as archive:
        _refuse_entities(raw, archive)
    sheets = [(title, rows) for title, rows in _sheets(raw) if rows]
    if not sheets:
        raise EmptyInputError("the workbook is empty", file=raw.name)
    return sheets


def _sheets(raw: RawInput) -> Iterator[tuple[str, list[tuple[int, list[str]]]]]:
    """Yield each sheet's title and its rows that are not empty, with their numbers."""
    import openpyxl  # takes a while to import, and few inputs need it

    try:
        with warnings.catch_warnings():
            # openpyxl warns about styles and extensions, which do not concern the text.
            warnings.simplefilter("ignore")
            workbook = openpyxl.load_workbook(io.BytesIO(raw.data), read_only=True, data_only=True)
            for sheet in workbook.worksheets:
                sheet.reset_dimensions()  # files of other programs announce wrong ones
                yield sheet.title, _filled_rows(raw, sheet.values)
    except MalformedInputError:
        raise
    except Exception as error:
        raise MalformedInputError(
            f"the workbook is damaged ({type(error).__name__}: {error})",
            file=raw.name,
            hint="open it in a spreadsheet program and save it again",
        ) from error


def _filled_rows(
    raw: RawInput, values: Iterable[tuple[object, ...]]
) -> list[tuple[int, list[str]]]:
    rows = []
    for number, cells in enumerate(values, start=1):
        if number > _MOST_ROWS:
            raise MalformedInputError(
                f"the sheet has more than {_MOST_ROWS:,} rows", file=raw.name, row=number
            )
        texts = [_as_text(cell) for cell in cells]
        while texts and not texts[-1]:
            texts.pop()
        if texts:
            rows.append((number, texts))
    return rows


def _refuse_entities(raw: RawInput, archive: ZipFile) -> None:
    for member in archive.infolist():
        content = read_member(raw, archive, member)
        if _DOCTYPE.search(content):
            raise UnsafeInputError(
                f"{member.filename!r} in the workbook defines XML entities", file=raw.name
            )


def _as_text(cell: Any) -> str:  # noqa: ANN401 - cells hold numbers, dates, text, nothing
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)
