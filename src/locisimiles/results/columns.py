"""Results as rows: the columns that all tables share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.corpus.columns import format_marks
from locisimiles.results.alignments import format_alignment
from locisimiles.results.highlights import aligned_references
from locisimiles.results.passages import is_biblical, source_passages
from locisimiles.results.reader_cells import JUDGEMENT_COLUMNS, judgement_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.corpus import Document
    from locisimiles.evidence.alignment import Alignment
    from locisimiles.results.base import ResultColumns
    from locisimiles.results.reference import Reference

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
    "column_names",
    "our_names",
    "parallel_ids",
    "result_rows",
]

Cell = str | int | float

_SEGMENT = ("author", "work", "locus", "text")
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
    return (row for row, _ in aligned_rows(results, names))


def aligned_rows(
    results: ResultColumns, names: Sequence[str] | None = None
) -> Iterator[tuple[dict[str, Cell], Alignment]]:
    """Yield the same rows, each with its alignment."""
    names = our_names(results) if names is None else names
    addresses = [name for name in names if name in ADDRESS_COLUMNS]
    further = [name for name in results.further if name not in names]
    stands_for = parallel_ids(results)
    passages = source_passages(results) if PASSAGE_COLUMN in names else []
    for number, (reference, alignment, explanation) in enumerate(aligned_references(results)):
        row = _row(reference, alignment)
        if results.judgements is not None:
            row |= {"type": reference.kind, **judgement_cells(reference.judgement)}
            if reference.probabilities is not None:
                row[MACHINE_COLUMN] = reference.probabilities.kind
        if EXPLAINED_COLUMN in names:
            row[EXPLAINED_COLUMN] = explanation
        if ALIGNED_COLUMN in names:
            row[ALIGNED_COLUMN] = format_alignment(alignment)
        if PASSAGE_COLUMN in names:
            row[PASSAGE_COLUMN] = passages[number]
        if PARALLEL_COLUMN in names:
            row[PARALLEL_COLUMN] = stands_for[number]
        row |= {name: _address(reference, name) for name in addresses}
        row |= {name: results.further[name][number] for name in further}
        yield row, alignment


def parallel_ids(results: ResultColumns) -> list[str]:
    """Return the cells of `PARALLEL_COLUMN`."""
    if results.best is None:
        return [""] * len(results)
    sources, ids = results.candidates.source.tolist(), results.source.ids
    return [
        "" if best == row else ids[sources[best]] for row, best in enumerate(results.best.tolist())
    ]


def _row(reference: Reference, alignment: Alignment) -> dict[str, Cell]:
    row: dict[str, Cell] = {
        "query_id": reference.query.id,
        "source_id": reference.source.id,
        "rank": reference.rank,
        "score": round(reference.score, DIGITS),
        "shared": " ".join(alignment.lemmas),  # as reference.shared, but aligned many at a time
    }
    for side, segment in (("query", reference.query), ("source", reference.source)):
        row |= {f"{side}_{name}": getattr(segment, name) for name in _SEGMENT}
    judged = reference.probabilities
    if judged is not None:
        # The sum of the rounded values, so that reading and rewriting changes nothing.
        cit, cf = round(judged.cit, DIGITS), round(judged.cf, DIGITS)
        values = (round(cit + cf, DIGITS), cit, cf, reference.kind)
        row |= dict(zip(JUDGED_COLUMNS, values, strict=True))
    return row


def _address(reference: Reference, name: str) -> str:
    side, _, field = name.partition("_")
    segment = reference.query if side == "query" else reference.source
    return format_marks(segment.loci) if field == "loci" else segment.meta.get(field, "")
