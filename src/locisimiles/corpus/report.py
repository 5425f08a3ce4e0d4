"""The report on reading inputs: rows skipped, guesses made, files left out."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Self

from locisimiles.messages import Message

__all__ = ["FileRead", "ReadReport"]

_ROWS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was read."""

    name: str
    format: str
    segments: int


@dataclass(slots=True)
class ReadReport:
    """What users should know about how their inputs were read.

    Nothing is dropped from a text without an entry here. Entries are messages (see
    `locisimiles.messages`).

    Examples
    --------
    >>> report = ReadReport()
    >>> report.skip("query.csv", 4, "corpus.empty_text")
    >>> report.skip("query.csv", 9, "corpus.empty_text")
    >>> report.note("query.csv", "corpus.read_as_cp1252")
    >>> print(report)
    query.csv: not UTF-8, read as CP1252 (Latin-1)
    query.csv: 2 rows skipped, the text is empty (rows 4, 9)
    """

    files: list[FileRead] = field(default_factory=list)
    notes: list[tuple[str, Message]] = field(default_factory=list)
    _skipped: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))

    def note(self, file: str, code: str, **values: object) -> None:
        """Record a remark about a file."""
        self.notes.append((file, Message(code, values)))

    def skip(self, file: str, row: int, code: str) -> None:
        """Record that a row was left out, and why."""
        self._skipped[file, code].append(row)

    def include(self, other: ReadReport) -> None:
        """Add the entries of another report."""
        self.files += other.files
        self.notes += other.notes
        for place, rows in other._skipped.items():
            self._skipped[place] += rows

    def as_json(self) -> dict[str, object]:
        """Return the entries as JSON, without the files; `from_json` reads them.

        Examples
        --------
        >>> report = ReadReport()
        >>> report.skip("query.csv", 4, "corpus.empty_text")
        >>> str(ReadReport.from_json(report.as_json())) == str(report)
        True
        """
        return {
            "notes": [[file, remark.as_json()] for file, remark in self.notes],
            "skipped": [[*place, rows] for place, rows in self._skipped.items()],
        }

    @classmethod
    def from_json(cls, content: Any) -> Self:  # noqa: ANN401 - whatever JSON gives
        """Return the entries that `as_json` returned."""
        report = cls(notes=[(file, Message.from_json(note)) for file, note in content["notes"]])
        report._skipped.update(((file, code), rows) for file, code, rows in content["skipped"])
        return report

    @property
    def skipped(self) -> int:
        """Number of rows left out."""
        return sum(len(rows) for rows in self._skipped.values())

    def remarks(self) -> list[Message]:
        """Return the whole report as messages, notes first."""
        return [
            *(Message("corpus.remark", {"file": f, "remark": r}) for f, r in self.notes),
            *(_skipped_rows(file, code, rows) for (file, code), rows in self._skipped.items()),
        ]

    def messages(self) -> list[str]:
        """Return the whole report as English lines, notes first."""
        return [str(remark) for remark in self.remarks()]

    def __str__(self) -> str:
        return "\n".join(self.messages())


def _skipped_rows(file: str, code: str, rows: list[int]) -> Message:
    shown: list[object] = [str(row) for row in rows[:_ROWS_SHOWN]]
    more = len(rows) - _ROWS_SHOWN
    if more > 0:
        shown[-1] = Message("messages.more", {"listed": shown[-1], "count": more})
    return Message(
        "corpus.rows_skipped",
        {"file": file, "count": len(rows), "reason": Message(code), "rows": shown},
    )
