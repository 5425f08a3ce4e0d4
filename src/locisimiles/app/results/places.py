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
    from locisimiles.app.storage.tables.places import StoredCell, StoredPlace

__all__ = ["Book", "Likely", "Places", "Point", "find_places"]

MOST_POINTS = 2000
"""More pairs are drawn as cells."""
_PARTS = 60  # of an axis, if pairs are drawn as cells
_COARSER = (1, 2, 3, 4)  # cells taken together on each axis, until all can be drawn


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
    with table.choose(wanted, likely) as chosen:
        pairs, books = chosen.count(), chosen.books()
        queries, sources = _Axis(books["query"]), _Axis(books["source"])
        if pairs <= most:
            points = [_point(one, queries, sources) for one in chosen.places(most)]
        else:
            widths = queries.length // _PARTS, sources.length // _PARTS
            cells = chosen.cells(widths, _COARSER, most)
            points = [_cell(one, queries, sources) for one in cells]
    return Places(queries.books, sources.books, points, pairs, are_cells=pairs > most)


class _Axis:
    """Books one after another, in the order of the text, each as long as it has segments."""

    def __init__(self, stored: Iterable[StoredBook]) -> None:
        self._stored = _ordered(stored)
        ends = list(accumulate(one.segments for one in self._stored))
        self.length = ends[-1] if ends else 0
        self._begins: dict[tuple[str, str, str], tuple[int, StoredBook]] = {}
        self._works: dict[tuple[str, str], list[tuple[int, StoredBook]]] = {}
        for one, end in zip(self._stored, ends, strict=True):
            placed = end - one.segments, one
            self._begins[one.author, one.work, one.book] = placed
            self._works.setdefault((one.author, one.work), []).append(placed)
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

    def place(self, author: str, work: str, book: str, position: int) -> float:
        """Return the place of a segment: in its book, as far on as its position is."""
        begin, one = self._begins[author, work, book]
        return _within(begin, one, position)

    def span(self, author: str, work: str, first: int, last: int) -> tuple[float, str]:
        """Return the place amid two segments of a work, and the books from one to the other."""
        books = self._works[author, work]
        ends = [_nearest(books, position) for position in (first, last)]
        places = [_within(*book, at) for book, at in zip(ends, (first, last), strict=True)]
        names = [name for name in dict.fromkeys(one.book for _, one in ends) if name]
        cited = f"{_work(books[0][1])} {'–'.join(names)}".rstrip()
        return round(sum(places) / 2, 2), cited


def _within(begin: int, one: StoredBook, position: int) -> float:
    # Segments of other books may stand between those of this one.
    share = (position - one.first + 0.5) / (one.last - one.first + 1)
    return round(begin + share * one.segments, 2)


def _nearest(books: list[tuple[int, StoredBook]], position: int) -> tuple[int, StoredBook]:
    """Return the book around a position; the last that begins before it, if several are."""
    return max(
        (placed for placed in books if placed[1].first <= position),
        key=lambda placed: (placed[1].last >= position, placed[1].first),
    )


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


def _cell(one: StoredCell, queries: _Axis, sources: _Axis) -> Point:
    query, citing = queries.span(one.query_author, one.query_work, one.first_query, one.last_query)
    source, cited = sources.span(
        one.source_author, one.source_work, one.first_source, one.last_source
    )
    return Point(one.row, query, source, citing, cited, None, None, one.pairs, one.accepted)
