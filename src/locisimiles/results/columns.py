"""Results as rows: the columns that all tables share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus.columns import format_marks, parse_marks
from locisimiles.evidence.shared_lemmas import shared_lemmas
from locisimiles.results.alignments import format_alignment
from locisimiles.results.highlights import aligned_references
from locisimiles.results.judgements import Probabilities
from locisimiles.results.passages import is_biblical, source_passages
from locisimiles.results.reader_cells import JUDGEMENT_COLUMNS, judgement_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from locisimiles.corpus import Document
    from locisimiles.evidence.alignment import Alignment
    from locisimiles.results.base import ResultColumns

__all__ = [
    "ADDRESS_COLUMNS",
    "ALIGNED_COLUMN",
    "COLUMNS",
    "DIGITS",
    "EXPLAINED_COLUMN",
    "JUDGED_COLUMNS",
    "MACHINE_COLUMN",
    "MANIFEST_KEY",
    "NUMBER_COLUMNS",
    "PARALLEL_COLUMN",
    "PASSAGE_COLUMN",
    "Cell",
    "aligned_rows",
    "cell_batches",
    "column_names",
    "our_names",
    "parallel_ids",
    "result_rows",
]

Cell = str | int | float

_SEGMENT = {"author": "authors", "work": "works", "locus": "loci", "text": "texts"}
_META = ("urn", "year")
_AT_ONCE = 1 << 13  # rows
COLUMNS = (
    *("query_id", "source_id", "rank", "score", "shared"),
    *(f"{side}_{name}" for side in ("query", "source") for name in _SEGMENT),
)
"""The columns of every table."""

JUDGED_COLUMNS = ("probability", "probability_cit", "probability_cf", "type")
"""The columns of a table whose pairs a classifier judged. Readers overrule the type."""

MACHINE_COLUMN = "machine_type"
"""The column of the type according to the classifier, if readers may have overruled it."""

EXPLAINED_COLUMN = "explanation"
"""The column of a table whose pairs were explained."""

ALIGNED_COLUMN = "alignment"
"""The column of alignments, if they include words of similar meaning."""

ADDRESS_COLUMNS = tuple(
    f"{side}_{name}" for side in ("query", "source") for name in ("urn", "loci", "year")
)
"""Detailed addresses of segments; a column is written if any segment has a value.

They are needed to convert a table to TEI with addresses of words, or to a dated network.
"""

PARALLEL_COLUMN = "parallel_to"
"""The column of grouped results: which source stands for one with nearly the same words.

