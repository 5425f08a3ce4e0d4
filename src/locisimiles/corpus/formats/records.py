"""What tables of every kind share: which column is the id, which the text, what a row may lack."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from locisimiles.corpus.columns import Columns
from locisimiles.errors import (
    EmptyInputError,
    MissingColumnError,
    SegmentIdError,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.corpus.report import ReadReport

__all__ = ["RecordTable", "has_segment_columns"]

_ID_NAMES = ("seg_id", "id", "segment_id")
_MOST_SHARED_VALUES = 10_000
_FIELD_NAMES = {"text": "text", "author": "author", "work": "work", "locus": "locus"}


def has_segment_columns(names: Sequence[str]) -> bool:
    """Tell whether these column names make a table of segments.

    Examples
    --------
    >>> has_segment_columns(["seg_id", "Text"]), has_segment_columns(["file", "title"])
    (True, False)
    """
    folded = {name.strip().lower() for name in names}
    return "text" in folded and not folded.isdisjoint(_ID_NAMES)


class RecordTable:
    """Collects the records of a table as segments, checking each.

    Parameters
    ----------
    file
        Name of the table, for messages.
    names
        The column names. Id and text columns are found whatever their case; all columns that
        mean nothing to us are kept as metadata under their own names.
    report
        Where rows without text are counted.

    Raises
    ------
    MissingColumnError
        If there is no id or no text column, or a name occurs twice.
    """

    def __init__(self, file: str, names: Sequence[str], report: ReadReport) -> None:
        self._file = file
        self._report = report
        self._first_row_of: dict[str, int] = {}
        self._seen_values: dict[str, str] = {}
        self._id_position, roles = _assign_roles(file, names)
        self._text_position = roles.pop("text")
        self._field_positions = roles
        taken = {self._id_position, self._text_position, *roles.values()}
        self._meta_positions = {
            name.strip(): position
            for position, name in enumerate(names)
            if position not in taken and name.strip()
        }
        self.columns = Columns(name=file)

    def add(self, row: int, values: Sequence[str]) -> None:
        """Add one record.

        Raises
        ------
        SegmentIdError
            If its id is empty or was used before.
        """
        text = values[self._text_position].strip()
        segment_id = values[self._id_position].strip()
        if not text:
            self._report.skip(self._file, row, "the text is empty")
            return
        self._check_id(segment_id, row)
        fields = {
            name: values[position].strip() for name, position in self._field_positions.items()
        }
        meta = {name: self._share(values[at]) for name, at in self._meta_positions.items()}
        self.columns.add(segment_id, text, row=row, meta=meta, **fields)

    def finish(self) -> Columns:
        """Return the segments.

        Raises
        ------
        EmptyInputError
            If there is none.
        """
        if not len(self.columns):
            raise EmptyInputError("there is no row with a text in it", file=self._file)
        return self.columns

    def _share(self, value: str) -> str:
        """Return an equal string that was seen before, since metadata repeat row after row."""
        if len(self._seen_values) < _MOST_SHARED_VALUES:
            return self._seen_values.setdefault(value, value)
        return self._seen_values.get(value, value)

    def _check_id(self, segment_id: str, row: int) -> None:
        if not segment_id:
            raise SegmentIdError(
                "the id is empty", file=self._file, row=row, hint="give every row an id of its own"
            )
        first = self._first_row_of.setdefault(segment_id, row)
        if first != row:
            raise SegmentIdError(
                f"the id {segment_id!r} was used in row {first} already",
                file=self._file,
                row=row,
                hint="ids must be unique",
            )


def _assign_roles(file: str, names: Sequence[str]) -> tuple[int, dict[str, int]]:
    folded = [name.strip().lower() for name in names]
    for name, times in Counter(folded).items():
        if name and times > 1:
            raise MissingColumnError(
                f"two columns are called {name!r}", file=file, row=1, hint="rename one of them"
            )
    id_name = next((name for name in _ID_NAMES if name in folded), None)
    if id_name is None or "text" not in folded:
        wanted = "'text'" if id_name else "'seg_id' (or 'id')"
        found = ", ".join(repr(name) for name in names if name.strip()) or "none"
        raise MissingColumnError(
            f"there is no column {wanted}; the columns are {found}",
            file=file,
            row=1,
            hint="the first row must name a column 'seg_id' (or 'id') and a column 'text'",
        )
    roles = {role: folded.index(name) for role, name in _FIELD_NAMES.items() if name in folded}
    return folded.index(id_name), roles
