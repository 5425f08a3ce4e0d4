"""Read tables of pairs, of ours or of others, whatever kind of file they are in."""

from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.corpus.decoding import decode
from locisimiles.corpus.inputs import FileToRead, RawInput
from locisimiles.corpus.report import ReadReport
from locisimiles.errors import (
    InputError,
    MalformedInputError,
    MissingColumnError,
    UnknownFormatError,
)
from locisimiles.export.delimited import unguard
from locisimiles.export.files import manifest_beside

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["READABLE_SUFFIXES", "PairTable", "read_pair_table"]

_KEYS = ("query_id", "source_id")
_DELIMITERS = (",", ";", "\t")
# What the app of the published package calls them.
_OTHER_NAMES = {"query_segment_id": "query_id", "source_segment_id": "source_id"}


@dataclass(frozen=True, slots=True)
class PairTable:
    """A table with a row for each pair, all cells as text.

    Attributes
    ----------
    file
        Its name, for messages.
    names
        Its columns.
    rows
        The number of each row as its program shows it, and its cells by name.
    manifest
        What came with it.
    """

    file: str
    names: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]
    manifest: dict[str, object] = field(default_factory=dict)

    def first_of(self, *names: str) -> str | None:
        """Return the first of these columns that the table has."""
        return next((name for name in names if name in self.names), None)


def read_pair_table(path: str | os.PathLike[str], *, guarded: bool = False) -> PairTable:
    """Read a table that has the columns ``query_id`` and ``source_id``.

    Parameters
    ----------
    path
        A ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.xlsx`` or ``.parquet`` file.
    guarded
        Remove the apostrophes that `write_results` put there with ``spreadsheet_safe``.

    Raises
    ------
    InputError
        If it cannot be read, or lacks these columns.
    """
    path = Path(path)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise UnknownFormatError(
            "we do not read results from such files",
            file=str(path),
            hint=f"use one of {', '.join(READABLE_SUFFIXES)}",
        )
    try:
        there = path.exists()
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=str(path)) from error
    if not there:
        raise InputError("there is no such file", file=str(path))
    raw = next(iter(FileToRead(path).open(ReadReport(), format="xlsx")))
    table = reader(raw)
    for name in _KEYS:
        if name not in table.names:
            raise MissingColumnError(
                f"there is no column {name!r}; the columns are {', '.join(table.names) or 'none'}",
                file=raw.name,
            )
    if guarded:
        rows = tuple((n, {name: unguard(c) for name, c in r.items()}) for n, r in table.rows)
        table = PairTable(table.file, table.names, rows, table.manifest)
    return table


