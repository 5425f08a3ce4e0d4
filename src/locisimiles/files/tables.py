"""Read tables: CSV, TSV, JSON Lines and Parquet; cells are text, rows are numbered for messages."""

from __future__ import annotations

import csv
import re
import sys
from array import array
from importlib import import_module, resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import (
    EmptyInputError,
    MalformedInputError,
    MissingColumnError,
    MissingDependencyError,
    UnknownFormatError,
)
from locisimiles.files.cells import Table, TableRow, TableWriter, listed_columns
from locisimiles.files.decoding import decode, split_lines
from locisimiles.files.json_files import json_lines, json_objects, json_text
from locisimiles.files.limits import check_cells, check_rows, check_width, current_limits, limited
from locisimiles.files.parquet_rows import read_parquet
from locisimiles.files.raw import printable, read_raw
from locisimiles.installation import install_command

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import ModuleType

    from locisimiles.files.parquet_rows import ParquetTexts
    from locisimiles.files.raw import RawInput

__all__ = ["TABLE_SUFFIXES", "NumberedCells", "Table", "TableRow", "check_columns",
           "delimited_rows", "find_header", "import_pyarrow", "listed_columns", "named_rows",
           "read_table", "shipped_rows", "table_from_records",
           "table_from_rows"]  # fmt: skip

TABLE_SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")
"""The suffixes of the tables that `read_table` reads."""

NumberedCells = tuple[int, list[str]]
"""The number of a row, as spreadsheets and editors count, and its cells."""

_DELIMITERS = (",", ";", "\t")
_LONGEST_HEADER = 1 << 20
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")  # StringIO would take four bytes a letter


