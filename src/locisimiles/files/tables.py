"""Tables in files: numbered rows, cells as text, by the names of their columns."""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from locisimiles.errors import MalformedInputError, MissingColumnError, MissingDependencyError
from locisimiles.files.decoding import split_lines
from locisimiles.files.raw import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import ModuleType

    from locisimiles.files.raw import RawInput

__all__ = ["NumberedCells", "Table", "TableRow", "check_columns", "delimited_rows", "find_header",
           "import_pyarrow", "listed_columns", "named_rows", "read_parquet"]  # fmt: skip

NumberedCells = tuple[int, list[str]]
"""A row as it stands in a file: its number, as spreadsheets and editors count, and its cells."""

_DELIMITERS = (",", ";", "\t")
_LONGEST_HEADER = 1 << 20


class TableRow(NamedTuple):
    """A row: its number, as spreadsheets and editors count, and its cells by column."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file, all cells as text."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]

    def column(self, names: Sequence[str]) -> str | None:
        """Return the first of these columns that the table has.

        Examples
        --------
        >>> Table("labels.csv", ("fold_id", "label"), ()).column(["fold", "fold_id"])
        'fold_id'
        """
        return next((name for name in names if name in self.columns), None)

    def require(self, names: Sequence[str]) -> str:
        """Return the first of these columns that the table has, or raise a MissingColumnError."""
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


def check_columns(names: Sequence[str], file: str, row: int = 1) -> None:
    """Raise a MissingColumnError if two columns have the same name, in any case."""
    seen: set[str] = set()
    for name in (name.strip().lower() for name in names):
        if name and name in seen:
            raise MissingColumnError(
                "files.duplicate_column", file=file, row=row, name=printable(name)
            )
        seen.add(name)


def listed_columns(names: Iterable[str]) -> list[str]:
    """Return the names of columns as messages list them."""
    return [printable(name) for name in names if name.strip()] or ["–"]


def find_header(text: str, fits: Callable[[list[str]], bool]) -> tuple[str, list[str]]:
    r"""Return the delimiter of a CSV text and the cells of its first line.

    The delimiter is the first that makes a fitting header, or else the most frequent.

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

    A quotation mark that is out of place is a MalformedInputError, unless cells are not `quoted`.
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

    A cell without a column is a MalformedInputError; with `even`, a missing cell is one, too.
    """
    width = len(names)
    for number, cells in rows:
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
        raise MissingDependencyError("files.needs_pyarrow") from error


def read_parquet(raw: RawInput) -> tuple[Any, list[dict[str, Any]]]:
    """Return a Parquet file as a table of pyarrow, and its rows."""
    arrow, parquet = import_pyarrow()
    try:
        table = parquet.read_table(io.BytesIO(raw.data))
        return table, table.to_pylist()
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise MalformedInputError(
            "files.parquet_damaged", file=raw.name, reason=str(error)
        ) from error
