"""A project: its title, its texts, and its database."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.storage.stored_values import stored_value
from locisimiles.app.storage.tables.judgements import judgement_revision
from locisimiles.app.storage.tables.rankings import ranking_revision
from locisimiles.app.storage.tables.searches import find_search, search_revision, search_to_read
from locisimiles.app.storage.tables.settings import read_setting, write_setting
from locisimiles.app.storage.tables.texts import SIDES, Input, Side, StoredSegment, TextTable
from locisimiles.corpus import Document, Segment
from locisimiles.corpus.columns import format_marks, parse_marks
from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.app.storage.database import Database
    from locisimiles.messages import Message

__all__ = ["SIDES", "Input", "Project", "Revision", "Side", "StoredSegment", "TextTable"]

_LONGEST_TITLE = 200


class Revision(NamedTuple):
    """Changes whenever a reader judges, a search progresses, or a ranking is learnt."""

    judgements: tuple[int, int]
    search: tuple[int, str, int, int]
    ranking: tuple[int, int]


class Project:
    """A project: its title, its texts, and its tables.

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
        self.texts = TextTable(database)

    @property
    def id(self) -> str:
        """The id in addresses."""
        return self.database.id

    def exists(self) -> bool:
        """Tell whether the project has not been deleted."""
        return self.database.exists()

    @property
    def title(self) -> str:
        """The title its owner gave it."""
        return self.setting("title") or self.id

    @title.setter
    def title(self, title: str) -> None:
        self.set_setting("title", title.strip()[:_LONGEST_TITLE])

    def setting(self, name: str) -> str:
        """Return a setting; empty if it was never set."""
        with self.database.reading() as connection:
            return read_setting(connection, name)

    def set_setting(self, name: str, value: str) -> None:
        """Change a setting."""
        with self.database.writing() as connection:
            write_setting(connection, name, value)

    def set_texts(
        self,
        side: Side,
        inputs: Sequence[Input],
        document: Document | None,
        remarks: Sequence[Message] = (),
        since: str | None = None,
    ) -> bool:
        """Replace the texts of a side by a document and remarks about it.

        Searches keep the texts they were made of. If the texts have changed since a revision,
        nothing is replaced; return whether it was.
        """
        rows = map(_segment_row, document or ())
        return self.texts.replace(side, inputs, rows, remarks, since)

    def searched(self, search: int | None = None) -> int | None:
        """Return the search to read: this one, or the newest with results; None if none."""
        with self.database.reading() as connection:
            return search_to_read(connection, search) or None

    def has_search(self, number: int) -> bool:
        """Tell whether there is a search with this number."""
        with self.database.reading() as connection:
            return find_search(connection, number) is not None

    def texts_of(self, search: int | None) -> TextTable:
        """Return the texts that a search was made of; those of today if there is none."""
        return TextTable(self.database, search)

    def document(self, side: Side, search: int | None = None) -> Document:
        """Return all segments of a side, or raise an InputError if it has none.

        They are those of today, or those that a search was made of.
        """
        rows = self.texts_of(search).whole_segments(side)
        if not rows:
            raise InputError("app.no_query_text" if side == "query" else "app.no_source_text")
        with stored_value("segment"):
            return Document.from_segments(
                Segment(
                    row["id"], row["text"], row["author"], row["work"], row["locus"],
                    parse_marks(row["marks"]), json.loads(row["meta"]),
                )
                for row in rows
            )  # fmt: skip

    def revision(self) -> Revision:
        """Return what tells a page whether it is up to date."""
        with self.database.reading() as connection:
            return Revision(
                judgement_revision(connection),
                search_revision(connection),
                ranking_revision(connection),
            )


def _segment_row(segment: Segment) -> tuple[str, ...]:
    return (
        segment.id,
        segment.text,
        segment.author,
        segment.work,
        segment.locus,
        format_marks(segment.loci),
        json.dumps(dict(segment.meta)),
    )