def _read_delimited(raw: RawInput) -> PairTable:
    text, _ = decode(raw, ReadReport())
    header = text[: text.find("\n")] if "\n" in text else text
    by_keys = [d for d in _DELIMITERS if set(_KEYS) <= set(_cells(header, d))]
    delimiter = by_keys[0] if by_keys else max(_DELIMITERS, key=header.count)
    csv.field_size_limit(sys.maxsize)
    # newline="" leaves line breaks inside quoted cells as they are, as the csv module wants.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(number, cells) for number, cells in enumerate(reader, start=1) if cells]
    except csv.Error as error:
        raise MalformedInputError(
            f"the table is broken ({error})",
            file=raw.name,
            hint='look for a quotation mark (") that is never closed, or stands inside a cell',
        ) from error
    return _table(raw.name, rows, _manifest_of(Path(raw.name)))


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return [_name(cell) for cell in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def _name(text: str) -> str:
    name = text.strip().lower()
    return _OTHER_NAMES.get(name, name)


def _table(
    file: str, rows: Sequence[tuple[int, list[str]]], manifest: dict[str, object]
) -> PairTable:
    if not rows:
        return PairTable(file, (), ())
    names = tuple(_name(cell) for cell in rows[0][1])
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice:
        raise MissingColumnError(f"two columns are called {twice!r}", file=file, row=rows[0][0])
    named = []
    for number, cells in rows[1:]:
        if len(cells) > len(names) and any(cells[len(names) :]):
            raise MalformedInputError(
                f"the row has {len(cells)} cells, the header only {len(names)}",
                file=file,
                row=number,
            )
        padded = [*cells, *[""] * (len(names) - len(cells))]
        named.append((number, dict(zip(names, padded, strict=False))))
    return PairTable(file, names, tuple(named), manifest)


def _manifest_of(path: Path) -> dict[str, object]:
    beside = manifest_beside(path)
    try:
        text = beside.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    return _object(str(beside), text)


def _object(file: str, text: str) -> dict[str, object]:
    content = _parse(file, text)
    if not isinstance(content, dict):
        raise MalformedInputError("the manifest is no JSON object", file=file)
    return content


def _parse(file: str, text: str, row: int | None = None) -> Any:  # noqa: ANN401 - whatever it is
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedInputError(f"this is no JSON ({error})", file=file, row=row) from error


def _read_jsonl(raw: RawInput) -> PairTable:
    text, _ = decode(raw, ReadReport())
    lines = enumerate(text.split("\n"), start=1)
    records = [(row, _parse(raw.name, line, row)) for row, line in lines if line.strip()]
    return _from_records(raw.name, records, _manifest_of(Path(raw.name)))


def _read_json(raw: RawInput) -> PairTable:
    text, _ = decode(raw, ReadReport())
    content = _parse(raw.name, text)
    manifest: object = {}
    if isinstance(content, dict) and isinstance(content.get("references"), list):
        manifest = content.get("manifest", {})
        content = content["references"]
    elif isinstance(content, dict) and all(isinstance(v, list) for v in content.values()):
        content = _by_query(content)
    if not isinstance(content, list) or not isinstance(manifest, dict):
        raise MalformedInputError("these are no results", file=raw.name)
    return _from_records(raw.name, enumerate(content, start=1), manifest)


def _by_query(content: dict[str, list[Any]]) -> list[Any]:
    """Make rows of what the published package writes: lists of matches under ids of queries."""
    return [
        {"query_id": query, **match} if isinstance(match, dict) else match
        for query, matches in content.items()
        for match in matches or [{"source_id": ""}]
    ]


def _from_records(
    file: str, records: Iterable[tuple[int, Any]], manifest: dict[str, object]
) -> PairTable:
    rows = []
    for row, record in records:
        if not isinstance(record, dict):
            raise MalformedInputError("this is no JSON object", file=file, row=row)
        rows.append((row, {_name(name): _as_text(value) for name, value in record.items()}))
    names = tuple(dict.fromkeys(name for _, record in rows for name in record))
    if not rows:
        names = _KEYS  # nothing was found
    filled = tuple((row, {name: record.get(name, "") for name in names}) for row, record in rows)
    return PairTable(file, names, filled, manifest)


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _read_workbook(raw: RawInput) -> PairTable:
    from locisimiles.corpus.formats.workbook import read_sheets
    from locisimiles.export.workbook import (
        LONG_TEXTS_SHEET,
        MANIFEST_SHEET,
        WHOLE_MANIFEST,
        unescape_cell,
    )

    sheets = {
        title: [(number, [unescape_cell(cell) for cell in cells]) for number, cells in rows]
        for title, rows in read_sheets(raw)
    }
    pairs = next(
        (rows for rows in sheets.values() if set(_KEYS) <= set(map(_name, rows[0][1]))), []
    )
    whole = "".join(
        row[1]
        for _, row in sheets.get(MANIFEST_SHEET, [])
        if row[0] == WHOLE_MANIFEST and len(row) > 1
    )
    table = _table(raw.name, pairs, _object(raw.name, whole) if whole else {})
    texts: dict[tuple[str, str], str] = {}
    for _, cells in sheets.get(LONG_TEXTS_SHEET, [])[1:]:
        row, name, _, text = [*cells, "", "", "", ""][:4]
        texts[row, name] = texts.get((row, name), "") + text
    for number, record in table.rows:
        record.update({n: texts[str(number), n] for n in record if (str(number), n) in texts})
    return table


def _read_parquet(raw: RawInput) -> PairTable:
    from locisimiles.export.parquet import MANIFEST_KEY, import_pyarrow

    arrow, parquet = import_pyarrow()
    try:
        table = parquet.read_table(arrow.BufferReader(raw.data))
        records = table.to_pylist()
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise MalformedInputError(f"the file is damaged ({error})", file=raw.name) from error
    whole = (table.schema.metadata or {}).get(MANIFEST_KEY, b"{}").decode("utf-8", "replace")
    read = _from_records(raw.name, enumerate(records, start=1), _object(raw.name, whole))
    names = tuple(map(_name, table.column_names))  # also those of a table without rows
    return PairTable(read.file, names, read.rows, read.manifest)


_READERS: dict[str, Callable[[RawInput], PairTable]] = {
    ".csv": _read_delimited,
    ".tsv": _read_delimited,
    ".json": _read_json,
    ".jsonl": _read_jsonl,
    ".xlsx": _read_workbook,
    ".parquet": _read_parquet,
}

READABLE_SUFFIXES = tuple(_READERS)
"""The suffixes from which results and judgements are read."""
