"""Which segments of a source are verses of the Bible: their books, chapters and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus.library.sigla import siglum_of_tag
from locisimiles.corpus.library.vulgate import book_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from locisimiles.index import PreparedDocument

__all__ = ["Address", "VerseAddresses"]

_LOCUS = re.compile(r"(\d{1,3})\s*[.:,]\s*(\d{1,3})")
_ID = re.compile(r"(.+?)[\s.]+(\d{1,3}\s*[.:,]\s*\d{1,3})")
_FEWEST_BOOKS = 5
_BIBLE = "Vulg."

Address = tuple[str, int, int]
"""A book as `book_of` cites it, chapter and verse."""


@dataclass(frozen=True, slots=True, eq=False)
class VerseAddresses:
    """The verses among the segments of a source, by ascending position.

    Attributes
    ----------
    rows
        Their positions.
    book
        The number of the book of each among `books`.
    books
        The books that occur.
    addresses
        The address of each.
    """

    rows: NDArray[np.int64]
    book: NDArray[np.int64]
    books: tuple[str, ...]
    addresses: tuple[Address, ...]

    @classmethod
    def of(cls, source: PreparedDocument) -> VerseAddresses | None:
        """Find the verses of a source; None if it has none.

        A work is a book of the Bible if its name is and its author is the Vulgate or missing, or if
        five works of its author have such names. Segments without author and work are recognised by
        their ids.

        Examples
        --------
        >>> from locisimiles import Document, Segment
        >>> from locisimiles.index import PreparedDocument
        >>> verse = Segment("vulg. mt. 5.3", "Beati pauperes spiritu")
        >>> line = Segment("verg. aen. 1.1", "arma uirumque cano", "Vergil", "Aeneis", "1.1")
        >>> VerseAddresses.of(PreparedDocument(Document.from_segments([verse, line]))).addresses
        (('Matth.', 5, 3),)
        """
        found = list(_addresses(source))
        if not found:
            return None
        books = tuple(dict.fromkeys(address[0] for _, address in found))
        number = {book: place for place, book in enumerate(books)}
        return cls(
            np.array([row for row, _ in found], np.int64),
            np.array([number[address[0]] for _, address in found], np.int64),
            books,
            tuple(address for _, address in found),
        )


def _addresses(source: PreparedDocument) -> Iterator[tuple[int, Address]]:
    works, number = source.works_column
    books = _books(works)
    nameless = [not author and not work for author, work in works]
    asked = np.array([bool(book) or none for book, none in zip(books, nameless, strict=True)], bool)
    for row in np.flatnonzero(asked[number]).tolist():
        book, locus = books[number[row]], source.loci[row] or ""
        if nameless[number[row]]:
            named = _ID.fullmatch(source.ids[row])
            book, locus = (book_of(named[1]), named[2]) if named else ("", "")
        place = _LOCUS.fullmatch(locus.strip())
        if book and place:
            yield row, (book, int(place[1]), int(place[2]))


def _books(works: Iterable[tuple[str, str]]) -> list[str]:
    """Return the book of the Bible that each work of an author is, or nothing."""
    pairs = [(author, book_of(work) if work else "") for author, work in works]
    own: dict[str, set[str]] = {}
    for author, book in pairs:
        own.setdefault(author, set()).update({book} - {""})
    bibles = {
        author
        for author, books in own.items()
        if len(books) >= _FEWEST_BOOKS or not author or siglum_of_tag(author).printed == _BIBLE
    }
    return [book if author in bibles else "" for author, book in pairs]
