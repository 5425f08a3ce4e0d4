"""Clues to a verse of the Bible that are not in its words.

The Fathers cite some verses hundreds of times and most never, and often name the book. Both are
counted as what they are: log-ratios of how much likelier a verse is than any other. Together, the
verses of a source keep the weight that they have without clues, so that a Bible gains nothing on
other works in the same library.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.retrieve.verses.addresses import VerseAddresses
from locisimiles.retrieve.verses.named_books import named_books

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.index import PreparedDocument
    from locisimiles.retrieve.verses.weights import VerseWeights

__all__ = ["VerseClues"]

_NO_VERSE = -1


@dataclass(frozen=True, slots=True, eq=False)
class VerseClues:
    """The clues to the verses of a source.

    Attributes
    ----------
    weights
        How much they count.
    often
        What each source segment gains because it is often cited; 0 if it is no verse.
    book
        The number of its book among `books`; -1 if it is no verse.
    books
        The books of the source.
    """

    weights: VerseWeights
    often: NDArray[np.float32]
    book: NDArray[np.int16]
    books: tuple[str, ...]

    @classmethod
    def of(cls, source: PreparedDocument, weights: VerseWeights) -> VerseClues | None:
        """Return the clues to the verses of a source; None if it has none.

        Examples
        --------
        >>> from locisimiles import Document, Segment
        >>> from locisimiles.index import PreparedDocument
        >>> from locisimiles.retrieve.verses import VerseWeights
        >>> ids = ["vulg. mt. 5.3", "vulg. mt. 5.9", "vulg. is. 1.1"]
        >>> source = Document.from_segments([Segment(name, "beati") for name in ids])
        >>> weights = VerseWeights(often=1, named=2, counts={"Matth.": {5: [0, 0, 8]}})
        >>> clues = VerseClues.of(PreparedDocument(source), weights)
        >>> [round(float(gain), 1) for gain in clues.gains("Matthaeus ait", np.arange(3))]
        [2.9, 0.7, -1.3]
        """
        verses = source.derive("verses", lambda: _Found(VerseAddresses.of(source))).verses
        if verses is None:
            return None
        ratio = weights.often * np.log1p(weights.cited(verses.addresses))
        # An exact sum, which does not depend on the order of the verses.
        ratio -= math.log(math.fsum(np.exp(ratio).tolist()) / len(ratio))
        often = np.zeros(len(source), np.float32)
        book = np.full(len(source), _NO_VERSE, np.int16)
        often[verses.rows], book[verses.rows] = ratio, verses.book
        return cls(weights, often, book, verses.books)

    def gains(self, text: str, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return what source segments gain as candidates of a query segment, given its text."""
        named = named_books(text)
        by_book = np.zeros(len(self.books) + 1, np.float32)
        for number, book in enumerate(self.books):
            by_book[number] = self.weights.named * (book in named.books)
            by_book[number] += self.weights.kind * (book in named.kinds)
        gains: NDArray[np.float32] = self.often[rows] + by_book[self.book[rows]]
        return gains

    def verses(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which source segments are verses."""
        is_verse: NDArray[np.bool_] = self.book[rows] != _NO_VERSE
        return is_verse


@dataclass(frozen=True, slots=True)
class _Found:
    """Verses that were looked for: also where there are none, nobody looks again."""

    verses: VerseAddresses | None
