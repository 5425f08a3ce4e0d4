"""The segments of one side of a table of pairs, as its rows describe them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus import Document
from locisimiles.corpus.columns import Columns, format_marks, parse_marks
from locisimiles.errors import InputError, MalformedInputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.export.tables import PairTable

__all__ = ["read_side"]

_FIELDS = {
    "author": "authors",
    "work": "works",
    "locus": "loci",
    "text": "texts",
    "urn": "urn",
    "loci": "marks",
    "year": "year",
}
_META = ("urn", "year")


def read_side(
    table: PairTable, side: str, known: Document | None, rows: NDArray[np.int64] | None = None
) -> tuple[Document, NDArray[np.int32]]:
    """Return the segments of a side, and which of them each row has.

    Parameters
    ----------
    table
        The table; each row has an id, and may have text and address of the segment.
    side
        ``query`` or ``source``.
    known
        The document that the ids are of; by default, one is made of what the rows say.
    rows
        The rows to read; all by default.

    Raises
    ------
    InputError
        If a row has no id or one that the document lacks, or two rows contradict each other.
    """
    rows = np.arange(len(table.numbers)) if rows is None else rows
    positions: dict[str, int] = {}
    number = positions.setdefault
    ids = table.cells[f"{side}_id"].take(rows)
    place = np.fromiter((number(name, len(positions)) for name in ids), np.int32, len(rows))
    first = np.empty(len(positions), np.int64)
    first[place[::-1]] = rows[::-1]
    if "" in positions:
        row = table.numbers[first[positions[""]]]
        raise InputError("export.empty_id", column=f"{side}_id", file=table.file, row=row)
    if known is None:
        return _described(table, side, list(positions), rows, place), place
    for name, position in positions.items():
        if name not in known:
            raise InputError(
                "export.not_in_query" if side == "query" else "export.not_in_source",
                id=name,
                file=table.file,
                row=table.numbers[first[position]],
            )
    own = np.fromiter(map(known.index, positions), np.int32, len(positions))
    return known, own[place]


def _described(
    table: PairTable, side: str, ids: list[str], rows: NDArray[np.int64], place: NDArray[np.int32]
) -> Document:
    """Make a document of what the rows say of its segments."""
    fields = {
        field: _values(table, f"{side}_{column}", ids, rows, place)
        for column, field in _FIELDS.items()
    }
    meta = {name: fields.pop(name) for name in _META}
    columns = Columns(table.file)
    columns.add_all(
        ids, **fields, meta={name: values for name, values in meta.items() if any(values)}
    )
    return Document.of_columns(columns)


def _values(
    table: PairTable, column: str, ids: list[str], rows: NDArray[np.int64], place: NDArray[np.int32]
) -> list[str]:
    """Return what a column says of each segment; rows may be silent, but not disagree."""
    values = [""] * len(ids)
    if column not in table.cells or not table.cells[column].lengths.any():
        return values
    first: dict[int, int] = {}
    cells = table.cells[column].take(rows)
    for row, position, cell in zip(rows.tolist(), place.tolist(), cells, strict=True):
        if cell and not values[position]:
            values[position] = cell
            first[position] = row
        elif cell and values[position] != cell:
            raise MalformedInputError(
                "export.contradiction",
                column=column.partition("_")[2],
                id=ids[position],
                file=table.file,
                row=table.numbers[row],
            )
    if column.endswith("_loci"):
        for position, row in first.items():
            values[position] = _marks(values[position], column, table.file, table.numbers[row])
    return values


def _marks(marks: str, column: str, file: str, row: int) -> str:
    """Return marks as we write them."""
    try:
        return format_marks(parse_marks(marks))
    except ValueError as error:
        raise MalformedInputError(
            "export.bad_loci", loci=marks[:60], column=column, file=file, row=row
        ) from error
