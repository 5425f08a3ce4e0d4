"""The Vulgate from a file of your own: cut into verses, one file a book, named as scholars do.

No public project that we know offers a Vulgate at an address that stays, with a licence to pass it
on. So you add the one you have. A verse is recognised by its label, as in ``Matth. 5.22``, ``Mt
5:22``, ``1 Cor 13,1`` or ``vulg. mt. 5.22``: the id of a segment, or its work and locus, or what
begins a line.
"""

from __future__ import annotations

import csv
import io
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.corpus.document import Document
from locisimiles.corpus.library.sigla import siglum_of, siglum_of_tag
from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.decoding import decode
from locisimiles.files.raw import read_raw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = ["Verse", "book_file", "book_of", "read_verses", "vulgate_files"]

AUTHOR = "Vulgata"
_SIGLUM = "Vulg."
_LABEL = re.compile(r"(?P<book>.+?)[\s.]*\b(?P<chapter>\d{1,3})\s*[.:,]\s*(?P<verse>\d{1,3})\.?")
_LINE = re.compile(r"(?P<label>\S.{0,40}?\d{1,3}\s*[.:,]\s*\d{1,3})\.?[\s|]+(?P<text>\S.*)")
_FIELDS = re.compile(
    r"(?P<book>[^|\t]{1,40})[|\t](?P<chapter>\d{1,3})[|\t](?P<verse>\d{1,3})[|\t](?P<text>.*\S.*)"
)
_NUMBERED = re.compile(r"([1-4]|I{1,3}|IV)[\s._]*(?=[^\W\d])")
_ROMAN = {"1": "I", "2": "II", "3": "III", "4": "IV"}
_ARABIC = {roman: arabic for arabic, roman in _ROMAN.items()}
_MOST_WITHOUT_LABEL = 0.2
_LINES = (".txt", ".lat", ".md", "")


class Verse(NamedTuple):
    """A verse: its book as it is cited, and its number; Psalms are numbered as in the file."""

    book: str
    chapter: int
    verse: int
    text: str


@lru_cache(maxsize=4096)
def book_of(name: str) -> str:
    """Return how a book of the Bible is cited; empty if the name is of no book.

    Names are Latin, English or abbreviated, with or without ``vulg.``.

    Examples
    --------
    >>> [book_of(name) for name in ("Mt", "vulg. 1cor.", "1 Corinthians", "II Reg.", "Aeneis")]
    ['Matth.', 'I Cor.', 'I Cor.', 'II reg.', '']
    """
    name = re.sub(r"^vulg(ata|ate|\.)?[\s.]+", "", name.strip(), flags=re.IGNORECASE)
    for spelled in _spellings(name):
        siglum = siglum_of(AUTHOR, spelled)
        if siglum.levels:
            return siglum.printed.removeprefix(_SIGLUM).strip()
    return ""


def _spellings(name: str) -> Iterator[str]:
    """Yield a name as it is, and with its number written in other ways: 1 Cor, 1Cor, I Cor."""
    yield name
    numbered = _NUMBERED.match(name)
    if numbered is not None and (rest := name[numbered.end() :]):
        number = _ARABIC.get(numbered[1], numbered[1])
        yield from (f"{number}{rest}", f"{number} {rest}", f"{_ROMAN[number]} {rest}")


def read_verses(path: Path) -> list[Verse]:
    """Read the verses of a file, in its order.

    Raises
    ------
    InputError
        If more than a fifth of its passages have no label, or two have the same.
    """
    verses, unnamed = list[Verse](), 0
    first: dict[tuple[str, int, int], int] = {}
    for row, (labels, text) in enumerate(_passages(path), start=1):
        verse = next(filter(None, (_verse(label, text) for label in labels)), None)
        if verse is None:
            unnamed += 1
        elif first.setdefault(verse[:3], row) != row:
            name = f"{verse.book} {verse.chapter}.{verse.verse}"
            raise MalformedInputError(
                "corpus.verse_twice",
                verse=name,
                first=str(first[verse[:3]]),
                file=str(path),
                row=row,
            )
        else:
            verses.append(verse)
    if not verses or unnamed > _MOST_WITHOUT_LABEL * (len(verses) + unnamed):
        raise InputError("corpus.no_verses", file=str(path), count=unnamed)
    return verses


def _passages(path: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what may be labels of each passage, and its text."""
    if path.suffix.lower() in _LINES:
        for line in decode(read_raw(path))[0].splitlines():
            found = _FIELDS.fullmatch(line.strip()) or _LINE.fullmatch(line.strip())
            if found is not None:
                named = found.groupdict()
                label = named.get("label") or "{book} {chapter}.{verse}".format_map(named)
                yield (label,), found["text"].strip()
            elif line.strip():
                yield (), line
        return
    for segment in Document(path):
        yield (f"{segment.work} {segment.locus}", segment.id), segment.text


def _verse(label: str, text: str) -> Verse | None:
    found = _LABEL.fullmatch(label.strip())
    book = "" if found is None else book_of(found["book"])
    return Verse(book, int(found["chapter"]), int(found["verse"]), text) if found and book else None


def book_file(verses: Iterable[Verse]) -> str:
    """Return the verses of a book as a table of segments.

    Examples
    --------
    >>> print(book_file([Verse("Matth.", 5, 3, "Beati pauperes spiritu")]))
    seg_id,author,work,locus,text
    vulg. matth. 5.3,Vulgata,Matth.,5.3,Beati pauperes spiritu
    <BLANKLINE>
    """
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(["seg_id", "author", "work", "locus", "text"])
    for book, chapter, verse, text in verses:
        locus = f"{chapter}.{verse}"
        table.writerow([f"vulg. {book.lower()} {locus}", AUTHOR, book, locus, text])
    return stream.getvalue()


def by_book(verses: Iterable[Verse]) -> Mapping[str, list[Verse]]:
    """Return the verses of each book, books in the order of the file."""
    books: dict[str, list[Verse]] = {}
    for verse in verses:
        books.setdefault(verse.book, []).append(verse)
    return books


def vulgate_files(folder: Path, name: str) -> list[Path]:
    """Return the files in a folder that a name stands for: ``vulgate``, ``vulgate.matthew``.

    None do if the name is not of the Vulgate, or of a book that is not there.

    Examples
    --------
    >>> from pathlib import Path
    >>> vulgate_files(Path("/nonexistent"), "vergil.aeneid")
    []
    """
    author, _, book = name.strip().partition(".")
    if siglum_of_tag(author).printed != _SIGLUM and author.lower() not in ("vulgate", "vulgata"):
        return []
    files = sorted(folder.glob("*.csv"))
    if not book:
        return files
    cited = book_of(book.replace("_", " "))
    return [path for path in files if cited and path.stem.partition(" ")[2] == cited]
