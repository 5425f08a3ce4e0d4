"""Texts of a project: the inputs of both sides, their segments, and remarks about them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from locisimiles.app.storage.stored_messages import dump_messages, load_messages
from locisimiles.app.storage.tables.editions import SEGMENT_COLUMNS, put_edition
from locisimiles.app.storage.tables.searches import refuse_while_searching
from locisimiles.app.storage.tables.settings import read_setting, write_setting
from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from locisimiles.app.storage.database import Database, Row
    from locisimiles.messages import Message

__all__ = ["SIDES", "Input", "Side", "StoredSegment", "TextTable"]

Side = Literal["query", "source"]
SIDES: tuple[Side, Side] = ("query", "source")
_REVISION = "texts_{side}"


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
    marks: str = ""  # where in the text each locus begins, as a project stores it


class TextTable:
    """The texts of a project as they are, or the segments that a search was made of."""

    def __init__(self, database: Database, search: int | None = None) -> None:
        self._database, self._search = database, search

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

    def revision(self, side: Side) -> str:
        """Return what changes whenever the texts of a side are replaced."""
        with self._database.reading() as connection:
            return read_setting(connection, _REVISION.format(side=side))

    def remarks(self, side: Side) -> list[Message]:
        """Return what was skipped or guessed when the inputs of a side were read."""
        rows = self._rows("SELECT text FROM remark WHERE side = ? ORDER BY number", side)
        return [message for row in rows for message in load_messages(row["text"])]

    def count(self, side: Side) -> int:
        """Return the number of segments of a side."""
        edition, values = self._edition(side)
        # Positions count the segments of an edition from 0.
        counted = f"SELECT COALESCE(MAX(position) + 1, 0) FROM segment WHERE {edition}"  # noqa: S608
        return int(self._rows(counted, *values)[0][0])

    def segments(self, side: Side, first: int = 0, count: int = 100) -> list[StoredSegment]:
        """Return some segments of a side, in order."""
        edition, values = self._edition(side)
        rows = self._rows(
            "SELECT position, id, text, author, work, locus, marks "  # noqa: S608 - ours
            f"FROM segment WHERE {edition} AND position >= ? ORDER BY position LIMIT ?",
            *values, first, count,
        )  # fmt: skip
        return [StoredSegment(*row) for row in rows]

    def segment(self, side: Side, position: int) -> StoredSegment:
        """Return one segment, or raise an InputError."""
        found = self.segments(side, position, 1)
        if not found or found[0].position != position:
            raise InputError("app.no_segment", number=str(position))
        return found[0]

    def extent(self, side: Side, position: int) -> tuple[int, int]:
        """Return where the work around a segment begins, and where the next one begins."""
        edition, values = self._edition(side)
        here = self.segment(side, position)
        other = f"SELECT position FROM segment WHERE {edition} AND (author <> ? OR work <> ?)"  # noqa: S608
        named = [*values, here.author, here.work, position]
        before = self._rows(f"{other} AND position < ? ORDER BY position DESC LIMIT 1", *named)
        after = self._rows(f"{other} AND position > ? ORDER BY position LIMIT 1", *named)
        begin = before[0]["position"] + 1 if before else 0
        return begin, after[0]["position"] if after else self.count(side)

    def meta(self, side: Side, position: int) -> str:
        """Return the further columns of a segment, as JSON."""
        edition, values = self._edition(side)
        rows = self._rows(
            f"SELECT meta FROM segment WHERE {edition} AND position = ?",  # noqa: S608 - ours
            *values, position,
        )  # fmt: skip
        return str(rows[0]["meta"]) if rows else "{}"

    def fingerprint(self, side: Side) -> str:
        """Return what two editions of a side have in common if all their segments are equal."""
        chosen, values = "is_current = 1", []
        if self._search is not None:
            chosen = f"number = (SELECT {side}_edition FROM search WHERE number = ?)"  # noqa: S608
            values = [self._search]
        sql = f"SELECT fingerprint FROM edition WHERE side = ? AND {chosen}"  # noqa: S608 - ours
        return str(self._rows(sql, side, *values)[0][0])

    def ids(self, side: Side) -> list[str]:
        """Return the ids of all segments of a side, in order."""
        edition, values = self._edition(side)
        rows = self._rows(f"SELECT id FROM segment WHERE {edition} ORDER BY position", *values)  # noqa: S608
        return [row[0] for row in rows]

    def whole_segments(self, side: Side) -> list[Row]:
        """Return all segments of a side, with the columns that only a document needs."""
        edition, values = self._edition(side)
        return self._rows(
            f"SELECT {SEGMENT_COLUMNS} FROM segment WHERE {edition} ORDER BY position",  # noqa: S608
            *values,
        )

    def replace(
        self,
        side: Side,
        inputs: Sequence[Input],
        segments: Iterable[tuple[object, ...]],
        remarks: Sequence[Message],
        since: str | None = None,
    ) -> bool:
        """Replace the texts of a side; searches keep those they were made of.

        Segments are rows of id, text, author, work, locus, marks and meta. If the texts have
        changed since a revision, nothing is replaced; return whether it was.
        """
        rows, revision = list(segments), _REVISION.format(side=side)
        with self._database.writing() as connection:
            if since is not None and read_setting(connection, revision) != since:
                return False
            refuse_while_searching(connection)
            write_setting(connection, revision, secrets.token_hex(8))
            for table in ("input", "remark"):
                connection.execute(f"DELETE FROM {table} WHERE side = ?", [side])  # noqa: S608 - ours
            connection.executemany(
                "INSERT INTO input (side, kind, name, content) VALUES (?, ?, ?, ?)",
                [(side, i.kind, i.name, i.content if i.kind == "file" else None) for i in inputs],
            )
            put_edition(connection, side, [one.name for one in inputs], rows)
            connection.executemany(
                "INSERT INTO remark VALUES (?, ?, ?)",
                [(side, number, dump_messages([one])) for number, one in enumerate(remarks)],
            )
        return True

    def _edition(self, side: Side) -> tuple[str, list[object]]:
        """Return the condition that a segment belongs to these texts, and its values."""
        if self._search is None:
            current = "(SELECT number FROM edition WHERE side = ? AND is_current = 1)"
            return f"side = ? AND edition = {current}", [side, side]
        searched = f"(SELECT {side}_edition FROM search WHERE number = ?)"  # noqa: S608 - ours
        return f"side = ? AND edition = {searched}", [side, self._search]

    def _rows(self, sql: str, *values: object) -> list[Row]:
        with self._database.reading() as connection:
            return connection.execute(sql, values).fetchall()
