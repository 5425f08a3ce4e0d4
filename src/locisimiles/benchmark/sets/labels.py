"""Tables of labelled pairs: read, checked, and turned into references between two documents."""

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
    "LABELS_BY_NAME",
    "NO_FOLD",
    "QUERY_COLUMNS",
    "SOURCE_COLUMNS",
    "LabelledPair",
    "check_ids",
    "distinct_pairs",
    "read_pairs",
    "references_between",
]

NO_FOLD = -1

# As our own files have them, then as the published ones do.
QUERY_COLUMNS = ("query_id", "position_query")
SOURCE_COLUMNS = ("source_id", "position_corpus")
_LABEL = ("label", "ref_type")
_FOLD = ("fold", "fold_id")
_GRADE = ("grade",)
_PROVENANCE = ("provenance", "text_provenance")

LABELS_BY_NAME = {"cit": Label.CIT, "cit.": Label.CIT, "cf": Label.CF, "cf.": Label.CF}
"""How tables write the types of references."""

_GREATEST_FOLD = 127
_BETWEEN_PROVENANCES = " | "


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A reference as a table has it.

    Attributes
    ----------
    fold
        The number of its fold, or `NO_FOLD`.
    row
        Where in the table it stands.
    """

    query_id: str
    source_id: str
    label: Label = Label.CIT
    fold: int = NO_FOLD
    grade: float = 1.0
    provenance: str = ""
    row: int = 0


def read_pairs(table: Table) -> list[LabelledPair]:
    """Read labelled pairs, each distinct pair once.

    Only the two ids are required. Without a column ``label``, all pairs are ``cit``: a set that
    does not tell types apart has references of one kind. Without ``fold``, there are no folds;
    without ``grade``, all grades are 1. A pair that stands in several rows gets the label of the
    first, the highest of the grades, and all provenances. (The published labels have two pairs
    with both types, one in either order; the paper's counts of 849 and 621, and of each pair of
    authors, come out if the first row decides, and not if one type always wins.)

    Raises
    ------
    InputError
        If a column is missing; a label, fold or grade makes no sense; some rows have a fold and
        others none; or a query has pairs in two folds. The message names file and row.
    """
    return distinct_pairs(_rows_as_pairs(table), file=table.file)


def distinct_pairs(pairs: Sequence[LabelledPair], *, file: str) -> list[LabelledPair]:
    """Join pairs of the same two segments, as `read_pairs` does.

    Raises
    ------
    InputError
        If they disagree about folds.

    Examples
    --------
    >>> twice = [LabelledPair("q", "s", Label.CF), LabelledPair("q", "s", Label.CIT, grade=2.0)]
    >>> [(pair.label.text, pair.grade) for pair in distinct_pairs(twice, file="a.csv")]
    [('cf', 2.0)]
    """
    # Rows of one pair may disagree about the fold: that must be seen before they are joined.
    _check_folds(pairs, file)
    joined: dict[tuple[str, str], LabelledPair] = {}
    for pair in pairs:
        key = pair.query_id, pair.source_id
        joined[key] = _joined(joined[key], pair) if key in joined else pair
    return list(joined.values())


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
        raise InputError(f"the column {column!r} is empty", file=file, row=row.number)
    return value


def _label(row: TableRow, column: str, file: str) -> Label:
    value = row.cells.get(column, "")
    label = LABELS_BY_NAME.get(value.lower())
    if label is None:
        raise InputError(
            f"the label {value!r} is unknown",
            file=file,
            row=row.number,
            hint="write 'cit' or 'cf', and leave out pairs that are no references",
        )
    return label


def _fold(row: TableRow, column: str, file: str) -> int:
    value = row.cells.get(column, "")
    if not value:
        return NO_FOLD
    try:
        number = float(value)  # tables that were edited in a spreadsheet may have 0.0
    except ValueError:
        number = math.nan
    if not (number.is_integer() and 0 <= number <= _GREATEST_FOLD):
        raise InputError(
            f"the fold {value!r} is no number of a fold",
            file=file,
            row=row.number,
            hint=f"number the folds from 0 to at most {_GREATEST_FOLD}",
        )
    return int(number)


def _grade(row: TableRow, column: str, file: str) -> float:
    value = row.cells.get(column, "")
    try:
        grade = float(value)
    except ValueError:
        grade = math.nan
    if not 0 < grade < math.inf:
        raise InputError(
            f"the grade {value!r} is no positive number",
            file=file,
            row=row.number,
            hint="grades are greater than 0; leave out pairs that are no references",
        )
    return grade


def _joined(first: LabelledPair, second: LabelledPair) -> LabelledPair:
    known = first.provenance.split(_BETWEEN_PROVENANCES)
    new = [] if second.provenance in ("", *known) else [second.provenance]
    return replace(
        first,
        grade=max(first.grade, second.grade),
        provenance=_BETWEEN_PROVENANCES.join([*filter(None, known), *new]),
    )


def _check_folds(pairs: Iterable[LabelledPair], file: str) -> None:
    first_of: dict[str, LabelledPair] = {}
    any_pair: LabelledPair | None = None
    for pair in pairs:
        any_pair = any_pair or pair
        first = first_of.setdefault(pair.query_id, pair)
        if (pair.fold == NO_FOLD) != (any_pair.fold == NO_FOLD):
            without, other = (pair, any_pair) if pair.fold == NO_FOLD else (any_pair, pair)
            raise InputError(
                f"the pair has no fold, that of row {other.row} has one",
                file=file,
                row=without.row,
                hint="give every pair a fold, or none",
            )
        if pair.fold != first.fold:
            raise InputError(
                f"the query {pair.query_id!r} is in fold {pair.fold} here and in fold "
                f"{first.fold} in row {first.row}",
                file=file,
                row=pair.row,
                hint="all pairs of a query must be in one fold",
            )


def references_between(
    pairs: Sequence[LabelledPair], query: Document, source: Document, *, file: str
) -> tuple[References, tuple[str, ...]]:
    """Turn pairs of ids into pairs of positions, ordered by query and source.

    Returns
    -------
    tuple
        The references, and the provenance of each.

    Raises
    ------
    InputError
        If an id is not in its document; the message names file and row.
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
    """Make sure that two documents have the segments which pairs name.

    Raises
    ------
    InputError
        If one has not; the message names file and row.
    """
    for pair in pairs:
        for segment_id, document, name in (
            (pair.query_id, query, "query"),
            (pair.source_id, source, "source"),
        ):
            if segment_id not in document:
                raise InputError(
                    f"there is no {name} segment {segment_id!r}",
                    file=file,
                    row=pair.row or None,
                    hint=f"the ids of the labels must be among those of the {name} segments",
                )