It is empty for the best source of a group, and for one without parallels.
"""

PASSAGE_COLUMN = "source_passage"
"""The column of tables whose sources are of the Bible: the verse, or verses, as they are cited."""

MANIFEST_KEY = "locisimiles.manifest"
"""What the manifest is called among the metadata of a Parquet file."""

NUMBER_COLUMNS = frozenset(["rank", "score", "probability", "probability_cit", "probability_cf"])
"""The columns that hold numbers."""

DIGITS = 4
"""The number of decimals of scores and probabilities."""


def column_names(results: ResultColumns) -> tuple[str, ...]:
    """Return the columns of the table of these results."""
    ours = our_names(results)
    return (*ours, *(name for name in results.further if name not in ours))


def our_names(results: ResultColumns) -> tuple[str, ...]:
    """Return the columns of the table without those that others added."""
    judged = JUDGED_COLUMNS if results.probabilities is not None else ()
    read: tuple[str, ...] = ()
    if results.judgements is not None:
        read = (*((MACHINE_COLUMN,) if judged else ("type",)), *JUDGEMENT_COLUMNS)
    known = {
        *(f"query_{name}" for name in _known_addresses(results.query)),
        *(f"source_{name}" for name in _known_addresses(results.source)),
    }
    explained = (EXPLAINED_COLUMN,) if results.explanations is not None else ()
    aligned = (ALIGNED_COLUMN,) if results.alignments is not None else ()
    grouped = (PARALLEL_COLUMN,) if results.best is not None else ()
    addresses = (name for name in ADDRESS_COLUMNS if name in known)
    biblical = (PASSAGE_COLUMN,) if is_biblical(results.source) else ()
    return (*COLUMNS, *judged, *read, *explained, *aligned, *grouped, *biblical, *addresses)


def _known_addresses(document: Document) -> Iterator[str]:
    for name in ("urn", "year"):
        if any(document.meta.get(name, ())):
            yield name
    if any(document.marks):
        yield "loci"


def result_rows(
    results: ResultColumns, names: Sequence[str] | None = None
) -> Iterator[dict[str, Cell]]:
    """Yield a row for each reference, with the columns of `column_names`.

    `names` are those of `our_names`, if they are known: to find them, all segments are looked at.
    """
    for cells in cell_batches(results, names):
        yield from _as_rows(cells)


def aligned_rows(results: ResultColumns) -> Iterator[tuple[dict[str, Cell], Alignment]]:
    """Yield the same rows, each with its alignment."""
    alignments = (alignment for _, alignment, _ in aligned_references(results))
    yield from zip(result_rows(results), alignments, strict=True)


def cell_batches(
    results: ResultColumns, names: Sequence[str] | None = None
) -> Iterator[dict[str, Sequence[Cell]]]:
    """Yield the cells of the same rows by column, some thousand rows at a time."""
    names = our_names(results) if names is None else names
    of_all: dict[str, Sequence[Cell]] = {}
    if PASSAGE_COLUMN in names:
        of_all[PASSAGE_COLUMN] = source_passages(results)
    if PARALLEL_COLUMN in names:
        of_all[PARALLEL_COLUMN] = parallel_ids(results)
    ranks = results.rank
    for begin in range(0, len(results), _AT_ONCE):
        rows = slice(begin, begin + _AT_ONCE)
        cells = _pair_cells(results, rows, ranks[rows].tolist())
        if results.judgements is not None:
            cells |= _reader_cells(results, rows, cells.get("type"))
        if EXPLAINED_COLUMN in names:
            cells[EXPLAINED_COLUMN] = (results.explanations or ())[rows]
        if ALIGNED_COLUMN in names:
            cells[ALIGNED_COLUMN] = [
                format_alignment(one) for one in (results.alignments or ())[rows]
            ]
        cells |= {name: column[rows] for name, column in of_all.items()}
        cells |= _address_cells(results, rows, [one for one in names if one in ADDRESS_COLUMNS])
        yield cells | {
            name: column[rows] for name, column in results.further.items() if name not in names
        }


def _as_rows(cells: Mapping[str, Sequence[Cell]]) -> Iterator[dict[str, Cell]]:
    for row in zip(*cells.values(), strict=True):
        yield dict(zip(cells, row, strict=True))


def parallel_ids(results: ResultColumns) -> list[str]:
    """Return the cells of `PARALLEL_COLUMN`."""
    if results.best is None:
        return [""] * len(results)
    sources, ids = results.candidates.source.tolist(), results.source.ids
    return [
        "" if best == row else ids[sources[best]] for row, best in enumerate(results.best.tolist())
    ]


def _pair_cells(
    results: ResultColumns, rows: slice, ranks: Sequence[int]
) -> dict[str, Sequence[Cell]]:
    """Return the cells that every table has, and those of probabilities."""
    query, source = (_Taken(results, side, rows) for side in ("query", "source"))
    cells: dict[str, Sequence[Cell]] = {
        "query_id": query.column("ids"),
        "source_id": source.column("ids"),
        "rank": ranks,
        "score": [round(score, DIGITS) for score in results.candidates.score[rows].tolist()],
        "shared": _shared(results, rows, query, source),
    }
    for taken in (query, source):
        cells |= {f"{taken.side}_{name}": taken.column(f) for name, f in _SEGMENT.items()}
    if results.probabilities is not None:
        judged = results.probabilities[rows]
        cit, cf = ([round(one, DIGITS) for one in judged[:, at].tolist()] for at in (1, 2))
        # The sum of the rounded values, so that reading and rewriting changes nothing.
        total = [round(one + other, DIGITS) for one, other in zip(cit, cf, strict=True)]
        kinds = [Probabilities(*row).kind for row in judged.tolist()]
        cells |= dict(zip(JUDGED_COLUMNS, (total, cit, cf, kinds), strict=True))
    return cells


def _shared(results: ResultColumns, rows: slice, query: _Taken, source: _Taken) -> Sequence[str]:
    """Return the lemmas that pairs share."""
    if results.alignments is not None:
        return [" ".join(alignment.lemmas) for alignment in results.alignments[rows]]
    if results.shared is not None:
        return results.shared[rows]
    texts = [*query.distinct("texts"), *source.distinct("texts")]
    others = source.place + len(query.rows)
    found = shared_lemmas(texts, query.place, others)
    return list(map(" ".join, found))


def _reader_cells(
    results: ResultColumns, rows: slice, kinds: Sequence[Cell] | None
) -> dict[str, Sequence[Cell]]:
    """Return what readers said; they overrule the type of the classifier."""
    read = (results.judgements or ())[rows]
    known = [""] * len(read) if kinds is None else kinds
    types = [
        str(kind) if judgement is None else judgement.kind or str(kind)
        for judgement, kind in zip(read, known, strict=True)
    ]
    of_pairs = list(map(judgement_cells, read))
    cells: dict[str, Sequence[Cell]] = {"type": types}
    cells |= {name: [one[name] for one in of_pairs] for name in JUDGEMENT_COLUMNS}
    return cells if kinds is None else cells | {MACHINE_COLUMN: kinds}


def _address_cells(
    results: ResultColumns, rows: slice, names: Sequence[str]
) -> dict[str, Sequence[Cell]]:
    cells: dict[str, Sequence[Cell]] = {}
    for name in names:
        side, _, field = name.partition("_")
        cells[name] = _Taken(results, side, rows).column("marks" if field == "loci" else field)
    return cells


class _Taken:
    """The segments of one side of some pairs; each distinct one is read once."""

    def __init__(self, results: ResultColumns, side: str, rows: slice) -> None:
        self.side = side
        self._document: Document = getattr(results, side)
        found, self.place = np.unique(getattr(results.candidates, side)[rows], return_inverse=True)
        self.rows: list[int] = found.tolist()

    def distinct(self, field: str) -> list[str]:
        """Return the cells of the distinct segments."""
        document = self._document
        if field == "marks":
            return [format_marks(parse_marks(document.marks[row])) for row in self.rows]
        if field in _META:
            column = document.meta.get(field)
            if column is None:
                return [""] * len(self.rows)
            return [column[row] or "" for row in self.rows]
        column = getattr(document, field)
        return [column[row] for row in self.rows]

    def column(self, field: str) -> list[str]:
        """Return the cell of each pair."""
        cells = self.distinct(field)
        return [cells[place] for place in self.place.tolist()]
