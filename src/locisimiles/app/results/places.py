"""Who cites what where: pairs as points, by their places in both texts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.storage.tables.places import Likely, PlaceTable, StoredBook
from locisimiles.corpus import Segment
from locisimiles.corpus.citations import cite, cited_work

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.projects.project import Project
    from locisimiles.app.results import ResultFilter
    from locisimiles.app.storage.tables.places import StoredPlace

__all__ = ["Book", "Likely", "Places", "Point", "find_places"]

MOST_POINTS = 2000
"""More pairs are drawn as cells."""
_PARTS = 60  # of an axis, if pairs are drawn as cells


class Book(NamedTuple):
    """A book on an axis; a work without books is one."""

    work: str  # as it is cited; author and work if no abbreviation is known
    name: str  # its number; empty if the work has no books
    begin: float
    end: float
    opens: bool  # whether it is the first book of its work


@dataclass(frozen=True, slots=True)
class Point:
    """A pair, or several that are near each other.

    Attributes
    ----------
    row
        The row of the pair; of the first, if there are several.
    query, source
        Places on the axes.
    query_citation, source_citation
        What is cited, and by what; books, if there are several pairs.
    value
        Probability, or score; None for several pairs.
    verdict
        The verdict on the pair, if there is one.
    pairs, accepted
        The number of pairs, and of those that were accepted.
    """

    row: int
    query: float
    source: float
    query_citation: str
    source_citation: str
    value: float | None
    verdict: str | None
    pairs: int = 1
    accepted: int = 0


class Places(NamedTuple):
    """Pairs by their places in both texts.

    Attributes
    ----------
    queries, sources
        The books of the works that have pairs.
    points
        The pairs, or cells of several pairs.
    pairs
        The number of pairs that count; more than the points stand for if there are too many cells.
    are_cells
        Whether the points are cells.
    """

    queries: list[Book]
    sources: list[Book]
    points: list[Point]
    pairs: int
    are_cells: bool


def find_places(
    project: Project,
    wanted: ResultFilter | None = None,
    *,
    likely: Likely | None = None,
    reader: str = "",
    search: int | None = None,
    most: int = MOST_POINTS,
) -> Places:
    """Return the pairs that meet a filter by their places in both texts.

    With `likely`, only those count that are likely or were judged. If there are more than `most`,
    neighbouring pairs are taken together.
    """
    table = PlaceTable(project.database, reader, search)
    pairs = table.count_places(wanted, likely)
    books = table.books(wanted, likely)
    queries, sources = _Axis(books["query"]), _Axis(books["source"])
    if pairs <= most:
        found = table.places(wanted, likely, most=most)
        points = [_point(one, queries, sources) for one in found]
    else:
        widths = queries.length // _PARTS, sources.length // _PARTS
        points = [
            Point(
                one.row,
                queries.place(one.query_author, one.query_work, one.query_book, one.query),
                sources.place(one.source_author, one.source_work, one.source_book, one.source),
                queries.named(one.query_author, one.query_work, one.query_book),
                sources.named(one.source_author, one.source_work, one.source_book),
                None,
                None,
                one.pairs,
                one.accepted,
            )
            for one in table.cells(wanted, likely, widths=widths, most=most)
        ]
    return Places(queries.books, sources.books, points, pairs, are_cells=pairs > most)


class _Axis:
    """Books one after another, in the order of the text, each as long as it has segments."""

    def __init__(self, stored: Iterable[StoredBook]) -> None:
        self._stored = _ordered(stored)
        ends = list(accumulate(one.segments for one in self._stored))
        self.length = ends[-1] if ends else 0
        self._begins = {
            (one.author, one.work, one.book): (end - one.segments, one)
            for one, end in zip(self._stored, ends, strict=True)
        }
        before = [("", ""), *((one.author, one.work) for one in self._stored)]
        self.books = [
            Book(
                _work(one),
                one.book,
                end - one.segments,
                end,
                opens=not number or (one.author, one.work) != before[number],
            )
            for number, (one, end) in enumerate(zip(self._stored, ends, strict=True))
        ]

    def place(self, author: str, work: str, book: str, position: float) -> float:
        """Return the place of a segment: in its book, as far on as its position is."""
        begin, one = self._begins[author, work, book]
        # Segments of other books may stand between those of this one.
        share = (position - one.first + 0.5) / (one.last - one.first + 1)
        return round(begin + share * one.segments, 2)

    def named(self, author: str, work: str, book: str) -> str:
        """Return a book as it is cited."""
        return f"{_work(self._begins[author, work, book][1])} {book}".rstrip()


def _ordered(stored: Iterable[StoredBook]) -> list[StoredBook]:
    """Return books in the order of their numbers, works and authors in that of the text."""
    books = list(stored)
    authors: dict[str, int] = {}
    works: dict[tuple[str, str], int] = {}
    for one in books:
        work = one.author, one.work
        authors[one.author] = min(authors.get(one.author, one.first), one.first)
        works[work] = min(works.get(work, one.first), one.first)
    return sorted(
        books,
        key=lambda one: (
            authors[one.author],
            works[one.author, one.work],
            int(one.book or 0),
            one.first,
        ),
    )


def _work(one: StoredBook) -> str:
    return cited_work(Segment("", "", one.author, one.work)) or ", ".join(
        filter(None, (one.author, one.work))
    )


def _point(one: StoredPlace, queries: _Axis, sources: _Axis) -> Point:
    return Point(
        one.row,
        queries.place(one.query_author, one.query_work, one.query_book, one.query),
        sources.place(one.source_author, one.source_work, one.source_book, one.source),
        cite(Segment(one.query_id, "", one.query_author, one.query_work, one.query_locus)),
        cite(Segment(one.source_id, "", one.source_author, one.source_work, one.source_locus)),
        one.value,
        one.verdict,
        accepted=int(one.verdict in ("cit.", "cf.")),
    )
