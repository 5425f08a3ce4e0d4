"""Results as rows: the columns that all tables of ours share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.corpus.columns import format_marks
from locisimiles.export.alignments import format_alignment
from locisimiles.export.explained import ExplainedResults, explanations_of
from locisimiles.export.highlights import aligned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus import Document, Segment
    from locisimiles.evidence.alignment import Alignment
    from locisimiles.results import Probabilities, Reference, Results

__all__ = [
    "ADDRESS_COLUMNS",
    "ALIGNED_COLUMN",
    "COLUMNS",
    "EXPLAINED_COLUMN",
    "JUDGED_COLUMNS",
    "NUMBER_COLUMNS",
    "Cell",
    "aligned_rows",
    "column_names",
    "result_rows",
]

Cell = str | int | float

COLUMNS = (
    "query_id",
    "source_id",
    "rank",
    "score",
    "shared",
    "query_author",
    "query_work",
    "query_locus",
    "query_text",
    "source_author",
    "source_work",
    "source_locus",
    "source_text",
)
"""The columns of every table."""

JUDGED_COLUMNS = ("probability", "probability_cit", "probability_cf", "type")
"""The columns of a table whose pairs a classifier judged."""

EXPLAINED_COLUMN = "explanation"
"""The column of a table whose pairs were explained."""

ALIGNED_COLUMN = "alignment"
"""The column with the words that answer each other, if similar ones are among them."""

ADDRESS_COLUMNS = (
    "query_urn",
    "query_loci",
    "query_year",
    "source_urn",
    "source_loci",
    "source_year",
)
"""Where a segment stands, in more detail; only what is known of some segment has its column.

Without them a table could not become TEI with the address of each word, nor a dated network.
"""

NUMBER_COLUMNS = frozenset(["rank", "score", "probability", "probability_cit", "probability_cf"])
"""The columns that hold numbers."""

_DIGITS = 4


def column_names(results: Results) -> tuple[str, ...]:
    """Return the columns that the table of these results has."""
    ours = _our_names(results)
    return (*ours, *(name for name in results.further if name not in ours))


def _our_names(results: Results) -> tuple[str, ...]:
    judged = JUDGED_COLUMNS if results.probabilities is not None else ()
    known = {
        *(f"query_{name}" for name in _known_addresses(results.query)),
        *(f"source_{name}" for name in _known_addresses(results.source)),
    }
    explained: tuple[str, ...] = ()
    if isinstance(results, ExplainedResults):
        explained = (EXPLAINED_COLUMN,)
        if results.alignments is not None:
            explained = (EXPLAINED_COLUMN, ALIGNED_COLUMN)
    addresses = (name for name in ADDRESS_COLUMNS if name in known)
    return (*COLUMNS, *judged, *explained, *addresses)


def result_rows(results: Results) -> Iterator[dict[str, Cell]]:
    """Yield a row for each reference, with all columns that `column_names` gives."""
    return (row for row, _ in aligned_rows(results))


def aligned_rows(results: Results) -> Iterator[tuple[dict[str, Cell], Alignment]]:
    """Yield the same rows, each with the words that answer each other."""
    names = _our_names(results)
    addresses = [name for name in names if name in ADDRESS_COLUMNS]
    further = [name for name in results.further if name not in names]
    pairs = zip(aligned(results), explanations_of(results), strict=False)
    for number, ((reference, alignment), explanation) in enumerate(pairs):
        row = _row(reference, alignment)
        if reference.probabilities is not None:
            row |= _judged(reference.probabilities)
        if EXPLAINED_COLUMN in names:
            row[EXPLAINED_COLUMN] = explanation
        if ALIGNED_COLUMN in names:
            row[ALIGNED_COLUMN] = format_alignment(alignment)
        for name in addresses:
            row[name] = _address(reference, name)
        row |= {name: results.further[name][number] for name in further}
        yield row, alignment


def _row(reference: Reference, alignment: Alignment) -> dict[str, Cell]:
    query, source = reference.query, reference.source
    return {
        "query_id": query.id,
        "source_id": source.id,
        "rank": reference.rank,
        "score": round(reference.score, _DIGITS),
        "shared": " ".join(alignment.lemmas),  # what reference.shared is, found for many at once
        "query_author": query.author,
        "query_work": query.work,
        "query_locus": query.locus,
        "query_text": query.text,
        "source_author": source.author,
        "source_work": source.work,
        "source_locus": source.locus,
        "source_text": source.text,
    }


def _judged(probabilities: Probabilities) -> dict[str, Cell]:
    # The sum of what is written, so that reading and writing again changes nothing.
    cit, cf = round(probabilities.cit, _DIGITS), round(probabilities.cf, _DIGITS)
    return {
        "probability": round(cit + cf, _DIGITS),
        "probability_cit": cit,
        "probability_cf": cf,
        "type": probabilities.kind,
    }


def _known_addresses(document: Document) -> Iterator[str]:
    for name in ("urn", "year"):
        if any(document.meta.get(name, ())):
            yield name
    if any(segment.loci for segment in document):
        yield "loci"


def _address(reference: Reference, name: str) -> str:
    side, _, field = name.partition("_")
    segment: Segment = reference.query if side == "query" else reference.source
    return format_marks(segment.loci) if field == "loci" else segment.meta.get(field, "")
