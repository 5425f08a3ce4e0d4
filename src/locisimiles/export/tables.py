"""Read tables of pairs, ours or others', in any tabular format."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.errors import MalformedInputError, UnknownFormatError
from locisimiles.export.delimited import unguard
from locisimiles.export.sheets import (
    LONG_TEXTS_SHEET,
    MANIFEST_SHEET,
    WHOLE_MANIFEST,
    unescape_cell,
)
from locisimiles.files.decoding import decode
from locisimiles.files.json_files import json_lines, parse_json
from locisimiles.files.parquet_rows import read_parquet
from locisimiles.files.raw import read_raw
from locisimiles.files.tables import (
    NumberedCells,
    Table,
    check_columns,
    delimited_rows,
    find_header,
    table_from_records,
    table_from_rows,
)
from locisimiles.files.text_columns import TextColumn
from locisimiles.files.workbook import read_sheets
from locisimiles.files.writing import manifest_beside
from locisimiles.results.columns import MANIFEST_KEY

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from locisimiles.files.raw import RawInput

__all__ = ["READABLE_SUFFIXES", "REPEAT", "TABLE_CHANGED", "TABLE_SHA256", "PairTable",
           "read_pair_table"]  # fmt: skip

TABLE_SHA256 = "table_sha256"
"""What the manifest beside a table calls the SHA-256 of the table."""
REPEAT = "repeat"
"""What the manifest beside a table calls the arguments of the command that wrote it."""
TABLE_CHANGED = "table_changed"
"""What is true in the manifest of a table that is not the one it was written with."""

_KEYS = ("query_id", "source_id")
# Their names in the app of the published package.
_OTHER_NAMES = {"query_segment_id": "query_id", "source_segment_id": "source_id"}


@dataclass(frozen=True, slots=True)
class PairTable(Table):
    """A table with a row per pair, and its manifest."""

    manifest: dict[str, object] = field(default_factory=dict)


def read_pair_table(path: str | os.PathLike[str], *, guarded: bool = False) -> PairTable:
    """Read a table that has the columns ``query_id`` and ``source_id``, or raise an InputError.

    Parameters
    ----------
    path
        A ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.xlsx`` or ``.parquet`` file.
    guarded
        Remove the apostrophes that `write_results` added with ``spreadsheet_safe``.
    """
    path = Path(path)
    parse = _PARSERS.get(path.suffix.lower())
    if parse is None:
        raise UnknownFormatError(
            "files.unknown_table", file=str(path), suffixes=", ".join(READABLE_SUFFIXES)
        )
    table = parse(read_raw(path))
    for name in _KEYS:
        table.require([name])
    if guarded:
        cells = {name: TextColumn.of(map(unguard, column)) for name, column in table.cells.items()}
        table = replace(table, cells=cells)
    return table


def _parse_delimited(raw: RawInput) -> PairTable:
    text, _ = decode(raw)
    delimiter, _ = find_header(text, lambda cells: set(_KEYS) <= set(map(_name, cells)))
    table = table_from_rows(delimited_rows(text, delimiter, raw.name), raw.name, _name)
    return _with_manifest(table, _manifest_of(raw))


def _name(text: str) -> str:
    name = text.strip().lower()
    return _OTHER_NAMES.get(name, name)


def _with_manifest(table: Table, manifest: dict[str, object]) -> PairTable:
    return PairTable(table.file, table.cells, table.numbers, manifest)


def _manifest_of(raw: RawInput) -> dict[str, object]:
    beside = manifest_beside(Path(raw.name))
    if not beside.is_file():  # a pipe or a device, perhaps
        return {}
    try:
        text = read_raw(beside).data.decode("utf-8")
    except UnicodeDecodeError:
        return {}
    return _checked(_manifest(text, str(beside)), raw)


def _checked(manifest: dict[str, object], raw: RawInput) -> dict[str, object]:
    """Note if a table is not the one that its manifest describes.

    A spreadsheet program has changed it, or a program was killed between writing the two.
    """
    manifest.pop(REPEAT, None)
    known = manifest.pop(TABLE_SHA256, None)
    if known is not None and known != hashlib.sha256(raw.data).hexdigest():
        manifest[TABLE_CHANGED] = True
    return manifest


def _manifest(text: str, file: str) -> dict[str, object]:
    content = parse_json(text, file)
    if not isinstance(content, dict):
        raise MalformedInputError("files.not_json_object", file=file)
    return content


def _parse_jsonl(raw: RawInput) -> PairTable:
    return _from_records(json_lines(decode(raw)[0], raw.name), raw.name, _manifest_of(raw))


def _parse_json(raw: RawInput) -> PairTable:
    content = parse_json(decode(raw)[0], raw.name)
    manifest: object = {}
    if isinstance(content, dict) and isinstance(content.get("references"), list):
        manifest = content.get("manifest", {})
        content = content["references"]
    elif isinstance(content, dict) and all(isinstance(v, list) for v in content.values()):
        content = _by_query(content)
    if not isinstance(content, list) or not isinstance(manifest, dict):
        raise MalformedInputError("files.no_list", file=raw.name, name="references")
    return _from_records(enumerate(content, start=1), raw.name, manifest)


def _by_query(content: dict[str, list[Any]]) -> list[Any]:
    """Return rows for the JSON of the published package: lists of matches by query id."""
    return [
        {"query_id": query, **match} if isinstance(match, dict) else match
        for query, matches in content.items()
        for match in matches or [{"source_id": ""}]
    ]


def _from_records(
    values: Iterable[tuple[int, Any]], file: str, manifest: dict[str, object]
) -> PairTable:
    table = table_from_records(values, file, _name)
    if not table.rows:  # no pair was found
        table = replace(table, cells=dict.fromkeys(_KEYS, TextColumn.of([])))
    return _with_manifest(table, manifest)


def _parse_workbook(raw: RawInput) -> PairTable:
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
    texts: dict[tuple[str, str], str] = {}
    for _, cells in sheets.get(LONG_TEXTS_SHEET, [])[1:]:
        row, name, _, text = [*cells, "", "", "", ""][:4]
        texts[row, name] = texts.get((row, name), "") + text
    table = table_from_rows(_with_long_texts(pairs, texts), raw.name, _name)
    return _with_manifest(table, _manifest(whole, raw.name) if whole else {})


def _with_long_texts(
    rows: Iterable[NumberedCells], texts: Mapping[tuple[str, str], str]
) -> Iterator[NumberedCells]:
    """Yield the rows of a sheet with the texts that are too long for one of its cells."""
    rows = iter(rows)
    header, names = next(rows, (1, []))
    yield header, names
    columns = list(map(_name, names))
    for number, cells in rows:
        if texts:
            padded = cells + [""] * (len(columns) - len(cells))
            whole = (
                texts.get((str(number), name), cell)
                for name, cell in zip(columns, padded, strict=False)
            )
            yield number, [*whole, *padded[len(columns) :]]
        else:
            yield number, cells


def _parse_parquet(raw: RawInput) -> PairTable:
    content = read_parquet(raw)
    whole = content.metadata.get(MANIFEST_KEY, "{}")
    names = list(map(_name, content.names))
    check_columns(names, raw.name)
    cells = dict(zip(names, content.columns, strict=True))
    table = Table(raw.name, cells, range(1, content.size + 1))
    return _with_manifest(table, _manifest(whole, raw.name))


_PARSERS: dict[str, Callable[[RawInput], PairTable]] = {
    ".csv": _parse_delimited,
    ".tsv": _parse_delimited,
    ".json": _parse_json,
    ".jsonl": _parse_jsonl,
    ".xlsx": _parse_workbook,
    ".parquet": _parse_parquet,
}

READABLE_SUFFIXES = tuple(_PARSERS)
"""The suffixes from which results and judgements are read."""
