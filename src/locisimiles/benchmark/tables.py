"""Read the rows of a table: CSV, TSV, JSON Lines, Parquet."""

from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.corpus.decoding import decode, split_lines
from locisimiles.corpus.inputs import RawInput
from locisimiles.corpus.report import ReadReport
from locisimiles.errors import (
    EmptyInputError,
    InputError,
    MalformedInputError,
    MissingColumnError,
    UnknownFormatError,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["TABLE_SUFFIXES", "Table", "TableRow", "read_table"]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: its number, as spreadsheets and editors count, and its cells by column."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file, all cells as text.

    Attributes
    ----------
    file
        Name of the file, for messages.
    columns
        The names of the columns, in lower case.
    rows
        The rows that hold anything.
    """

    file: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]

    def column(self, names: Sequence[str]) -> str | None:
        """Return the first of these names that a column has.

        Examples
        --------
        >>> Table("labels.csv", ("fold_id", "label"), ()).column(["fold", "fold_id"])
        'fold_id'
        """
        return next((name for name in names if name in self.columns), None)

    def require(self, names: Sequence[str]) -> str:
        """Return the first of these names that a column has.

        Raises
        ------
        MissingColumnError
            If none has.
        """
        found = self.column(names)
        if found is None:
            raise MissingColumnError(
                f"there is no column {names[0]!r}; the columns are {', '.join(self.columns)}",
                file=self.file,
                row=1,
                hint=f"name it {' or '.join(repr(name) for name in names)}",
            )
        return found


def read_table(path: str | os.PathLike[str]) -> Table:
    """Read a table in the format that its suffix names.

    Raises
    ------
    InputError
        If it cannot be read; the message names file and row.
    """
    path = Path(path)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise UnknownFormatError(
            "we cannot tell what kind of table this is",
            file=str(path),
            hint=f"its name must end in one of {', '.join(TABLE_SUFFIXES)}",
        )
    try:
        raw = RawInput(str(path), path.read_bytes())
    except FileNotFoundError as error:
        raise InputError("there is no such file", file=str(path)) from error
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=str(path)) from error
    rows = tuple(row for row in reader(raw) if any(row.cells.values()))
    if not rows:
        raise EmptyInputError("there is no row in this table", file=str(path))
    return Table(str(path), tuple(dict.fromkeys(name for row in rows for name in row.cells)), rows)


def _read_csv(raw: RawInput) -> Iterator[TableRow]:
    return _delimited(raw, ",")


def _read_tsv(raw: RawInput) -> Iterator[TableRow]:
    return _delimited(raw, "\t")


def _delimited(raw: RawInput, delimiter: str) -> Iterator[TableRow]:
    csv.field_size_limit(sys.maxsize)
    text, _ = decode(raw, ReadReport())
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: list[str] | None = None
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
                file=raw.name,
                row=number,
                hint='look for a quotation mark (") that is never closed, or stands inside a cell',
            ) from error
        if names is None:
            names = _names(raw.name, cells)
        elif len(cells) > len(names):
            raise MalformedInputError(
                f"the row has {len(cells)} cells, the header only {len(names)}",
                file=raw.name,
                row=number,
                hint='put texts that contain the separator between quotation marks (")',
            )
        else:
            cells += [""] * (len(names) - len(cells))
            stripped = (cell.strip() for cell in cells)
            yield TableRow(number, dict(zip(names, stripped, strict=True)))


def _read_jsonl(raw: RawInput) -> Iterator[TableRow]:
    text, _ = decode(raw, ReadReport())
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise MalformedInputError(
                f"this line is no JSON ({error})", file=raw.name, row=number
            ) from error
        if not isinstance(record, dict):
            raise MalformedInputError("this line is no JSON object", file=raw.name, row=number)
        yield _record(raw.name, number, record.items())


def _read_parquet(raw: RawInput) -> Iterator[TableRow]:
    try:
        from pyarrow import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
            ArrowException,
            parquet,
        )
    except ImportError as error:
        raise UnknownFormatError(
            "Parquet files can only be read with pyarrow",
            file=raw.name,
            hint="pip install pyarrow, or give the table as CSV or JSON Lines",
        ) from error
    try:
        records = parquet.read_table(io.BytesIO(raw.data)).to_pylist()
    except (ArrowException, OSError) as error:
        raise MalformedInputError(f"this is no Parquet file ({error})", file=raw.name) from error
    # Row 1 is the header of every other table; here it has none, but numbers should agree.
    for number, record in enumerate(records, start=2):
        yield _record(raw.name, number, record.items())


def _record(file: str, number: int, items: Iterable[tuple[object, object]]) -> TableRow:
    pairs = list(items)
    names = _names(file, [str(name) for name, _ in pairs], row=number)
    cells = ("" if value is None else str(value).strip() for _, value in pairs)
    return TableRow(number, dict(zip(names, cells, strict=True)))


def _names(file: str, cells: Sequence[str], *, row: int = 1) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise MissingColumnError(
            f"two columns are called {twice!r}", file=file, row=row, hint="rename one of them"
        )
    return names


_READERS: dict[str, Callable[[RawInput], Iterator[TableRow]]] = {
    ".csv": _read_csv,
    ".tsv": _read_tsv,
    ".jsonl": _read_jsonl,
    ".parquet": _read_parquet,
}

TABLE_SUFFIXES = tuple(_READERS)
"""The suffixes of tables that can be read."""
