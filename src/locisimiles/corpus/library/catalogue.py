"""The catalogue of public texts: what they are called, where they are, how they are cut.

Two tables travel with the package. ``works.tsv`` describes works (author, title, the
abbreviation the benchmark uses, date, genre, whether a colon at a line's end closes a segment);
``editions.tsv`` lists the files of their digital editions with size and SHA-256, the preferred
edition of a work first.
"""

from __future__ import annotations

import csv
import difflib
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal, cast

from locisimiles.errors import UnknownTextError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.corpus.loci import CtsUrn

__all__ = ["SOURCES", "Catalogue", "Edition", "Source", "Text", "Work"]


@dataclass(frozen=True, slots=True)
class Source:
    """A project that publishes texts.

    Attributes
    ----------
    base
        Address that the paths of its editions continue; empty where files cannot be fetched one
        by one and must come from a local copy.
    """

    name: str
    title: str
    base: str
    licence: str


SOURCES = {
    source.name: source
    for source in (
        Source(
            "tesserae",
            "Tesserae Project",
            "https://raw.githubusercontent.com/tesserae/tesserae/master/texts/la/",
            "public domain texts",
        ),
        Source(
            "perseus",
            "Perseus Digital Library",
            "https://raw.githubusercontent.com/PerseusDL/canonical-latinLit/master/",
            "CC BY-SA 4.0",
        ),
        Source(
            "csel",
            "Open Greek and Latin, CSEL",
            "https://raw.githubusercontent.com/OpenGreekAndLatin/csel-dev/master/",
            "CC BY-SA 4.0",
        ),
        Source("corpus-corporum", "Corpus Corporum", "", "non-commercial use"),
        Source("latin-library", "The Latin Library", "", "not stated"),
    )
}

_AUTHOR_ALIASES = {
    "catull": "catullus",
    "cic": "cicero",
    "tullius": "cicero",
    "hier": "jerome",
    "hieronymus": "jerome",
    "hor": "horace",
    "horatius": "horace",
    "lact": "lactantius",
    "lucanus": "lucan",
    "lucr": "lucretius",
    "martialis": "martial",
    "ov": "ovid",
    "ovidius": "ovid",
    "prop": "propertius",
    "stat": "statius",
    "tib": "tibullus",
    "val_fl": "valerius_flaccus",
    "valerius": "valerius_flaccus",
    "verg": "vergil",
    "vergilius": "vergil",
    "virgil": "vergil",
}


@dataclass(frozen=True, slots=True)
class Work:
    """A work of literature, whatever the edition.

    Attributes
    ----------
    name
        What users call it: ``vergil.aeneid``.
    abbreviation
        The beginning of its segments' ids, as in the benchmark: ``verg. aen.``
    year
        When it was finished, roughly; years before our era are negative.
    colon
        Whether ``:`` at the end of a verse line closes a segment, as the benchmark cuts the work.
    urn
        CTS work identifier, such as ``phi0690.phi003``; empty if there is none.
    known_as
        Names that files use for it: Tesserae tags, identifiers of the Corpus Corporum.
    """

    name: str
    author: str
    title: str
    abbreviation: str
    year: int
    genre: Literal["verse", "prose"]
    colon: Literal["never", "line-end"]
    urn: str
    known_as: tuple[str, ...]

    @property
    def verse(self) -> bool:
        """Whether it is written in verse."""
        return self.genre == "verse"

    @property
    def author_name(self) -> str:
        """The author as the first part of `name` gives it."""
        return self.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Edition:
    """One file of a digital edition.

    Attributes
    ----------
    path
        Where the file is, below the address of its source.
    locus_prefix
        Put before every locus of the file, where it holds only a part of the work.
    """

    work: str
    source: str
    path: str
    locus_prefix: str
    size: int
    sha256: str

    @property
    def file_name(self) -> str:
        """The last part of `path`."""
        return PurePosixPath(self.path).name

    @property
    def address(self) -> str:
        """Where to fetch the file; empty if it can only come from a local copy."""
        base = SOURCES[self.source].base
        return base + self.path if base else ""


@dataclass(frozen=True, slots=True)
class Text:
    """A work in one of its editions: what the library installs by name."""

    work: Work
    source: str
    files: tuple[Edition, ...]

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(edition.size for edition in self.files)


class Catalogue:
    """The works and editions we know.

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
        self._files: dict[tuple[str, str], list[Edition]] = defaultdict(list)
        self._by_stem: dict[str, Edition] = {}
        for edition in editions:
            self._files[edition.work, edition.source].append(edition)
            self._by_stem[PurePosixPath(edition.path).stem] = edition
        self._by_tag = _by_tag(self.works.values())
        self._by_urn = {work.urn: work for work in self.works.values() if work.urn}

    @classmethod
    def shipped(cls) -> Catalogue:
        """Return the catalogue that travels with the package."""
        return _shipped()

    def __iter__(self) -> Iterator[Text]:
        for (name, source), files in self._files.items():
            yield Text(self.works[name], source, tuple(files))

    def find(self, name: str) -> list[Text]:
        """Return the texts a user means by a name, one edition of each work.

        Parameters
        ----------
        name
            An author (``vergil``), a work (``vergil.aeneid``), or an edition of either
            (``vergil@perseus``). Latin and English names of authors do, in any case.

        Raises
        ------
        UnknownTextError
            If there is none; the message proposes similar names.
        """
        wanted, _, source = name.strip().lower().partition("@")
        author, dot, rest = wanted.partition(".")
        wanted = _AUTHOR_ALIASES.get(author, author) + dot + rest
        preferred: dict[str, Text] = {}
        for text in self:
            if wanted in (text.work.name, text.work.author_name) and source in ("", text.source):
                preferred.setdefault(text.work.name, text)
        if not preferred:
            raise UnknownTextError(
                f"there is no text called {name!r}", hint=self._suggestion(wanted, source)
            )
        return list(preferred.values())

    def file_called(self, stem: str) -> Edition | None:
        """Return the edition whose file has this name (without suffix)."""
        return self._by_stem.get(stem)

    def work_tagged(self, tag: str) -> Work | None:
        """Return the work that files mark with this tag or identifier, if only one does."""
        return self._by_tag.get(tag.lower())

    def work_with_urn(self, urn: CtsUrn) -> Work | None:
        """Return the work with this CTS URN."""
        return self._by_urn.get(urn.work)

    def _suggestion(self, wanted: str, source: str) -> str:
        if source and source not in SOURCES:
            return f"after '@' comes one of {', '.join(SOURCES)}"
        names = sorted({*self.works, *(work.author_name for work in self.works.values())})
        similar = difflib.get_close_matches(wanted, names, n=3, cutoff=0.5)
        similar += [name for name in names if wanted and wanted in name and name not in similar][:3]
        meant = f"did you mean {', '.join(similar)}? " if similar else ""
        return f"{meant}'locisimiles library list' shows all names"


def _by_tag(works: Iterable[Work]) -> dict[str, Work]:
    """Index works by abbreviation and tag, leaving out what could mean several works.

    The benchmark's own abbreviations win over the tags of other projects.
    """
    tagged: dict[str, list[Work]] = defaultdict(list)
    abbreviated: dict[str, list[Work]] = defaultdict(list)
    for work in works:
        abbreviated[work.abbreviation.lower()].append(work)
        for tag in work.known_as:
            tagged[tag.lower()].append(work)
    unique = {tag: found[0] for tag, found in tagged.items() if len(found) == 1}
    return unique | {tag: found[0] for tag, found in abbreviated.items() if len(found) == 1}


@lru_cache(maxsize=1)
def _shipped() -> Catalogue:
    return Catalogue(
        (
            Work(
                name=row["name"],
                author=row["author"],
                title=row["title"],
                abbreviation=row["abbreviation"],
                year=int(row["year"]),
                genre=cast("Literal['verse', 'prose']", row["genre"]),
                colon=cast("Literal['never', 'line-end']", row["colon"]),
                urn=row["urn"],
                known_as=tuple(filter(None, row["known_as"].split("|"))),
            )
            for row in _table("works.tsv")
        ),
        (
            Edition(
                work=row["work"],
                source=row["source"],
                path=row["path"],
                locus_prefix=row["locus_prefix"],
                size=int(row["bytes"]),
                sha256=row["sha256"],
            )
            for row in _table("editions.tsv")
        ),
    )


def _table(name: str) -> Iterator[dict[str, str]]:
    path = resources.files("locisimiles.corpus.library") / "data" / name
    yield from csv.DictReader(path.read_text(encoding="utf-8").splitlines(), delimiter="\t")
