"""Known references with their labels, as the paper's package holds them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from locisimiles.compat.tables import data_frame, is_data_frame, records_of
from locisimiles.errors import ParameterError
from locisimiles.files.tables import read_table
from locisimiles.files.writing import atomic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.compat.document import ID

__all__ = ["GroundTruth", "GroundTruthEntry", "LabelValue"]

LabelValue = int | str
_COLUMNS = ("query_id", "source_id", "label")


@dataclass
class GroundTruthEntry:
    """A pair of segments and its label: ``cit``, ``cf``, ``no_match``, or a number."""

    query_id: ID
    source_id: ID
    label: LabelValue
    meta: dict[str, Any] = field(default_factory=dict)


class GroundTruth:
    """Labelled pairs.

    Parameters
    ----------
    source
        A table with the columns ``query_id``, ``source_id`` and ``label``; a data frame, mappings
        or entries with the same; or another `GroundTruth`.

    Examples
    --------
    >>> known = GroundTruth([{"query_id": "q1", "source_id": "s1", "label": "cit"}])
    >>> known += GroundTruth([{"query_id": "q1", "source_id": "s2", "label": "no_match"}])
    >>> len(known), known.label_counts(), len(known.filter(label="cit"))
    (2, {'cit': 1, 'no_match': 1}, 1)
    """

    def __init__(self, source: object = None) -> None:
        self._entries = [] if source is None else list(_entries(source))

    def __iter__(self) -> Iterator[GroundTruthEntry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, index: int) -> GroundTruthEntry:
        return self._entries[index]

    def __repr__(self) -> str:
        return f"GroundTruth(entries={len(self)})"

    def __add__(self, other: GroundTruth) -> GroundTruth:
        if not isinstance(other, GroundTruth):
            return NotImplemented
        return _of([*self, *other])

    def append(self, entry: GroundTruthEntry) -> None:
        """Append an entry."""
        self._entries.append(entry)

    def query_ids(self) -> set[ID]:
        """Return the ids of the queries."""
        return {entry.query_id for entry in self}

    def source_ids(self) -> set[ID]:
        """Return the ids of the sources."""
        return {entry.source_id for entry in self}

    def label_counts(self) -> dict[LabelValue, int]:
        """Return how many entries have each label."""
        return dict(Counter(entry.label for entry in self))

    def filter(self, *, label: LabelValue | Sequence[LabelValue] | None = None) -> GroundTruth:
        """Return the entries with a label, or one of several."""
        wanted = [label] if isinstance(label, int | str) else label
        return _of([entry for entry in self if wanted is None or entry.label in wanted])

    def to_dataframe(self) -> Any:
        """Return a pandas data frame: ``query_id``, ``source_id``, ``label``, ``meta``."""
        return data_frame([vars(entry) for entry in self], [*_COLUMNS, "meta"])

    def to_csv(self, path: str | Path) -> Path:
        """Write a table with ``query_id``, ``source_id`` and ``label``."""
        table = io.StringIO(newline="")
        rows = ([getattr(entry, name) for name in _COLUMNS] for entry in self)
        csv.writer(table).writerows([_COLUMNS, *rows])
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with atomic(Path(path)) as stream:
            stream.write(table.getvalue())
        return Path(path)


def _of(entries: list[GroundTruthEntry]) -> GroundTruth:
    found = GroundTruth()
    for entry in entries:
        found.append(entry)
    return found


def _entries(source: object) -> Iterator[GroundTruthEntry]:
    if isinstance(source, str | Path):
        table = read_table(source)
        missing = [name for name in _COLUMNS if name not in table.columns]
        if missing:
            raise ParameterError("compat.missing_columns", columns=", ".join(missing))
        rows: Iterable[object] = [
            {**row.cells, "label": _number(row.cells.get("label", ""))} for row in table.rows
        ]
    elif is_data_frame(source):
        rows = records_of(source, _COLUMNS)
    elif isinstance(source, Iterable):
        rows = source
    else:
        raise ParameterError("compat.no_ground_truth", value=type(source).__name__)
    for row in rows:
        if isinstance(row, GroundTruthEntry):
            yield GroundTruthEntry(row.query_id, row.source_id, row.label, dict(row.meta))
        elif isinstance(row, Mapping):
            yield _entry(row)
        else:
            raise ParameterError("compat.no_ground_truth", value=type(row).__name__)


def _entry(row: Mapping[str, Any]) -> GroundTruthEntry:
    missing = [name for name in _COLUMNS if name not in row]
    if missing:
        raise ParameterError("compat.missing_columns", columns=", ".join(missing))
    query_id, source_id, label = (_plain(row[name]) for name in _COLUMNS)
    meta = row.get("meta")
    return GroundTruthEntry(
        query_id, source_id, label, dict(meta) if isinstance(meta, dict) else {}
    )


def _plain(value: Any) -> Any:
    """Return a number of NumPy as one of Python."""
    return value.item() if hasattr(value, "item") else value


def _number(cell: str) -> LabelValue:
    """Return a cell as a whole number if it is one."""
    return int(cell) if cell.isascii() and cell.isdigit() else cast("LabelValue", cell)