def read_table(path: str | os.PathLike[str]) -> Table:
    """Read a table in the format of its suffix, or raise an InputError that names file and row.

    Names of columns are in lower case, cells are stripped, and rows without content left out.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in TABLE_SUFFIXES:
        raise UnknownFormatError(
            "files.unknown_table", file=str(path), suffixes=", ".join(TABLE_SUFFIXES)
        )
    raw = read_raw(path)
    with limited(current_limits()):  # asked once: the environment is slow to ask for each row
        table = _parse(raw, suffix)
    if not table.rows:
        raise EmptyInputError("files.empty_table", file=raw.name)
    return table


def _parse(raw: RawInput, suffix: str) -> Table:
    if suffix == ".parquet":
        # Numbers agree with those of a CSV file, whose first row is the header.
        return _of_parquet(read_parquet(raw, str.strip), raw.name)
    text, _ = decode(raw)
    if suffix == ".jsonl":
        return table_from_records(json_lines(text, raw.name), raw.name, clean=str.strip)
    rows = delimited_rows(text, "\t" if suffix == ".tsv" else ",", raw.name)
    return table_from_rows(_filled(rows), raw.name, clean=str.strip)


def _of_parquet(content: ParquetTexts, file: str) -> Table:
    """Return the rows with content; those of strangers may have none."""
    names = list(map(_lower, content.names))
    check_columns(names, file)
    columns = dict(zip(names, content.columns, strict=True))
    numbers = np.arange(2, content.size + 2)
    filled = np.zeros(content.size, bool)
    for column in columns.values():
        filled |= column.lengths > 0
    if not filled.all():
        kept = np.flatnonzero(filled)
        columns = {name: column.take(kept) for name, column in columns.items()}
        numbers = numbers[kept]
    return Table(file, columns, array("q", numbers.tobytes()))


def _filled(rows: Iterator[NumberedCells]) -> Iterator[NumberedCells]:
    """Yield the first of some rows, the header, and those that have content."""
    yield next(rows, (1, []))
    for number, cells in rows:
        if any(cells) and any(map(str.strip, cells)):
            yield number, cells


def shipped_rows(package: str, name: str) -> list[dict[str, Any]]:
    """Return the rows of a tab-separated table in the data folder of a package.

    Examples
    --------
    >>> shipped_rows("locisimiles.latin", "conventions.tsv")[0].keys()
    dict_keys(['lemma', 'class', 'why'])
    """
    text = (resources.files(package) / "data" / name).read_text(encoding="utf-8")
    return [row.cells for row in table_from_rows(delimited_rows(text, "\t", name), name).rows]


def _lower(name: str) -> str:
    return name.strip().lower()


def table_from_rows(
    rows: Iterable[NumberedCells],
    file: str,
    rename: Callable[[str], str] = _lower,
    clean: Callable[[str], str] | None = None,
) -> Table:
    """Make a table from rows, the first of which is the header.

    Cells are cleaned if it is said how; rows that are empty then are left out.
    """
    rows = iter(rows)
    header, cells = next(rows, (1, []))
    names = [rename(cell) for cell in cells]
    check_columns(names, file, header)
    writer, most = TableWriter(names), current_limits().rows
    for number, padded in _padded(names, rows, file, even=False):
        _add(writer, number, names, padded, clean)
        if len(writer) > most:
            check_rows(file, len(writer))
    return writer.table(file)


def table_from_records(
    values: Iterable[tuple[int, Any]],
    file: str,
    rename: Callable[[str], str] = _lower,
    clean: Callable[[str], str] | None = None,
) -> Table:
    """Make a table from numbered JSON objects, which may have different keys; see above."""
    writer, keys = TableWriter(), dict[str, None]()
    before: list[str] = []
    names: list[str] = []
    limits = current_limits()
    for number, record in json_objects(values, file):
        if (named := list(record)) != before:  # most records have the keys of the one before
            before, names = named, [rename(name) for name in named]
            check_columns(names, file, number)
            keys |= dict.fromkeys(names)
            check_width(file, len(keys), number)
        _add(writer, number, names, list(map(json_text, record.values())), clean)
        if len(writer) > limits.rows or len(writer) * len(keys) > limits.cells:
            check_rows(file, len(writer))
            check_cells(file, len(writer) * len(keys), number)
    return writer.table(file)


def _add(
    writer: TableWriter,
    number: int,
    names: list[str],
    cells: list[str],
    clean: Callable[[str], str] | None,
) -> None:
    if clean is not None:
        cells = list(map(clean, cells))
        if not any(cells):
            return
    writer.add(number, names, cells)


def check_columns(names: Sequence[str], file: str, row: int = 1) -> None:
    """Raise an InputError if two columns have the same name, ignoring case, or are too many."""
    check_width(file, len(names), row)
    seen: set[str] = set()
    for name in map(_lower, names):
        if name and name in seen:
            raise MissingColumnError(
                "files.duplicate_column", file=file, row=row, name=printable(name)
            )
        seen.add(name)


def find_header(text: str, fits: Callable[[list[str]], bool]) -> tuple[str, list[str]]:
    r"""Return the delimiter of a CSV text and the cells of its first line.

    The delimiter is the first whose header `fits`, or else the most frequent.

    Examples
    --------
    >>> find_header("id;a,b,c\n1;2", lambda cells: "id" in cells)
    (';', ['id', 'a,b,c'])
    """
    line = split_lines(text.lstrip("\r\n")[:_LONGEST_HEADER])[0]
    headers = {delimiter: _split(line, delimiter) for delimiter in _DELIMITERS}
    fitting = [delimiter for delimiter in _DELIMITERS if fits(headers[delimiter])]
    delimiter = fitting[0] if fitting else max(_DELIMITERS, key=line.count)
    return delimiter, headers[delimiter]


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def delimited_rows(
    text: str, delimiter: str, file: str, *, quoted: bool = True
) -> Iterator[NumberedCells]:
    """Yield the rows of a CSV or TSV text that have cells.

    If cells are `quoted`, a misplaced quotation mark raises a MalformedInputError.
    """
    csv.field_size_limit(sys.maxsize)
    reader = csv.reader(
        # As the csv module wants, line breaks inside quoted cells are left as they are.
        (line[0] for line in _LINE.finditer(text)),
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        strict=True,
    )
    number = 0
    try:
        for number, cells in enumerate(reader, start=1):
            if cells:
                yield number, cells
    except csv.Error as error:
        raise MalformedInputError(
            "files.table_broken", file=file, row=number + 1, reason=str(error)
        ) from error


def named_rows(
    names: Sequence[str], rows: Iterable[NumberedCells], file: str, *, even: bool = False
) -> Iterator[TableRow]:
    """Yield the rows below a header with their cells by column; missing cells are empty.

    A cell without a column raises a MalformedInputError; with `even`, so does a missing cell.
    """
    for number, cells in _padded(names, rows, file, even=even):
        yield TableRow(number, dict(zip(names, cells, strict=True)))


def _padded(
    names: Sequence[str], rows: Iterable[NumberedCells], file: str, *, even: bool
) -> Iterator[NumberedCells]:
    width, most = len(names), current_limits().cells
    for count, (number, cells) in enumerate(rows, start=1):
        if count * width > most:
            check_cells(file, count * width, number)
        if len(cells) == width:
            yield number, cells
            continue
        if even or any(cells[width:]):
            raise MalformedInputError(
                "files.too_many_cells", file=file, row=number, cells=len(cells), columns=width
            )
        yield number, cells[:width] + [""] * (width - len(cells))


def import_pyarrow() -> tuple[ModuleType, ModuleType]:
    """Return pyarrow and its parquet module, or raise a MissingDependencyError."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingDependencyError(
            "files.needs_pyarrow", install=install_command(extra="parquet")
        ) from error
