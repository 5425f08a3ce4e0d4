"""The works that the library knows, to be searched, filtered and chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from locisimiles.app.projects.periods import Period
from locisimiles.corpus.library import Catalogue, Library
from locisimiles.corpus.library.catalogue import SOURCES
from locisimiles.errors import UnknownTextError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from locisimiles.corpus.library import Text, Work

__all__ = [
    "LibraryFilter",
    "ListedEdition",
    "ListedWork",
    "by_author",
    "edition_name",
    "list_works",
    "shown_name",
]


@dataclass(frozen=True, slots=True)
class LibraryFilter:
    """What is wanted of the library; everything by default.

    Attributes
    ----------
    words
        The beginnings of any names of author and work: ``verg aen``, ``Odes``, ``Énéide``.
    author
        The author, by the first part of the names of works: ``vergil``.
    genre
        ``verse`` or ``prose``; empty for both.
    period
        When works were finished, or their authors lived if that is unknown.
    installed
        Whether only works on this machine are wanted.
    """

    words: str = ""
    author: str = ""
    genre: str = ""
    period: Period = field(default_factory=Period)
    installed: bool = False

    def takes(self, work: Work) -> bool:
        """Tell whether a work is wanted, by all but its names and whether it is installed."""
        return (
            self.author in ("", work.author_name)
            and self.genre in ("", work.form)
            and self.period.meets(work.earliest, work.latest)
        )


@dataclass(frozen=True, slots=True)
class ListedEdition:
    """An edition of a work: the name to add it by, who publishes it, and whether it is here."""

    name: str
    publisher: str
    size: int
    is_installed: bool
    can_download: bool

    @property
    def is_available(self) -> bool:
        """Whether it can be added, at once or after a download."""
        return self.is_installed or self.can_download


@dataclass(frozen=True, slots=True)
class ListedWork:
    """A work in the list, with its editions, the preferred one first."""

    name: str
    author: str
    title: str
    year: int | None
    genre: str
    editions: tuple[ListedEdition, ...]

    @property
    def author_name(self) -> str:
        """The author, as filters name them."""
        return self.name.partition(".")[0]

    @property
    def is_installed(self) -> bool:
        """Whether an edition is on this machine."""
        return any(edition.is_installed for edition in self.editions)

    @property
    def edition(self) -> ListedEdition:
        """The edition to take if nobody chooses: one that is here, or else that can be had."""
        return min(self.editions, key=lambda one: (not one.is_installed, not one.can_download))


def list_works(
    wanted: LibraryFilter | None = None, library: Library | None = None
) -> list[ListedWork]:
    """Return the works that are wanted, by author and then in the order of the catalogue.

    Examples
    --------
    >>> [work.name for work in list_works(LibraryFilter(words="Énéide"))]
    ['vergil.aeneid']
    >>> [work.name for work in list_works(LibraryFilter(author="vergil", period=Period(-30, -20)))]
    ['vergil.georgics']
    """
    wanted, library = wanted or LibraryFilter(), library or Library()
    editions: dict[str, list[Text]] = {}
    for text in library.catalogue:
        editions.setdefault(text.work.name, []).append(text)
    works = [
        _listed(library, work, editions[work.name])
        for work in library.catalogue.names.search(wanted.words)
        if work.name in editions and wanted.takes(work)
    ]
    shown = [work for work in works if work.is_installed or not wanted.installed]
    return sorted(shown, key=lambda work: work.author)


def by_author(works: Iterable[ListedWork]) -> Mapping[str, Sequence[ListedWork]]:
    """Return works that are in order, by the name of their author."""
    return {name: list(group) for name, group in groupby(works, lambda work: work.author_name)}


def edition_name(text: Text) -> str:
    """Return the name that means this edition of a work and no other."""
    return text.name


def shown_name(name: str, author: Callable[[str], str] = str) -> str:
    """Return author, title and publisher of a text in the library; other names as they are.

    `author` translates the name of the author.

    Examples
    --------
    >>> shown_name("vergil.aeneid@tesserae"), shown_name("vergil")
    ('Virgil, Aeneis (Tesserae Project)', 'vergil')
    """
    try:
        texts = Catalogue.shipped().find(name)
    except UnknownTextError:
        return name
    if len(texts) > 1:
        return name
    work = texts[0].work
    return f"{author(work.author)}, {work.title} ({SOURCES[texts[0].source].title})"


def _listed(library: Library, work: Work, texts: Sequence[Text]) -> ListedWork:
    editions = tuple(
        ListedEdition(
            edition_name(text),
            SOURCES[text.source].title,
            text.size,
            library.is_installed(text),
            library.can_download(text),
        )
        for text in texts
    )
    return ListedWork(work.name, work.author, work.title, work.year, work.form, editions)
