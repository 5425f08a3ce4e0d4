"""Which books of the Bible a sentence names: *Esaias aperte dicit*, *in epistola ad Hebraeos*."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.files.tables import shipped_rows
from locisimiles.latin.orthography import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Named", "named_books"]

_WORD = re.compile(r"[^\W\d_]+")
_MOST_BOOKS = 4
_PREFIX = "*"
_SHORTEST = 4


class Named(NamedTuple):
    """The books that a sentence names, as `book_of` cites them.

    `books` are named by their title or author, `kinds` as one of many: a prophet, the Apostle.
    """

    books: frozenset[str]
    kinds: frozenset[str]


def named_books(text: str) -> Named:
    """Return the books that a sentence names.

    Examples
    --------
    >>> sorted(named_books("Esaias vero aperte dicit: Qui eduxit de terra pastorem").books)
    ['Is.']
    >>> named = named_books("Apostolus ad Galatas scribens")
    >>> sorted(named.books), "Rom." in named.kinds
    (['Gal.'], True)
    """
    sets = [_books_of(word) for word in _WORD.findall(fold(text))]
    few = [books for books in sets if len(books) <= _MOST_BOOKS]
    many = [books for books in sets if len(books) > _MOST_BOOKS]
    return Named(frozenset().union(*few), frozenset().union(*many))


@lru_cache(maxsize=1 << 16)
def _books_of(word: str) -> frozenset[str]:
    """Return the books that a word names, in one spelling."""
    words, stems = _table()
    if word in words:
        return words[word]
    for length in range(len(word), _SHORTEST - 1, -1):
        if word[:length] in stems:
            return stems[word[:length]]
    return frozenset()


@lru_cache(maxsize=1)
def _table() -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
    """Return the books that words name, and those that words name which begin with a stem."""
    words: dict[str, frozenset[str]] = {}
    stems: dict[str, frozenset[str]] = {}
    for row in shipped_rows("locisimiles.retrieve.verses", "names.tsv"):
        books = frozenset(row["books"].split("|"))
        for name in row["names"].split():
            if name.endswith(_PREFIX):
                stems[name.removesuffix(_PREFIX)] = books
            else:
                words[name] = books
    return words, stems
