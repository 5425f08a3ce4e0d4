"""Books of works, from the loci of their segments."""

from __future__ import annotations

__all__ = ["BOOKS", "BOOK_COLUMNS", "book_of"]

_DIGITS = "'0123456789'"
_LETTERS = "'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ. '"
# A missing locus is taken from an id like ours, whose last number counts sentences.
_LOCUS = (
    "CASE WHEN {table}.locus != '' THEN {table}.locus "
    f"ELSE RTRIM(RTRIM(LTRIM({{table}}.id, {_LETTERS}), {_DIGITS}), '.') END"
)
# The first number of a locus that has more than one; a work without books is one.
_BOOK = (
    f"CASE WHEN SUBSTR(LTRIM({_LOCUS}, {_DIGITS}), 1, 1) = '.' THEN "
    f"SUBSTR({_LOCUS}, 1, LENGTH({_LOCUS}) - LENGTH(LTRIM({_LOCUS}, {_DIGITS}))) ELSE '' END"
)
BOOK_COLUMNS = "author, work, book, first, last, segments"


def book_of(table: str) -> str:
    """Return the SQL of the book in which a segment is.

    Examples
    --------
    >>> book_of("q").count("q.locus") > 1
    True
    """
    return _BOOK.format(table=table)


BOOKS = (
    f"SELECT author, work, {book_of('segment')} AS book, MIN(position) AS first, "  # noqa: S608
    "MAX(position) AS last, COUNT(*) AS segments FROM segment WHERE side = ?{only} "
    "GROUP BY author, work, book"
)
"""Selects the books of a side; ``{only}`` may say which segments count."""
