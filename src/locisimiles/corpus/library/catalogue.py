"""The catalogue of public texts: names, addresses, and how they are cut into segments.

``authors.tsv`` gives the names and dates of authors; ``works.tsv`` describes works (titles, the
benchmark's abbreviation, date, genre, whether a colon at the end of a line ends a segment), the
first part of whose names is the author; ``editions.tsv`` lists the files of their digital editions
with size and SHA-256, the preferred edition of a work first; ``sources.tsv`` the projects that
publish them, at a commit where they have commits.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from locisimiles.corpus.library.authors import Author
from locisimiles.corpus.library.names import WorkNames
from locisimiles.corpus.library.works import Work
from locisimiles.errors import UnknownTextError
from locisimiles.files.raw import printable
from locisimiles.files.tables import shipped_rows
from locisimiles.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.corpus.loci import CtsUrn

__all__ = ["SOURCES", "Author", "Catalogue", "Edition", "Source", "Text", "Work"]


@dataclass(frozen=True, slots=True)
class Source:
    """A project that publishes texts."""

    name: str
    title: str
    base: str  # address before the paths of editions; empty if only local copies can be used
    licence: str


_table = partial(shipped_rows, "locisimiles.corpus.library")

SOURCES = {row["name"]: Source(**row) for row in _table("sources.tsv")}
"""The projects by name, in the order of messages."""


@dataclass(frozen=True, slots=True)
class Edition:
    """One file of a digital edition."""

    work: str
    source: str
    path: str  # below the address of the source
    locus_prefix: str  # added to every locus of a file that is only a part of the work
    size: int
    sha256: str
    variant: str = ""  # tells a second edition of one source from the first

    @property
    def file_name(self) -> str:
        """The last part of `path`."""
        return PurePosixPath(self.path).name

    @property
    def address(self) -> str:
        """Where to download the file; empty if only local copies can be used."""
        base = SOURCES[self.source].base
        return base + self.path if base else ""


@dataclass(frozen=True, slots=True)
class Text:
    """A work in one of its editions: what the library installs by name."""

    work: Work
    source: str
    files: tuple[Edition, ...]
    variant: str = ""

    @property
    def label(self) -> str:
        """What its name has after the ``@``: the source, and which of its editions."""
        return f"{self.source}-{self.variant}" if self.variant else self.source

    @property
    def name(self) -> str:
        """The name that means this edition of the work and no other."""
        return f"{self.work.name}@{self.label}"

    @property
    def size(self) -> int:
        """Total size of the files in bytes."""
        return sum(edition.size for edition in self.files)


class Catalogue:
    """The works and editions that the library knows.

    Examples
    --------
    >>> catalogue = Catalogue.shipped()
    >>> [text.work.title for text in catalogue.find("virgil")]
    ['Eclogae', 'Georgica', 'Aeneis']
    >>> catalogue.find("vergil.aeneid")[0].files[0].file_name
    'phi0690.phi003.perseus-lat2.xml'
    >>> catalogue.find("vergil.aeneid@tesserae")[0].files[0].file_name
    'vergil.aeneid.tess'
    """

    def __init__(self, works: Iterable[Work], editions: Iterable[Edition]) -> None:
        self.works = {work.name: work for work in works}
        self.names = WorkNames(self.works.values())
        self._files: dict[tuple[str, str, str], list[Edition]] = defaultdict(list)
        self._by_stem: dict[str, Edition] = {}
        for edition in editions:
            self._files[edition.work, edition.source, edition.variant].append(edition)
            self._by_stem[PurePosixPath(edition.path).stem] = edition
        self._by_tag = _by_tag(self.works.values())
        self._by_urn = {work.urn: work for work in self.works.values() if work.urn}

    @classmethod
    def shipped(cls) -> Catalogue:
        """Return the catalogue shipped with the package."""
        return _shipped()

    def __iter__(self) -> Iterator[Text]:
        for (name, source, variant), files in self._files.items():
            yield Text(self.works[name], source, tuple(files), variant)

    def preferred(self) -> list[Text]:
        """Return the edition of each work that its name alone means."""
        first: dict[str, Text] = {}
        for text in self:
            first.setdefault(text.work.name, text)
        return list(first.values())

    def editions(self, work: str) -> list[Text]:
        """Return all editions of a work, the preferred one first."""
        return [text for text in self if text.work.name == work]

    def find(self, name: str) -> list[Text]:
        """Return the texts that a name stands for, one edition of each work.

        A name is an author (``vergil``), a work (``vergil.aeneid``), or an edition of either
        (``vergil@perseus``). Authors and works have Latin and modern names and abbreviations:
        ``Virgilio``, ``Aeneid``, ``Verg. Aen.``. An unknown name raises an UnknownTextError that
        suggests similar names; a title or first name that several authors have, one that lists
        what it may mean.
        """
        wanted, _, source = name.strip().lower().partition("@")
        # A work's own name stands for it alone, whatever else scholars call so.
        named = {wanted} & self.works.keys() or {work.name for work in self.names.find(wanted)}
        preferred: dict[str, Text] = {}
        for text in self:
            if text.work.name in named and source in ("", text.source, text.label):
                preferred.setdefault(text.work.name, text)
        if not preferred:
            raise self._unknown(name, wanted, source)
        return list(preferred.values())

    def search(self, text: str) -> list[Text]:
        """Return the preferred editions of the works whose names begin with the words of a text.

        Examples
        --------
        >>> [text.work.name for text in Catalogue.shipped().search("virg aen")]
        ['vergil.aeneid']
        """
        preferred = {one.work.name: one for one in self.preferred()}
        return [preferred[work.name] for work in self.names.search(text) if work.name in preferred]

    def file_called(self, stem: str) -> Edition | None:
        """Return the edition whose file has this name (without suffix)."""
        return self._by_stem.get(stem)

    def work_tagged(self, tag: str) -> Work | None:
        """Return the work that files mark with this tag or identifier, if only one does."""
        return self._by_tag.get(tag.lower())

    def work_with_urn(self, urn: CtsUrn) -> Work | None:
        """Return the work with this CTS URN."""
        return self._by_urn.get(urn.work)

    def _unknown(self, name: str, wanted: str, source: str) -> UnknownTextError:
        may_be = self.names.candidates(wanted)
        if may_be and (not source or source in SOURCES):
            return UnknownTextError(
                "corpus.ambiguous_text",
                name=printable(name),
                advice=Message("corpus.give_one_of", {"names": ", ".join(may_be)}),
            )
        return UnknownTextError(
            "corpus.unknown_text", name=printable(name), advice=self._advice(wanted, source)
        )

    def _advice(self, wanted: str, source: str) -> Message:
        if source and source not in SOURCES:
            return Message("corpus.known_sources", {"sources": ", ".join(SOURCES)})
        similar = [work.name for work in self.names.search(wanted)][:5] if wanted else []
        if not similar:
            names = sorted({*self.works, *(work.author_name for work in self.works.values())})
            similar = difflib.get_close_matches(wanted, names, n=3, cutoff=0.5)
        if similar:
            return Message("corpus.similar_names", {"names": ", ".join(similar)})
        return Message("corpus.see_all_names")


def _by_tag(works: Iterable[Work]) -> dict[str, Work]:
    """Index works by abbreviation and tag, leaving out ambiguous ones.

    The benchmark's own abbreviations win over the tags of other projects.
    """
    tagged: dict[str, list[Work]] = defaultdict(list)
    abbreviated: dict[str, list[Work]] = defaultdict(list)
    for work in works:
        abbreviated[work.abbreviation.lower()].append(work)
        for tag in work.known_as:
            tagged[tag.lower()].append(work)
    return {
        tag: candidates[0]
        for index in (tagged, abbreviated)
        for tag, candidates in index.items()
        if len(candidates) == 1
    }


@lru_cache(maxsize=1)
def _shipped() -> Catalogue:
    authors = {row["name"]: _author(row) for row in _table("authors.tsv")}
    works = [_work(row, authors) for row in _table("works.tsv")]
    editions = [Edition(size=int(row.pop("bytes")), **row) for row in _table("editions.tsv")]
    return Catalogue(works, editions)


def _author(row: dict[str, str]) -> Author:
    first, last = int(row["first"]), int(row["last"])
    return Author(row["name"], row["author"], _several(row["names"]), first, last, row["source"])


def _work(row: dict[str, Any], authors: dict[str, Author]) -> Work:
    by = authors[row["name"].partition(".")[0]]
    year = row.pop("year")
    names, known_as = _several(row.pop("names")), _several(row.pop("known_as"))
    facts: dict[str, Any] = {
        "year": int(year) if year else None,
        "names": names,
        "known_as": known_as,
    }
    return Work(author=by.author, by=by, **facts, **row)


def _several(cell: str) -> tuple[str, ...]:
    return tuple(filter(None, cell.split("|")))
