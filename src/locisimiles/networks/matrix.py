"""The virtual library: which authors cite which, and which works which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from locisimiles.corpus.library.dates import chronology, year_of
from locisimiles.networks.choosing import choose, weights_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.results import Results

__all__ = ["CitationMatrix", "Level", "Link", "Party", "count_citations"]

Level = Literal["author", "work"]


class Party(NamedTuple):
    """An author or a work that cites or is cited.

    Attributes
    ----------
    author
        Empty if unknown.
    work
        Empty on the level of authors, or if unknown.
    first_year, last_year
        Of the works that take part; None if none of them has a known date.
    """

    author: str
    work: str = ""
    first_year: int | None = None
    last_year: int | None = None

    @property
    def label(self) -> str:
        """What to call it.

        Examples
        --------
        >>> Party("Virgil", "Aeneis").label, Party("").label
        ('Virgil, Aeneis', 'unknown')
        """
        return ", ".join(filter(None, (self.author, self.work))) or "unknown"


class Link(NamedTuple):
    """How often one party cites another: a row of a table of edges."""

    citing: Party
    cited: Party
    references: int
    weight: float
    cit: int
    cf: int
    out_of_order: int
    undated: int


@dataclass(frozen=True, slots=True, eq=False)
class CitationMatrix:
    """How often each party (row) cites each other (column).

    Attributes
    ----------
    citing, cited
        Whose rows and columns they are: the earliest first, those without a date last.
    references
        How many references there are.
    weight
        The sum of their probabilities; their number if no classifier was asked.
    cit, cf
        How many of them are of which type; 0 if no classifier was asked.
    out_of_order
        How many of them cite a work that is later, as far as we know.
    undated
        How many of them could not be checked, since a date is unknown.
    """

    citing: tuple[Party, ...]
    cited: tuple[Party, ...]
    references: NDArray[np.int64]
    weight: NDArray[np.float64]
    cit: NDArray[np.int64]
    cf: NDArray[np.int64]
    out_of_order: NDArray[np.int64]
    undated: NDArray[np.int64]

    def links(self) -> Iterator[Link]:
        """Yield the cells that are not empty."""
        for row, column in np.argwhere(self.references).tolist():
            yield Link(
                self.citing[row],
                self.cited[column],
                int(self.references[row, column]),
                round(float(self.weight[row, column]), 4),
                int(self.cit[row, column]),
                int(self.cf[row, column]),
                int(self.out_of_order[row, column]),
                int(self.undated[row, column]),
            )


def count_citations(
    results: Results,
    *,
    level: Level = "author",
    minimum: float | None = None,
    best: int | None = None,
    chronological: bool = False,
) -> CitationMatrix:
    """Count who cites whom.

    Parameters
    ----------
    results
        What was found.
    level
        Whether authors are counted or works.
    minimum, best
        Which candidates count; see `choose`.
    chronological
        Leave out references to works that are later than those that cite them. Dates are rough,
        so they are only counted (``out_of_order``) by default. Works without a known date stay.

    Examples
    --------
    >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
    >>> results = Pipeline(BM25()).run(query=load_example_query(), source=load_example_source())
    >>> matrix = count_citations(results)
    >>> [party.label for party in matrix.citing]
    ['Valerius Flaccus', 'Lactantius', 'Jerome']
    >>> int(matrix.references.sum()) == len(choose(results))
    True
    """
    rows = choose(results, minimum=minimum, best=best)
    query = _Side.of(results.query, results.candidates.query[rows], level)
    source = _Side.of(results.source, results.candidates.source[rows], level)
    pairs = zip(query.years, source.years, strict=True)
    order = np.array([chronology(one, other) for one, other in pairs], dtype=object)
    if chronological:
        kept = order != "out of order"
        rows, order = rows[kept], order[kept]
        query = _Side.of(results.query, results.candidates.query[rows], level)
        source = _Side.of(results.source, results.candidates.source[rows], level)
    shape = len(query.parties), len(source.parties)

    def total(values: NDArray[np.float64]) -> NDArray[np.float64]:
        cells = np.zeros(shape)
        np.add.at(cells, (query.numbers, source.numbers), values)
        return cells

    def count(chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        return total(chosen.astype(np.float64)).astype(np.int64)

    judged = results.probabilities
    everyone = np.ones(len(rows), bool)
    is_cit = everyone if judged is None else judged[rows, 1] >= judged[rows, 2]
    return CitationMatrix(
        citing=query.parties,
        cited=source.parties,
        references=count(everyone),
        weight=total(weights_of(results, rows)),
        cit=count(is_cit if judged is not None else ~everyone),
        cf=count(~is_cit),
        out_of_order=count(order == "out of order"),
        undated=count(order == "unknown"),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The parties of one side, and which of them each row belongs to."""

    parties: tuple[Party, ...]
    numbers: NDArray[np.int64]
    years: list[int | None]

    @classmethod
    def of(cls, document: Document, positions: NDArray[np.int32], level: Level) -> _Side:
        year_at = {
            position: year_of(document[position]) for position in np.unique(positions).tolist()
        }
        years = [year_at[position] for position in positions.tolist()]
        names = [
            (document.authors[position], document.works[position] if level == "work" else "")
            for position in positions.tolist()
        ]
        known: dict[tuple[str, str], list[int]] = {name: [] for name in names}
        for name, year in zip(names, years, strict=True):
            if year is not None:
                known[name].append(year)
        parties = sorted(
            (
                Party(*name, min(dates, default=None), max(dates, default=None))
                for name, dates in known.items()
            ),
            key=lambda party: (
                party.first_year is None, party.first_year or 0, party.author, party.work
            ),
        )  # fmt: skip
        places = {(party.author, party.work): place for place, party in enumerate(parties)}
        numbers = np.array([places[name] for name in names], np.int64)
        return cls(tuple(parties), numbers, years)
