"""Who cites whom: authors or works, as a matrix of references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from locisimiles.corpus.library.dates import years_of
from locisimiles.networks.references import reference_rows, reference_weights, verdict_rows
from locisimiles.results import ACCEPTED

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
        Empty if unknown, or if authors are counted.
    first_year, last_year
        The earliest and latest year of its works that are counted; None without a known date.
    """

    author: str
    work: str = ""
    first_year: int | None = None
    last_year: int | None = None

    @property
    def label(self) -> str:
        """Author and work, such as *Virgil, Aeneis*; *unknown* without both."""
        return ", ".join(filter(None, (self.author, self.work))) or "unknown"


class Link(NamedTuple):
    """How often one party cites another: a row of an edge list."""

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
        The parties of rows and columns, earliest first, undated last.
    references
        The number of references.
    weight
        The sum of their probabilities, 1 if readers accepted them; their number without a
        classifier.
    cit, cf
        The number of references of each type, as readers say or else the classifier; 0 if neither
        says.
    out_of_order
        The number of references to a later work.
    undated
        The number of references between works of which one has no known date.
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
        """Yield the cells with references."""
        columns = [getattr(self, name) for name in Link._fields[2:]]
        for row, column in np.argwhere(self.references).tolist():
            counts = (values[row, column].item() for values in columns)
            link = Link(self.citing[row], self.cited[column], *counts)
            yield link._replace(weight=round(link.weight, 4))


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
        The results of a search.
    level
        Whether to count authors or works.
    minimum, best
        Which candidates count; see `reference_rows`.
    chronological
        Omit references to later works. By default they are only counted as ``out_of_order``, since
        dates are rough. Works without a known date are kept.

    Examples
    --------
    >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
    >>> results = Pipeline(BM25()).run(query=load_example_query(), source=load_example_source())
    >>> matrix = count_citations(results)
    >>> [party.label for party in matrix.citing]
    ['Valerius Flaccus', 'Lactantius', 'Jerome']
    """
    rows = reference_rows(results, minimum=minimum, best=best)
    query, source = results.candidates.query, results.candidates.source
    query_years, source_years = years_of(results.query), years_of(results.source)
    undated = np.isinf(query_years[query[rows]]) | np.isinf(source_years[source[rows]])
    out_of_order = ~undated & (source_years[source[rows]] > query_years[query[rows]])
    if chronological:
        kept = ~out_of_order
        rows, undated, out_of_order = rows[kept], undated[kept], out_of_order[kept]
    citing, row = _parties(results.query, query_years, query[rows], level)
    cited, column = _parties(results.source, source_years, source[rows], level)

    def total(values: NDArray[np.float64]) -> NDArray[np.float64]:
        cells = np.zeros((len(citing), len(cited)))
        np.add.at(cells, (row, column), values)
        return cells

    def count(chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        return total(chosen.astype(np.float64)).astype(np.int64)

    everything = np.ones(len(rows), bool)
    is_cit = is_cf = ~everything
    if results.probabilities is not None:
        is_cit = results.probabilities[rows, 1] >= results.probabilities[rows, 2]
        is_cf = ~is_cit
    read_cit, read_cf = (verdict_rows(results, kind)[rows] for kind in ACCEPTED)
    is_cit, is_cf = (is_cit | read_cit) & ~read_cf, (is_cf | read_cf) & ~read_cit
    return CitationMatrix(
        citing=citing,
        cited=cited,
        references=count(everything),
        weight=total(reference_weights(results, rows)),
        cit=count(is_cit),
        cf=count(is_cf),
        out_of_order=count(out_of_order),
        undated=count(undated),
    )


def _parties(
    document: Document, years: NDArray[np.float64], positions: NDArray[np.int32], level: Level
) -> tuple[tuple[Party, ...], NDArray[np.int64]]:
    """Return the parties of one side, and the index of the party of each reference."""
    names = [
        (document.authors[position], document.works[position] if level == "work" else "")
        for position in positions.tolist()
    ]
    known: dict[tuple[str, str], list[int]] = {name: [] for name in names}
    for name, year in zip(names, years[positions].tolist(), strict=True):
        if np.isfinite(year):
            known[name].append(int(year))
    parties = sorted(
        (
            Party(*name, min(dates, default=None), max(dates, default=None))
            for name, dates in known.items()
        ),
        key=lambda party: (
            party.first_year is None, party.first_year or 0, party.author, party.work
        ),
    )  # fmt: skip
    places = {party[:2]: place for place, party in enumerate(parties)}
    return tuple(parties), np.array([places[name] for name in names], np.int64)
