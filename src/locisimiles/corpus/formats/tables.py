"""Tables of segments: CSV, TSV, JSON Lines and spreadsheets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from locisimiles.corpus.formats.decoded import read_text
from locisimiles.corpus.formats.records import has_segment_columns, segments_from_rows
from locisimiles.corpus.report import ReadReport
from locisimiles.errors import EmptyInputError, MalformedInputError
from locisimiles.files.json_files import json_lines, json_objects, json_text, parse_json
from locisimiles.files.raw import printable
from locisimiles.files.tables import TableRow, delimited_rows, find_header, named_rows
from locisimiles.files.workbook import read_sheets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.options import ReadOptions
    from locisimiles.files.raw import RawInput

__all__ = ["looks_like_table", "read_csv", "read_jsonl", "read_tsv", "read_xlsx"]

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def looks_like_table(text: str) -> bool:
    r"""Return whether the first line of a text names the columns of a table of segments.

    Examples
    --------
    >>> looks_like_table("id;text;author\n1;arma;Vergil"), looks_like_table("Arma, uirum")
    (True, False)
    """
    return has_segment_columns(find_header(text, has_segment_columns)[1])


def read_csv(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a table separated by commas, semicolons or tabs."""
    text = read_text(raw, report, encoding=options.encoding)
    return _read_delimited(raw.name, text, find_header(text, has_segment_columns)[0], report)


def read_tsv(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a table separated by tabs."""
    text = read_text(raw, report, encoding=options.encoding)
    return _read_delimited(raw.name, text, "\t", report)


def _read_delimited(file: str, text: str, delimiter: str, report: ReadReport) -> Columns:
    problem: MalformedInputError | None = None
    quoted = ReadReport()
    try:
        columns = _parse_delimited(file, text, delimiter, quoted)
    except MalformedInputError as error:
        problem = error
    has_broken_cells = not problem and '"' in text and any("\n" in cell for cell in columns.texts)
    if delimiter == "\t" and (problem or has_broken_cells):
        # Tab-separated files are often written without quoting: a cell that begins with a
        # quotation mark is then valid, provided that every row has the same number of cells.
        plain = ReadReport()
        try:
            columns = _parse_delimited(file, text, delimiter, plain, quoted=False)
        except MalformedInputError:
            pass
        else:
            report.include(plain)
            report.note(file, "corpus.quotation_marks_kept")
            return columns
    if problem:
        raise problem
    report.include(quoted)
    return columns


def _parse_delimited(
    file: str, text: str, delimiter: str, report: ReadReport, *, quoted: bool = True
) -> Columns:
    numbered = delimited_rows(text, delimiter, file, quoted=quoted)
    filled = ((row, cells) for row, cells in numbered if any(cell.strip() for cell in cells))
    _, names = next(filled, (0, None))
    if names is None:
        raise EmptyInputError("corpus.empty_file", file=file)
    return segments_from_rows(names, named_rows(names, filled, file, even=not quoted), file, report)


def read_jsonl(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read one JSON object per line, or an array of objects.

    Objects may have different keys; values other than strings are kept as JSON.
    """
    text = read_text(raw, report, encoding=options.encoding)
    is_array = text.lstrip().startswith("[")
    values: Iterable[tuple[int, Any]] = (
        enumerate(parse_json(text, raw.name), start=1) if is_array else json_lines(text, raw.name)
    )
    records = list(json_objects(values, raw.name))
    if not records:
        raise EmptyInputError("corpus.empty_file", file=raw.name)
    names = list(dict.fromkeys(name for _, record in records for name in record))
    return segments_from_rows(names, _as_rows(records, raw.name), raw.name, report)


def _as_rows(records: Iterable[tuple[int, dict[str, Any]]], file: str) -> Iterator[TableRow]:
    for row, record in records:
        cells = {name: json_text(value) for name, value in record.items()}
        if any(_HALF_CHARACTER.search(text) for text in (*cells, *cells.values())):
            raise MalformedInputError("corpus.half_character", file=file, row=row)
        yield TableRow(row, cells)


def read_xlsx(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:  # noqa: ARG001
    """Read the first sheet that has an id and a text column."""
    sheets = read_sheets(raw)
    with_segments = (sheet for sheet in sheets if has_segment_columns(sheet[1][0][1]))
    chosen, ((_, names), *rows) = next(with_segments, sheets[0])
    for title, _ in sheets:
        if title != chosen:
            report.note(raw.name, "corpus.sheet_left_out", title=printable(title))
    return segments_from_rows(names, named_rows(names, rows, raw.name), raw.name, report)
