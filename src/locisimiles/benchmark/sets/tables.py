"""Read tables of references and segments: CSV, TSV, JSON Lines, Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.errors import EmptyInputError, MissingDependencyError, UnknownFormatError
from locisimiles.files.decoding import decode
from locisimiles.files.json_files import json_lines, json_objects
from locisimiles.files.raw import read_raw
from locisimiles.files.tables import (
    Table,
    TableRow,
    check_columns,
    delimited_rows,
    named_rows,
    read_parquet,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from locisimiles.files.raw import RawInput

__all__ = ["TABLE_SUFFIXES", "read_table"]

TABLE_SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")
"""The suffixes of tables that can be read."""


def read_table(path: str | os.PathLike[str]) -> Table:
    """Read a table in the format that its suffix names.

    Columns are called by their names in lower case. Rows without content are left out. If the
    table cannot be read, an InputError names file and row.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in TABLE_SUFFIXES:
        raise UnknownFormatError(
            "files.unknown_table", file=str(path), suffixes=", ".join(TABLE_SUFFIXES)
        )
    raw = read_raw(path)
    rows = _records(raw, suffix) if suffix in (".jsonl", ".parquet") else _delimited(raw, suffix)
    filled = tuple(row for row in rows if any(row.cells.values()))
    if not filled:
        raise EmptyInputError("files.empty_table", file=raw.name)
    return Table(
        raw.name, tuple(dict.fromkeys(name for row in filled for name in row.cells)), filled
    )


def _delimited(raw: RawInput, suffix: str) -> Iterator[TableRow]:
    numbered = delimited_rows(decode(raw)[0], "\t" if suffix == ".tsv" else ",", raw.name)
    header, cells = next(numbered, (1, []))
    check_columns(cells, raw.name, header)
    names = [cell.strip().lower() for cell in cells]
    stripped = ((number, [cell.strip() for cell in cells]) for number, cells in numbered)
    return named_rows(names, stripped, raw.name)


def _records(raw: RawInput, suffix: str) -> Iterator[TableRow]:
    records: Iterable[tuple[int, dict[str, object]]]
    if suffix == ".jsonl":
        records = json_objects(json_lines(decode(raw)[0], raw.name), raw.name)
    else:
        try:
            # Numbers agree with those of a CSV file, whose first row is the header.
            records = enumerate(read_parquet(raw)[1], start=2)
        except MissingDependencyError as error:
            raise UnknownFormatError("files.needs_pyarrow", file=raw.name) from error
    for number, record in records:
        check_columns(list(record), raw.name, number)
        yield TableRow(
            number,
            {
                name.strip().lower(): "" if value is None else str(value).strip()
                for name, value in record.items()
            },
        )
