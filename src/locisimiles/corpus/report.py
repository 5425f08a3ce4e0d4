"""What a reader has to say about its input: skipped rows, guesses made, files left out."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

__all__ = ["FileRead", "ReadReport"]

_ROWS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class FileRead:
    """One input as it was read."""

    name: str
    format: str
    segments: int


@dataclass(slots=True)
class ReadReport:
    """Everything worth telling the user about how the inputs were read.

    Nothing is dropped from a text without an entry here.

    Examples
    --------
    >>> report = ReadReport()
    >>> report.skip("query.csv", 4, "the text is empty")
    >>> report.skip("query.csv", 9, "the text is empty")
    >>> report.note("query.csv", "read as CP1252")
    >>> print(report)
    query.csv: read as CP1252
    query.csv: 2 rows skipped, the text is empty (rows 4, 9)
    """

    files: list[FileRead] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _skipped: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))

    def note(self, file: str, message: str) -> None:
        """Record a remark about a file."""
        self.notes.append(f"{file}: {message}")

    def skip(self, file: str, row: int, reason: str) -> None:
        """Record that a row was left out, and why."""
        self._skipped[file, reason].append(row)

    def include(self, other: ReadReport) -> None:
        """Take over the entries of another report."""
        self.files += other.files
        self.notes += other.notes
        for place, rows in other._skipped.items():
            self._skipped[place] += rows

    @property
    def skipped(self) -> int:
        """How many rows were left out."""
        return sum(len(rows) for rows in self._skipped.values())

    def messages(self) -> list[str]:
        """Return the whole report as lines, the remarks first."""
        return [*self.notes, *self._skip_messages()]

    def _skip_messages(self) -> list[str]:
        return [
            f"{file}: {len(rows)} {'row' if len(rows) == 1 else 'rows'} skipped, {reason} "
            f"({_name_rows(rows)})"
            for (file, reason), rows in self._skipped.items()
        ]

    def __str__(self) -> str:
        return "\n".join(self.messages())


def _name_rows(rows: list[int]) -> str:
    shown = ", ".join(str(row) for row in rows[:_ROWS_SHOWN])
    more = len(rows) - _ROWS_SHOWN
    tail = f" and {more} more" if more > 0 else ""
    return f"{'row' if len(rows) == 1 else 'rows'} {shown}{tail}"
