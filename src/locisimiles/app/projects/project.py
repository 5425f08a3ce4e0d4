"""A project: its texts, its searches, what they found; all in one place."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from locisimiles.corpus import Document, Segment
from locisimiles.corpus.columns import format_marks, parse_marks
from locisimiles.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.app.storage.database import Connection, Database

__all__ = ["SIDES", "Input", "Project", "Side", "StoredSegment"]

Side = Literal["query", "source"]
SIDES: tuple[Side, Side] = ("query", "source")


class Input(NamedTuple):
    """A file that was given to a project, or the name of a text in the library."""

    kind: Literal["file", "library"]
    name: str
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """A segment with its place in its document."""

    position: int
    id: str
    text: str
    author: str
    work: str
    locus: str


class Project:
    """Everything that belongs together.

    Parameters
    ----------
    database
        Its tables.

    Examples
    --------
    >>> import tempfile
    >>> from locisimiles.app.storage.sqlite import SqliteStorage
    >>> folder = tempfile.TemporaryDirectory()
    >>> storage = SqliteStorage(folder.name)
    >>> project = Project(storage.create("", "letters"))
    >>> project.title = "Letters of Jerome"
    >>> Project(storage.open("", "letters")).title, project.id
    ('Letters of Jerome', 'letters')
    >>> folder.cleanup()
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    @property
    def id(self) -> str:
        """What addresses call it."""
        return self.database.id

    def exists(self) -> bool:
        """Tell whether nobody has deleted it."""
        return self.database.exists()

    @property
    def title(self) -> str:
        """What its owner calls it."""
        return self.setting("title") or self.id

    @title.setter
    def title(self, title: str) -> None:
        self.set_setting("title", title.strip()[:200])

    def setting(self, name: str) -> str:
        """Return a setting; empty if there is none."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT value FROM setting WHERE name = ?", [name]).fetchone()
        return str(row["value"]) if row else ""

    def set_setting(self, name: str, value: str) -> None:
        """Keep a setting."""
        with self.database.writing() as connection:
            connection.execute(
                "INSERT INTO setting (name, value) VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [name, value],
            )

    def inputs(self, side: Side, *, contents: bool = True) -> list[Input]:
        """Return what was given as one side, in order; names alone where contents are not needed.

        A library may have hundreds of megabytes.
        """
        content = "content" if contents else "NULL AS content"
        with self.database.reading() as connection:
            rows = connection.execute(
                f"SELECT kind, name, {content} FROM input WHERE side = ? ORDER BY number",  # noqa: S608
                [side],
            ).fetchall()
        return [Input(row["kind"], row["name"], row["content"] or b"") for row in rows]

    def set_texts(
        self,
        side: Side,
        inputs: Sequence[Input],
        document: Document | None,
        remarks: Sequence[str] = (),
    ) -> None:
        """Keep what was given as one side, and the segments that were read from it.

        Parameters
        ----------
        side
            Which one.
        inputs
            All inputs of this side.
        document
            What they hold; None if there are none.
        remarks
            What was skipped or guessed when they were read.

        Raises
        ------
        ParameterError
            If a search is under way.
        """
        with self.database.writing() as connection:
            refuse_while_searching(connection)
            for table in ("input", "segment", "remark"):
                connection.execute(f"DELETE FROM {table} WHERE side = ?", [side])  # noqa: S608 - ours
            forget_results(connection)  # they speak of the segments that were there before
            connection.executemany(
                "INSERT INTO input (side, kind, name, content) VALUES (?, ?, ?, ?)",
                [(side, i.kind, i.name, i.content if i.kind == "file" else None) for i in inputs],
            )
            if document is None:
                return
            connection.executemany(
                "INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (_segment_row(side, at, segment) for at, segment in enumerate(document)),
            )
            connection.executemany(
                "INSERT INTO remark VALUES (?, ?, ?)",
                [(side, number, text) for number, text in enumerate(remarks)],
            )

    def remarks(self, side: Side) -> list[str]:
        """Return what was skipped or guessed when the texts of a side were read."""
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT text FROM remark WHERE side = ? ORDER BY number", [side]
            ).fetchall()
        return [row["text"] for row in rows]

    def count_segments(self, side: Side) -> int:
        """Return how many segments a side has."""
        with self.database.reading() as connection:
            return int(
                connection.execute(
                    "SELECT COUNT(*) FROM segment WHERE side = ?", [side]
                ).fetchone()[0]
            )

    def segments(self, side: Side, first: int = 0, count: int = 100) -> list[StoredSegment]:
        """Return some segments of a side, in order."""
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT position, id, text, author, work, locus FROM segment "
                "WHERE side = ? AND position >= ? ORDER BY position LIMIT ?",
                [side, first, count],
            ).fetchall()
        return [StoredSegment(*row) for row in rows]

    def segment(self, side: Side, position: int) -> StoredSegment:
        """Return one segment.

        Raises
        ------
        InputError
            If there is none at this position.
        """
        found = self.segments(side, position, 1)
        if not found or found[0].position != position:
            raise InputError(f"the {side} has no segment {position}")
        return found[0]

    def document(self, side: Side) -> Document:
        """Return all segments of a side.

        Raises
        ------
        InputError
            If it has none.
        """
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT id, text, author, work, locus, marks, meta FROM segment "
                "WHERE side = ? ORDER BY position",
                [side],
            ).fetchall()
        if not rows:
            raise InputError(f"the project has no {side} text yet", hint="add a file")
        return Document.from_segments(
            Segment(
                row["id"], row["text"], row["author"], row["work"], row["locus"],
                parse_marks(row["marks"]), json.loads(row["meta"]),
            )
            for row in rows
        )  # fmt: skip

    def revision(self) -> tuple[int, int, str, int, int, int]:
        """Return what changes when somebody judges, a search goes on, or a ranking is learnt."""
        with self.database.reading() as connection:
            log = connection.execute(
                "SELECT COALESCE(MAX(number), 0), COUNT(CASE WHEN undone = 1 THEN 1 END) "
                "FROM judgement_log"
            ).fetchone()
            search = connection.execute(
                "SELECT state, finished_queries FROM search ORDER BY number DESC LIMIT 1"
            ).fetchone()
            learnt = connection.execute(
                "SELECT COALESCE(MAX(number), 0), COUNT(*) FROM learning WHERE state = 'applied'"
            ).fetchone()
        return (*log, *(search or ("", 0)), *learnt)


def refuse_while_searching(connection: Connection) -> None:
    """Raise an error if a search is under way."""
    busy = connection.execute("SELECT 1 FROM search WHERE state IN ('waiting', 'running')")
    if busy.fetchone():
        raise ParameterError("a search is under way", hint="wait for it, or cancel it")


def forget_results(connection: Connection) -> None:
    """Remove what was found, and a ranking that was learnt for it; judgements stay."""
    connection.execute("DELETE FROM result")
    connection.execute("UPDATE learning SET state = 'reset' WHERE state = 'applied'")
    connection.execute("UPDATE search SET finished_queries = 0")
    connection.execute(
        "UPDATE search SET state = 'cancelled', message = 'the texts were changed' "
        "WHERE state != 'failed'"
    )


def _segment_row(side: Side, position: int, segment: Segment) -> tuple[str | int, ...]:
    return (
        side,
        position,
        segment.id,
        segment.text,
        segment.author,
        segment.work,
        segment.locus,
        format_marks(segment.loci),
        json.dumps(dict(segment.meta)),
    )


def now() -> float:
    """Return the time as the store writes it."""
    return time.time()
