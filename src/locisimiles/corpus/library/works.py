"""Works of literature, as the catalogue describes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from locisimiles.corpus.library.authors import Author

__all__ = ["GENRES", "Work"]

GENRES = (
    *("comedy", "didactic", "elegy", "epic", "epigram", "fable", "hymn", "lyric", "panegyric"),
    *("pastoral", "poems", "satire", "tragedy"),
    *("biography", "exegesis", "grammar", "history", "letters", "miscellany", "novel", "oratory"),
    *("philosophy", "rhetoric", "sermons", "technical", "theology"),
)
"""The genres: first those mostly of verse, then those mostly of prose."""


@dataclass(frozen=True, slots=True)
class Work:
    """A work of literature, independent of editions.

    Attributes
    ----------
    name
        Its name in the library: ``vergil.aeneid``.
    abbreviation
        The first part of its segments' ids, as in the benchmark: ``verg. aen.``
    year
        Approximate year of completion; negative before our era, None if unknown.
    form
        Verse or prose.
    colon
        Whether ``:`` at the end of a verse line ends a segment, as in the benchmark.
    urn
        CTS work identifier, such as ``phi0690.phi003``; empty if unknown.
    known_as
        Names of the work in files: Tesserae tags, identifiers of the Corpus Corporum.
    genre
        One of `GENRES`.
    names
        Other titles, English and Latin.
    by
        Its author, with the years in which they lived; None if the catalogue does not say.
    """

    name: str
    author: str
    title: str
    abbreviation: str
    year: int | None
    form: Literal["verse", "prose"]
    colon: Literal["never", "line-end"]
    urn: str
    known_as: tuple[str, ...]
    genre: str = ""
    names: tuple[str, ...] = ()
    by: Author | None = None

    @property
    def verse(self) -> bool:
        """Whether it is written in verse."""
        return self.form == "verse"

    @property
    def author_name(self) -> str:
        """The author: the first part of `name`."""
        return self.name.partition(".")[0]

    @property
    def latest(self) -> int | None:
        """The year in which it was finished, or else the last in which it can have been."""
        return self.year if self.year is not None or self.by is None else self.by.last

    @property
    def earliest(self) -> int | None:
        """The year in which it was finished, or else the first of its author's life."""
        return self.year if self.year is not None or self.by is None else self.by.first
