"""Tables as text: CSV with commas or semicolons, TSV with tabs."""

from __future__ import annotations

import csv
import io
import sys
from typing import TYPE_CHECKING, Literal

from locisimiles.corpus.decoding import decode, split_lines
from locisimiles.corpus.formats.records import RecordTable, has_segment_columns
from locisimiles.corpus.report import ReadReport
from locisimiles.errors import EmptyInputError, MalformedInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.inputs import RawInput
    from locisimiles.corpus.options import ReadOptions

__all__ = ["looks_like_table", "read_csv", "read_tsv"]

_DELIMITERS = (",", ";", "\t")
_LONGEST_HEADER = 1 << 20


def read_csv(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a table whose cells are parted by commas, semicolons or tabs."""
    text, _ = decode(raw, report, encoding=options.encoding)
    return _read(raw.name, text, _find_delimiter(text), report)


def read_tsv(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a table whose cells are parted by tabs."""
    text, _ = decode(raw, report, encoding=options.encoding)
    return _read(raw.name, text, "\t", report)


def looks_like_table(text: str) -> bool:
    r"""Tell whether the first line of a text names the columns of a segment table.

    Examples
    --------
    >>> looks_like_table("id;text;author\n1;arma;Vergil"), looks_like_table("Arma, uirum")
    (True, False)
    """
    line = _first_line(text)
    return any(has_segment_columns(_cells(line, delimiter)) for delimiter in _DELIMITERS)


def _read(file: str, text: str, delimiter: str, report: ReadReport) -> Columns:
    problem: MalformedInputError | None = None
    quoted = ReadReport()
    try:
        columns = _parse(file, text, delimiter, quoted, quoting=csv.QUOTE_MINIMAL)
    except MalformedInputError as error:
        problem = error
    if delimiter == "\t" and (problem or _has_broken_cells(text, columns)):
        # Tab-separated files are often written without any quoting: a cell that merely begins
        # with a quotation mark is then no error, provided that every row keeps its shape.
        plain = ReadReport()
        try:
            columns = _parse(file, text, delimiter, plain, quoting=csv.QUOTE_NONE, strict=True)
        except MalformedInputError:
            pass
        else:
            report.include(plain)
            report.note(file, 'quotation marks (") read as part of the text')
            return columns
    if problem:
        raise problem
    report.include(quoted)
    return columns


def _has_broken_cells(text: str, columns: Columns) -> bool:
    """Tell whether some cell runs over several lines."""
    return '"' in text and any("\n" in cell for cell in columns.texts)


def _parse(
    file: str,
    text: str,
    delimiter: str,
    report: ReadReport,
    *,
    quoting: Literal[0, 3],
    strict: bool = False,
) -> Columns:
    """Parse a table; with `strict`, every row must have as many cells as the header."""
    csv.field_size_limit(sys.maxsize)
    # newline="" leaves line breaks inside quoted cells as they are, as the csv module wants.
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=True
    )
    rows = _rows(file, reader)
    header = next(rows, None)
    if header is None:
        raise EmptyInputError("the file is empty", file=file)
    names = header[1]
    table = RecordTable(file, names, report)
    width = len(names)
    for number, cells in rows:
        if (strict and len(cells) != width) or (len(cells) > width and any(cells[width:])):
            raise MalformedInputError(
                f"the row has {len(cells)} cells, the header only {width}",
                file=file,
                row=number,
                hint='put texts that contain the separator between quotation marks (")',
            )
        table.add(number, cells + [""] * (width - len(cells)))
    return table.finish()


def _rows(file: str, reader: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that have any content, numbered from 1 as a spreadsheet shows them."""
    number = 0
    while True:
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise MalformedInputError(
                f"the table is broken here ({error})",
                file=file,
                row=number,
                hint='look for a quotation mark (") that is never closed, or stands inside a cell',
            ) from error
        if any(cell.strip() for cell in cells):
            yield number, cells


def _find_delimiter(text: str) -> str:
    line = _first_line(text)
    by_role = [d for d in _DELIMITERS if has_segment_columns(_cells(line, d))]
    return by_role[0] if by_role else max(_DELIMITERS, key=line.count)


def _first_line(text: str) -> str:
    return split_lines(text.lstrip("\r\n")[:_LONGEST_HEADER])[0]


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []
