"""An *apparatus fontium* as data: what all formats print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from locisimiles.evidence.alignment import Span

__all__ = [
    "ALSO",
    "Apparatus",
    "Citation",
    "Entry",
    "Note",
    "Passage",
    "Reader",
    "Section",
    "Siglum",
]

ALSO = "cf. also"
"""The mark of a source with nearly the same words as the one before it."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note of a reader, with the siglum of the reader if there are several."""

    text: str
    reader: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a source that answers a lemma.

    Attributes
    ----------
    mark
        ``cf.`` for an allusion, empty for a verbatim reference, `ALSO` for a source with nearly
        the same words as the one before.
    siglum, locus
        The work as it is abbreviated, and the lines or sections: ``Verg. Aen.``, ``3.192–195``.
    quotation
        The words of the source that answer.
    urn
        The CTS URN of the place; empty if unknown.
    source_ids
        The segments it stands for; neighbouring ones are joined.
    readers
        Sigla of the readers who accepted it, if there are several readers.
    repeats
        Whether mark and siglum are those of the citation before, so that the locus is enough.
    """

    mark: str
    siglum: str
    locus: str
    quotation: str = ""
    urn: str = ""
    source_ids: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    readers: tuple[str, ...] = ()
    repeats: bool = False

    @property
    def text(self) -> str:
        """The citation as it is printed, without notes.

        Examples
        --------
        >>> Citation("cf.", "Verg. Aen.", "4.280").text
        'cf. Verg. Aen. 4.280'
        >>> Citation("cf.", "Verg. Aen.", "12.868", repeats=True).text
        '12.868'
        """
        parts = (self.locus,) if self.repeats else (self.mark, self.siglum, self.locus)
        return " ".join(filter(None, parts))

    @property
    def remark(self) -> str:
        """The notes, then the readers; empty without either.

        Examples
        --------
        >>> Citation(
        ...     "", "Verg. Aen.", "2.774", notes=(Note("or Ov.?", "B"),), readers=("A",)
        ... ).remark
        '(or Ov.? B) [A]'
        """
        notes = (f"({' '.join(filter(None, (note.text, note.reader)))})" for note in self.notes)
        readers = f"[{', '.join(self.readers)}]" if self.readers else ""
        return " ".join(filter(None, (*notes, readers)))


@dataclass(frozen=True, slots=True)
class Entry:
    """A lemma, and the places that answer it.

    Attributes
    ----------
    span
        Where the lemma stands in the text of its passage.
    lemma
        Its words; of many, the first and the last.
    locus
        The line or section in which it begins; empty if unknown.
    """

    span: Span
    lemma: str
    locus: str
    citations: tuple[Citation, ...]

    @property
    def text(self) -> str:
        """What follows the lemma: all citations with their notes.

        Examples
        --------
        >>> places = Citation("", "Verg. Aen.", "2.774"), Citation("cf.", "Ov. met.", "1.1")
        >>> Entry((0, 3), "uox", "1.1", places).text
        'Verg. Aen. 2.774; cf. Ov. met. 1.1'
        """
        return "; ".join(" ".join(filter(None, (c.text, c.remark))) for c in self.citations)


@dataclass(frozen=True, slots=True)
class Passage:
    """A segment of the examined text.

    Attributes
    ----------
    label
        Its locus, if the passage before has another one.
    breaks
        Whether it begins a new line of verse.
    """

    id: str
    text: str
    locus: str
    label: str
    urn: str
    breaks: bool
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A book, a letter or a poem, with its passages in order."""

    title: str
    verse: bool
    passages: tuple[Passage, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, in the order of the text."""
        return tuple(entry for passage in self.passages for entry in passage.entries)


@dataclass(frozen=True, slots=True)
class Siglum:
    """What the abbreviation of a source stands for; parts that are not known are empty."""

    siglum: str
    author: str = ""
    title: str = ""
    edition: str = ""

    @property
    def text(self) -> str:
        """Author, title and edition.

        Examples
        --------
        >>> Siglum("Verg. Aen.", "Virgil", "Aeneis", "Perseus Digital Library").text
        'Virgil, Aeneis (Perseus Digital Library)'
        """
        work = ", ".join(filter(None, (self.author, self.title)))
        return f"{work} ({self.edition})" if self.edition else work


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader who accepted references, and the siglum; the name may be empty."""

    siglum: str
    name: str


@dataclass(frozen=True, slots=True)
class Apparatus:
    """An *apparatus fontium*: sections with their entries, and what explains them.

    Attributes
    ----------
    title
        The works it belongs to.
    readers
        Those who accepted references. Their sigla are printed if there are several.
    verbatim, allusions, candidates
        How many pairs were accepted as either, and of how many.
    date
        The day of the last verdict, as ISO 8601; empty if unknown.
    version
        Of the program; empty if unknown.
    """

    title: str
    sections: tuple[Section, ...]
    sigla: tuple[Siglum, ...]
    readers: tuple[Reader, ...]
    verbatim: int
    allusions: int
    candidates: int
    date: str
    version: str

    @property
    def abbreviations(self) -> tuple[Siglum, ...]:
        """The sigla that stand for something longer, to be explained in print."""
        return tuple(one for one in self.sigla if one.text != one.siglum)
