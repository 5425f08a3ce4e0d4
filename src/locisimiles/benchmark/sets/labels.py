"""Tables of labelled pairs, and the references between two documents that they describe."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.sets.references import Label, References
from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from locisimiles.corpus import Document
    from locisimiles.files.tables import Table, TableRow

__all__ = [
    "NO_FOLD",
    "QUERY_COLUMNS",
    "SOURCE_COLUMNS",
    "LabelledPair",
    "bare_id",
    "check_ids",
    "distinct_pairs",
    "parse_number",
    "read_pairs",
    "references_between",
]

NO_FOLD = -1

# Names in our own files, then those in the published ones.
QUERY_COLUMNS = ("query_id", "position_query")
SOURCE_COLUMNS = ("source_id", "position_corpus")
_LABEL = ("label", "ref_type")
_FOLD = ("fold", "fold_id")
_GRADE = ("grade",)
_PROVENANCE = ("provenance", "text_provenance")

_LABELS = {"cit": Label.CIT, "cit.": Label.CIT, "cf": Label.CF, "cf.": Label.CF}
_LAST_FOLD = 127
_BETWEEN_PROVENANCES = " | "


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A reference as a row of a table.

    Attributes
    ----------
    fold
        The number of its fold, or `NO_FOLD`.
    row
        The number of the row.
    """

    query_id: str
    source_id: str
    label: Label = Label.CIT
    fold: int = NO_FOLD
    grade: float = 1.0
    provenance: str = ""
    row: int = 0


def bare_id(segment_id: str) -> str:
    """Return an id without the angle brackets that the published files put around it.

    Examples
    --------
    >>> bare_id("<verg. aen. 6.847.1>"), bare_id("verg. aen. 6.847.1")
    ('verg. aen. 6.847.1', 'verg. aen. 6.847.1')
    """
    if segment_id.startswith("<") and segment_id.endswith(">"):
        return segment_id[1:-1].strip()
    return segment_id


def read_pairs(table: Table, *, published: bool = False) -> list[LabelledPair]:
    """Read labelled pairs, each distinct pair once.

    Only the two ids are required. Without a column ``label``, all pairs are ``cit``; without
    ``fold``, there are no folds; without ``grade``, all grades are 1. A pair that occurs in several
    rows gets the label of the first, the highest grade, and all provenances. (The published labels
    have two pairs with both types, one in either order; the paper's counts of 849 and 621, and of
    each pair of authors, come out if the first row decides, and not if one type always wins.)

    If the table is `published`, ids may stand in angle brackets. An InputError is raised if a
    column is missing; a label, fold or grade is invalid; only some rows have a fold; or a query has
    pairs in two folds.
    """
    pairs = _rows_as_pairs(table)
    if published:
        pairs = [
            replace(pair, query_id=bare_id(pair.query_id), source_id=bare_id(pair.source_id))
            for pair in pairs
        ]
    return distinct_pairs(pairs, file=table.file)


def distinct_pairs(pairs: Sequence[LabelledPair], *, file: str) -> list[LabelledPair]:
    """Merge pairs of the same two segments, as `read_pairs` does; check their folds.

    Examples
    --------
    >>> twice = [LabelledPair("q", "s", Label.CF), LabelledPair("q", "s", Label.CIT, grade=2.0)]
    >>> [(pair.label.text, pair.grade) for pair in distinct_pairs(twice, file="a.csv")]
    [('cf', 2.0)]
    """
    # Rows of one pair may have different folds, which is lost once they are merged.
    _check_folds(pairs, file)
    merged: dict[tuple[str, str], LabelledPair] = {}
    for pair in pairs:
        key = pair.query_id, pair.source_id
        merged[key] = _merge(merged[key], pair) if key in merged else pair
    return list(merged.values())


def _rows_as_pairs(table: Table) -> list[LabelledPair]:
    query, source = table.require(QUERY_COLUMNS), table.require(SOURCE_COLUMNS)
    label, fold, grade = table.column(_LABEL), table.column(_FOLD), table.column(_GRADE)
    provenance = table.column(_PROVENANCE)
    return [
        LabelledPair(
            query_id=_id(row, query, table.file),
            source_id=_id(row, source, table.file),
            label=_label(row, label, table.file) if label else Label.CIT,
            fold=_fold(row, fold, table.file) if fold else NO_FOLD,
            grade=_grade(row, grade, table.file) if grade else 1.0,
            provenance=row.cells.get(provenance, "") if provenance else "",
            row=row.number,
        )
        for row in table.rows
    ]


