"""Read spreadsheets (XLSX) as text."""

from __future__ import annotations

import io
import re
import warnings
from time import monotonic
from typing import TYPE_CHECKING

from locisimiles.errors import (
    EmptyInputError,
    InputError,
    MalformedInputError,
    UnsafeInputError,
)
from locisimiles.files.archives import check_zip, read_member
from locisimiles.files.limits import check_cells, check_seconds
from locisimiles.files.raw import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from zipfile import ZipFile

    from locisimiles.files.raw import RawInput
    from locisimiles.files.tables import NumberedCells

__all__ = ["read_sheets"]

_MOST_ROWS = 1_048_576  # what spreadsheet programs allow
_ENCODINGS_OF_XML = ("utf-8", "utf-16-le", "utf-16-be")
_DOCTYPE = re.compile(
    b"|".join("<!doctype".encode(name) for name in _ENCODINGS_OF_XML), re.IGNORECASE
)


def read_sheets(raw: RawInput) -> list[tuple[str, list[NumberedCells]]]:
    """Return the title and the filled rows of each sheet that is not empty.

    Numbers become text as displayed (``1``, not ``1.0``); formulas give their last value. A
    damaged, unsafe or empty workbook raises an InputError.
    """
    with check_zip(raw) as archive:
        _refuse_entities(raw, archive)
    sheets = [(title, rows) for title, rows in _sheets(raw) if rows]
    if not sheets:
        raise EmptyInputError("files.workbook_empty", file=raw.name)
    return sheets


def _sheets(raw: RawInput) -> Iterator[tuple[str, list[NumberedCells]]]:
    import openpyxl  # slow to import, and few inputs need it

    try:
        with warnings.catch_warnings():
            # openpyxl warns about styles and extensions, which do not affect the text.
            warnings.simplefilter("ignore")
            workbook = openpyxl.load_workbook(io.BytesIO(raw.data), read_only=True, data_only=True)
            for sheet in workbook.worksheets:
                sheet.reset_dimensions()  # some programs declare wrong ones
                yield sheet.title, _filled_rows(raw, sheet.values)
    except (InputError, MemoryError):
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise MalformedInputError(
            "files.workbook_damaged", file=raw.name, reason=printable(reason)
        ) from error


def _filled_rows(raw: RawInput, values: Iterable[tuple[object, ...]]) -> list[NumberedCells]:
    rows = []
    filled, begun = 0, monotonic()
    for number, cells in enumerate(values, start=1):
        if number > _MOST_ROWS:
            raise MalformedInputError(
                "files.sheet_too_long", file=raw.name, row=number, most=_MOST_ROWS
            )
        texts = [_as_text(cell) for cell in cells]
        while texts and not texts[-1]:
            texts.pop()
        if texts:
            rows.append((number, texts))
            filled += len(texts)
            check_cells(raw.name, filled, number)
        check_seconds(raw.name, begun)
    return rows


def _refuse_entities(raw: RawInput, archive: ZipFile) -> None:
    for member in archive.infolist():
        if _DOCTYPE.search(read_member(raw, archive, member)):
            raise UnsafeInputError(
                "files.workbook_entities", file=raw.name, member=printable(member.filename)
            )


def _as_text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)
