"""Read tables: CSV, TSV, JSON Lines and Parquet; cells are text, rows are numbered for messages."""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import dataclass
from importlib import import_module, resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from locisimiles.errors import (
    EmptyInputError,
    MalformedInputError,
    MissingColumnError,
    MissingDependencyError,
    UnknownFormatError,
)
from locisimiles.files.decoding import decode, split_lines
from locisimiles.files.json_files import json_lines, json_objects, json_text
from locisimiles.files.limits import check_cells, check_rows, check_width, current_limits
from locisimiles.files.parquet_rows import read_parquet
from locisimiles.files.raw import printable, read_raw
from locisimiles.installation import install_command

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import ModuleType

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


class TableRow(NamedTuple):
    """The number of a row, as spreadsheets and editors count, and its cells by column."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file, all cells as text."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]

    def column(self, names: Sequence[str]) -> str | None:
        """Return the first of these names that is a column of the table.

        Examples
        --------
        >>> Table("labels.csv", ("fold_id", "label"), ()).column(["fold", "fold_id"])
        'fold_id'
        """
        return next((name for name in names if name in self.columns), None)

    def require(self, names: Sequence[str]) -> str:
        """Return the first of these names that is a column, or raise a MissingColumnError."""
        column = self.column(names)
        if column is None:
            raise MissingColumnError(
                "files.no_column",
                file=self.file,
                row=1,
                name=names[0],
                columns=listed_columns(self.columns),
                names=list(names),
            )
        return column


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
    if suffix == ".parquet":
        # Numbers agree with those of a CSV file, whose first row is the header.
        table = table_from_records(enumerate(read_parquet(raw).rows(), start=2), raw.name)
    elif suffix == ".jsonl":
        table = table_from_records(json_lines(decode(raw)[0], raw.name), raw.name)
    else:
        delimiter = "\t" if suffix == ".tsv" else ","
        rows = delimited_rows(decode(raw)[0], delimiter, raw.name)
        table = table_from_rows(_filled(rows), raw.name)
    stripped = (
        TableRow(number, {name: cell.strip() for name, cell in cells.items()})
        for number, cells in table.rows
    )
    filled = tuple(row for row in stripped if any(row.cells.values()))
    if not filled:
        raise EmptyInputError("files.empty_table", file=raw.name)
    return Table(raw.name, table.columns, filled)


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
    rows: Iterable[NumberedCells], file: str, rename: Callable[[str], str] = _lower
) -> Table:
    """Make a table from rows, the first of which is the header."""
    rows = iter(rows)
    header, cells = next(rows, (1, []))
    names = [rename(cell) for cell in cells]
    check_columns(names, file, header)
    named = _counted(named_rows(names, rows, file), file)
    return Table(file, tuple(dict.fromkeys(names)), tuple(named))


def table_from_records(
    values: Iterable[tuple[int, Any]], file: str, rename: Callable[[str], str] = _lower
) -> Table:
    """Make a table from numbered JSON objects, which may have different keys."""
    rows: list[TableRow] = []
    keys: dict[str, None] = {}
    before: list[str] = []
    names: list[str] = []
    limits = current_limits()
    for number, record in json_objects(values, file):
        if (named := list(record)) != before:  # most records have the keys of the one before
            before, names = named, [rename(name) for name in named]
            check_columns(names, file, number)
            keys |= dict.fromkeys(names)
            check_width(file, len(keys), number)
        cells = map(json_text, record.values())
        rows.append(TableRow(number, dict(zip(names, cells, strict=True))))
        if len(rows) > limits.rows or len(rows) * len(keys) > limits.cells:
            check_rows(file, len(rows))
            check_cells(file, len(rows) * len(keys), number)
    columns = tuple(keys)
    empty = dict.fromkeys(columns, "")
    for place, (number, record) in enumerate(rows):
        if len(record) < len(columns):
            rows[place] = TableRow(number, empty | record)
    return Table(file, columns, tuple(rows))


def _counted(rows: Iterable[TableRow], file: str) -> Iterator[TableRow]:
    most = current_limits().rows
    for count, row in enumerate(rows, start=1):
        if count > most:
            check_rows(file, count)
        yield row


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


def listed_columns(names: Iterable[str]) -> list[str]:
    """Return names of columns for a message."""
    return [printable(name) for name in names if name.strip()] or ["–"]


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
        # newline="" leaves line breaks inside quoted cells as they are, as the csv module wants.
        io.StringIO(text, newline=""),
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
    width, most = len(names), current_limits().cells
    for count, (number, cells) in enumerate(rows, start=1):
        if count * width > most:
            check_cells(file, count * width, number)
        if (even and len(cells) != width) or any(cells[width:]):
            raise MalformedInputError(
                "files.too_many_cells", file=file, row=number, cells=len(cells), columns=width
            )
        padded = cells[:width] + [""] * (width - len(cells))
        yield TableRow(number, dict(zip(names, padded, strict=True)))


def import_pyarrow() -> tuple[ModuleType, ModuleType]:
    """Return pyarrow and its parquet module, or raise a MissingDependencyError."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingDependencyError(
            "files.needs_pyarrow", install=install_command(extra="parquet")
        ) from error
