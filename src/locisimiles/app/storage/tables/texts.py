"""Texts of a project: the inputs of both sides, their segments, and remarks about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple
from uuid import uuid4

from locisimiles.app.storage.stored_messages import dump_messages, load_messages
from locisimiles.app.storage.tables.searches import discard_results, refuse_while_searching
from locisimiles.app.storage.tables.settings import write_setting
from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from locisimiles.app.storage.database import Database, Row
    from locisimiles.messages import Message

__all__ = ["SIDES", "Input", "Side", "StoredSegment", "TextTable"]

Side = Literal["query", "source"]
SIDES: tuple[Side, Side] = ("query", "source")


class Input(NamedTuple):
    """A file that a user uploaded, or the name of a text in the library."""

    kind: Literal["file", "library"]
    name: str
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """A segment and its position in its document."""

    position: int
    id: str
    text: str
    author: str
    work: str
    locus: str


class TextTable:
    """The texts of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def inputs(self, side: Side, *, contents: bool = True) -> list[Input]:
        """Return the inputs of a side, in order; without `contents`, only their names.

        A library may have hundreds of megabytes.
        """
        content = "content" if contents else "NULL AS content"
        rows = self._rows(
            f"SELECT kind, name, {content} FROM input WHERE side = ? ORDER BY number",  # noqa: S608
            side,
        )
        return [Input(row["kind"], row["name"], row["content"] or b"") for row in rows]

    def remarks(self, side: Side) -> list[Message]:
        """Return what was skipped or guessed when the inputs of a side were read."""
        rows = self._rows("SELECT text FROM remark WHERE side = ? ORDER BY number", side)
        return [message for row in rows for message in load_messages(row["text"])]

    def count(self, side: Side) -> int:
        """Return the number of segments of a side."""
        return int(self._rows("SELECT COUNT(*) FROM segment WHERE side = ?", side)[0][0])

    def segments(self, side: Side, first: int = 0, count: int = 100) -> list[StoredSegment]:
        """Return some segments of a side, in order."""
        rows = self._rows(
            "SELECT position, id, text, author, work, locus FROM segment "
            "WHERE side = ? AND position >= ? ORDER BY position LIMIT ?",
            side, first, count,
        )  # fmt: skip
        return [StoredSegment(*row) for row in rows]

    def segment(self, side: Side, position: int) -> StoredSegment:
        """Return one segment, or raise an InputError."""
        found = self.segments(side, position, 1)
        if not found or found[0].position != position:
            raise InputError("app.no_segment", number=str(position))
        return found[0]

    def whole_segments(self, side: Side) -> list[Row]:
        """Return all segments of a side, with the columns that only a document needs."""
        return self._rows(
            "SELECT id, text, author, work, locus, marks, meta FROM segment "
            "WHERE side = ? ORDER BY position",
            side,
        )

    def replace(
        self,
        side: Side,
        inputs: Sequence[Input],
        segments: Iterable[tuple[object, ...]],
        remarks: Sequence[Message],
    ) -> None:
        """Replace the texts of a side, and discard the results of the old ones.

        Segments are rows of id, text, author, work, locus, marks and meta.
        """
        with self._database.writing() as connection:
            refuse_while_searching(connection)
            for table in ("input", "segment", "remark"):
                connection.execute(f"DELETE FROM {table} WHERE side = ?", [side])  # noqa: S608 - ours
            discard_results(connection)
            # Whoever keeps something derived from the texts sees that they are others.
            write_setting(connection, f"texts_{side}", uuid4().hex)
            connection.executemany(
                "INSERT INTO input (side, kind, name, content) VALUES (?, ?, ?, ?)",
                [(side, i.kind, i.name, i.content if i.kind == "file" else None) for i in inputs],
            )
            connection.executemany(
                "INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((side, position, *segment) for position, segment in enumerate(segments)),
            )
            connection.executemany(
                "INSERT INTO remark VALUES (?, ?, ?)",
                [(side, number, dump_messages([one])) for number, one in enumerate(remarks)],
            )

    def _rows(self, sql: str, *values: object) -> list[Row]:
        with self._database.reading() as connection:
            return connection.execute(sql, values).fetchall()