def _id(row: TableRow, column: str, file: str) -> str:
    value = row.cells.get(column, "")
    if not value:
        raise InputError("benchmark.empty_cell", file=file, row=row.number, column=column)
    return value


def _label(row: TableRow, column: str, file: str) -> Label:
    value = row.cells.get(column, "")
    label = _LABELS.get(value.lower())
    if label is None:
        raise InputError("benchmark.unknown_label", file=file, row=row.number, label=value)
    return label


def _fold(row: TableRow, column: str, file: str) -> int:
    value = row.cells.get(column, "")
    if not value:
        return NO_FOLD
    number = parse_number(value)  # spreadsheets may turn 0 into 0.0
    if not (number.is_integer() and 0 <= number <= _LAST_FOLD):
        raise InputError(
            "benchmark.bad_fold", file=file, row=row.number, fold=value, last=_LAST_FOLD
        )
    return int(number)


def _grade(row: TableRow, column: str, file: str) -> float:
    value = row.cells.get(column, "")
    grade = parse_number(value)
    if not 0 < grade < math.inf:
        raise InputError("benchmark.bad_grade", file=file, row=row.number, grade=value)
    return grade


def parse_number(text: str) -> float:
    """Return the number that a text denotes; NaN if there is none.

    Examples
    --------
    >>> parse_number("1.5"), parse_number("one")
    (1.5, nan)
    """
    try:
        return float(text)
    except ValueError:
        return math.nan


def _merge(first: LabelledPair, second: LabelledPair) -> LabelledPair:
    known = first.provenance.split(_BETWEEN_PROVENANCES)
    new = [] if second.provenance in ("", *known) else [second.provenance]
    return replace(
        first,
        grade=max(first.grade, second.grade),
        provenance=_BETWEEN_PROVENANCES.join([*filter(None, known), *new]),
    )


def _check_folds(pairs: Sequence[LabelledPair], file: str) -> None:
    first_of: dict[str, LabelledPair] = {}
    for pair in pairs:
        if (pair.fold == NO_FOLD) != (pairs[0].fold == NO_FOLD):
            without, other = (pair, pairs[0]) if pair.fold == NO_FOLD else (pairs[0], pair)
            raise InputError(
                "benchmark.missing_fold", file=file, row=without.row, other=str(other.row)
            )
        first = first_of.setdefault(pair.query_id, pair)
        if pair.fold != first.fold:
            raise InputError(
                "benchmark.query_in_two_folds",
                file=file,
                row=pair.row,
                id=pair.query_id,
                fold=pair.fold,
                other_fold=first.fold,
                other=str(first.row),
            )


def references_between(
    pairs: Sequence[LabelledPair], query: Document, source: Document, *, file: str
) -> tuple[References, tuple[str, ...]]:
    """Turn pairs of ids into references, ordered by query and source, with their provenance.

    An InputError is raised if an id is not in its document.
    """
    check_ids(pairs, query, source, file=file)
    queries = np.array([query.index(pair.query_id) for pair in pairs], np.int32)
    sources = np.array([source.index(pair.source_id) for pair in pairs], np.int32)
    order = np.lexsort((sources, queries))
    references = References.from_columns(
        query=queries[order],
        source=sources[order],
        label=[pairs[i].label for i in order],
        fold=[pairs[i].fold for i in order],
        grade=[pairs[i].grade for i in order],
    )
    return references, tuple(pairs[i].provenance for i in order)


def check_ids(
    pairs: Iterable[LabelledPair], query: Document, source: Document, *, file: str
) -> None:
    """Raise an InputError if a pair names a segment that its document lacks."""
    for pair in pairs:
        for side, segment_id, document in (
            ("query", pair.query_id, query),
            ("source", pair.source_id, source),
        ):
            if segment_id not in document:
                raise InputError(
                    "benchmark.unknown_segment",
                    file=file,
                    row=pair.row or None,
                    side=side,
                    id=segment_id,
                )
