"""Turn the rows of a table into segments: find the columns with ids and texts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from locisimiles.corpus.columns import Columns
from locisimiles.errors import EmptyInputError, MissingColumnError, SegmentIdError
from locisimiles.files.limits import check_cells, check_size
from locisimiles.files.raw import printable
from locisimiles.files.tables import check_columns, listed_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.tables import TableRow

__all__ = ["has_segment_columns", "segments_from_rows"]

_ID_NAMES = ("seg_id", "id", "segment_id")
_FIELD_NAMES = ("author", "work", "locus")


def has_segment_columns(names: Sequence[str]) -> bool:
    """Return whether a table with these columns is a table of segments.

    Examples
    --------
    >>> has_segment_columns(["seg_id", "Text"]), has_segment_columns(["file", "title"])
    (True, False)
    """
    folded = {name.strip().lower() for name in names}
    return "text" in folded and not folded.isdisjoint(_ID_NAMES)


def segments_from_rows(
    names: Sequence[str], rows: Iterable[TableRow], file: str, report: ReadReport
) -> Columns:
    """Return the segments of a table; rows without text are skipped and reported.

    Columns are found regardless of case. Unknown columns are kept as metadata. Cells may be
    missing. Missing columns, empty or repeated ids, and tables without text raise an InputError.
    """
    roles = _assign_roles(names, file)
    id_name, text_name = roles.pop("id"), roles.pop("text")
    taken = {id_name, text_name, *roles.values()}
    metadata = {name: list[str]() for name in names if name not in taken and name.strip()}
    first_rows: dict[str, int] = {}
    columns = Columns(name=file)
    for row, cells in rows:
        text = cells.get(text_name, "").strip()
        if not text:
            report.skip(file, row, "corpus.empty_text")
            continue
        segment_id = cells.get(id_name, "").strip()
        if not segment_id:
            raise SegmentIdError("corpus.empty_id", file=file, row=row)
        first = first_rows.setdefault(segment_id, row)
        if first != row:
            raise SegmentIdError(
                "corpus.repeated_id",
                file=file,
                row=row,
                id=printable(segment_id),
                first=str(first),
            )
        for name, column in metadata.items():
            # Metadata repeat from row to row: equal strings are kept once.
            column.append(sys.intern(cells.get(name, "")))
        check_cells(file, len(columns) * len(metadata), row)
        fields = {role: cells.get(name, "").strip() for role, name in roles.items()}
        author, work, locus = (fields.get(name, "") for name in _FIELD_NAMES)
        columns.add(segment_id, text, author=author, work=work, locus=locus, row=row)
    if not len(columns):
        raise EmptyInputError("corpus.no_text_in_rows", file=file)
    columns.meta = {name.strip(): column for name, column in metadata.items()}
    check_size(file, columns.size + sum(sum(map(len, column)) for column in metadata.values()))
    return columns


def _assign_roles(names: Sequence[str], file: str) -> dict[str, str]:
    """Return the column of each role: id, text, and, where present, author, work and locus."""
    check_columns(names, file)
    by_folded_name = {name.strip().lower(): name for name in names}
    id_name = next((name for name in _ID_NAMES if name in by_folded_name), None)
    if id_name is None or "text" not in by_folded_name:
        raise MissingColumnError(
            "corpus.no_id_column" if id_name is None else "corpus.no_text_column",
            file=file,
            row=1,
            columns=listed_columns(names),
        )
    roles = {role: by_folded_name[role] for role in _FIELD_NAMES if role in by_folded_name}
    return {"id": by_folded_name[id_name], "text": by_folded_name["text"], **roles}
