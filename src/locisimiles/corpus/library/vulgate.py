"""The Vulgate of your own: one file a book, named as scholars do.

No public project that we know offers a Vulgate at an address that stays, with a licence to pass it
on. So you add the one you have; `locisimiles.corpus.verses` reads it.
"""

from __future__ import annotations

import csv
import io
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.corpus.library.sigla import siglum_of, siglum_of_tag

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = ["Verse", "book_file", "book_of", "by_book", "vulgate_files"]

AUTHOR = "Vulgata"
_SIGLUM = "Vulg."
_NUMBERED = re.compile(r"([1-4]|I{1,3}|IV)[\s._]*(?=[^\W\d])")
_ROMAN = {"1": "I", "2": "II", "3": "III", "4": "IV"}
_ARABIC = {roman: arabic for arabic, roman in _ROMAN.items()}


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
