"""Results read back from files, of ours or of the published package of the same name."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus import Document, LocusMark, Segment
from locisimiles.corpus.columns import parse_marks
from locisimiles.errors import InputError, MalformedInputError, MissingColumnError
from locisimiles.export.alignments import parse_alignment
from locisimiles.export.columns import (
    ADDRESS_COLUMNS,
    ALIGNED_COLUMN,
    COLUMNS,
    EXPLAINED_COLUMN,
    JUDGED_COLUMNS,
)
from locisimiles.export.explained import ExplainedResults
from locisimiles.export.tables import read_pair_table
from locisimiles.results import Results
from locisimiles.retrieve import Candidates

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from locisimiles.evidence import Alignment
    from locisimiles.export.tables import PairTable
    from locisimiles.results import Reference

__all__ = ["read_results"]

_SCORES = (
    "score",
    "judgment_score",
    "probability",
    "similarity",
    "candidate_score",
    "above_threshold",
)
_ROUNDING = 2e-4
_YES_OR_NO = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_BY_LABEL = "class_probabilities"
_OURS = frozenset([*COLUMNS, EXPLAINED_COLUMN, ALIGNED_COLUMN, *ADDRESS_COLUMNS])
_FIELDS = ("author", "work", "locus", "text", "urn", "loci", "year")


def read_results(
    path: str | os.PathLike[str],
    *,
    query: Document | None = None,
    source: Document | None = None,
    guarded: bool = False,
) -> Results:
    """Read results that were written to a file.

    Besides our own files, those of the published package are read: what its command line and its
    app write, and its ``to_csv`` and ``to_json``.

    Parameters
    ----------
    path
        A ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.xlsx`` or ``.parquet`` file with columns
        ``query_id``, ``source_id`` and a score. A manifest beside or inside it is read too.
    query, source
        The documents that were compared. If they are not given, they are made from what the file
        tells of the segments that were found.
    guarded
        Remove the apostrophes that `write_results` put there with ``spreadsheet_safe``.

    Returns
    -------
    Results
        Ranks are places among the rows of the file.

    Raises
    ------
    InputError
        If the file cannot be read, contradicts itself, or names segments that are not in the
        documents.
    """
    table = read_pair_table(path, guarded=guarded)
    queries, sources = _Segments("query", query), _Segments("source", source)
    pairs = _Pairs(table)
    for row, cells in table.rows:
        position = queries.add(table, row, cells)
        if cells["source_id"]:  # a query without any match has a row too, in others' files
            pairs.add(row, cells, position, sources.add(table, row, cells))
    order = pairs.order(sources.ids())
    read = Results(
        queries.document(table),
        sources.document(table),
        pairs.candidates(order),
        table.manifest,
        pairs.probabilities(order),
        pairs.further(order),
    )
    return pairs.explained(read, order) if EXPLAINED_COLUMN in table.names else read


@dataclass(slots=True)
class _Segments:
    """The segments of one side, as the rows name them."""

    side: str
    known: Document | None
    fields: dict[str, dict[str, str]] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)

    def add(self, table: PairTable, row: int, cells: dict[str, str]) -> int:
        """Return the position of the row's segment."""
        name = cells[f"{self.side}_id"]
        if not name:
            raise InputError(f"the {self.side}_id is empty", file=table.file, row=row)
        if self.known is not None:
            if name not in self.known:
                raise InputError(
                    f"the {self.side} document has no segment {name!r}", file=table.file, row=row
                )
            return self.known.index(name)
        told = self.fields.setdefault(name, {})
        self.rows.setdefault(name, row)
        for column in _FIELDS:
            value = cells.get(f"{self.side}_{column}", "")
            if value and told.setdefault(column, value) != value:
                raise MalformedInputError(
                    f"the {column} of {name!r} is not the same as in a row above",
                    file=table.file,
                    row=row,
                    hint="ids must be unique",
                )
        return self.positions.setdefault(name, len(self.positions))

    def document(self, table: PairTable) -> Document:
        if self.known is not None:
            return self.known
        return Document.from_segments(
            Segment(
                id=name,
                text=told.get("text", ""),
                author=told.get("author", ""),
                work=told.get("work", ""),
                locus=told.get("locus", ""),
                loci=self._marks(table, name),
                meta={column: told[column] for column in ("urn", "year") if column in told},
            )
            for name, told in self.fields.items()
        )

    def _marks(self, table: PairTable, name: str) -> tuple[LocusMark, ...]:
        marks = self.fields[name].get("loci", "")
        try:
            return parse_marks(marks)
        except ValueError as error:
            raise MalformedInputError(
                f"{marks[:60]!r} does not say where lines begin",
                file=table.file,
                row=self.rows[name],
                hint=f"write 3.47@0 3.48@45, or leave {self.side}_loci empty",
            ) from error

    def ids(self) -> tuple[str, ...]:
        return tuple(self.fields) if self.known is None else self.known.ids


class _Pairs:
    """The pairs of a table, row by row, then as columns."""

    def __init__(self, table: PairTable) -> None:
        self._file = table.file
        score = table.first_of(*_SCORES)
        if score is None and table.rows:
            raise MissingColumnError(
                f"there is no score; the columns are {', '.join(table.names)}",
                file=table.file,
                hint=f"name one of them {' or '.join(_SCORES[:3])}",
            )
        self._score = score or ""
        self._ranked = "rank" in table.names
        self._typed = {"probability_cit", "probability_cf"} <= set(table.names)
        self._labelled = _BY_LABEL in table.names
        ours = _OURS | {self._score} | (set(JUDGED_COLUMNS) if self._typed else set())
        self._further = {name: list[str]() for name in table.names if name and name not in ours}
        self._numbers: list[int] = []
        self._aligned: list[str] | None = [] if ALIGNED_COLUMN in table.names else None
        self._rows: list[tuple[int, int, float, float]] = []
        self._judged: list[tuple[float, float, float] | None] = []
        self._explained: list[str] = []
        self._seen: dict[tuple[int, int], int] = {}

    def add(self, row: int, cells: dict[str, str], query: int, source: int) -> None:
        first = self._seen.setdefault((query, source), row)
        if first != row:
            raise MalformedInputError(
                f"the pair stands in row {first} already", file=self._file, row=row
            )
        score = self._number(row, cells, self._score)
        rank = self._number(row, cells, "rank") if self._ranked else -score
        self._rows.append((query, source, score, rank))
        self._judged.append(self._judgement(row, cells))
        self._explained.append(cells.get(EXPLAINED_COLUMN, ""))
        self._numbers.append(row)
        if self._aligned is not None:
            self._aligned.append(cells[ALIGNED_COLUMN])
        for name, column in self._further.items():
            column.append(cells[name])

    def _number(self, row: int, cells: dict[str, str], name: str) -> float:
        text = cells[name].strip()
        try:
            number = _YES_OR_NO[text.lower()] if text.lower() in _YES_OR_NO else float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise MalformedInputError(
                f"{text!r} is no number for {name}", file=self._file, row=row
            ) from None
        return number

    def _judgement(self, row: int, cells: dict[str, str]) -> tuple[float, float, float] | None:
        if self._typed:
            cit = self._number(row, cells, "probability_cit")
            cf = self._number(row, cells, "probability_cf")
            if min(cit, cf) < 0 or cit + cf > 1 + _ROUNDING:
                raise MalformedInputError(
                    f"{cit:g} and {cf:g} are no probabilities of cit. and cf.",
                    file=self._file,
                    row=row,
                    hint="they are at least 0, and 1 together at most",
                )
            return max(0.0, 1 - cit - cf), cit, cf
        return _by_label(cells[_BY_LABEL]) if self._labelled else None

    def order(self, source_ids: tuple[str, ...]) -> NDArray[np.intp]:
        """Return the rows in the order of `Results`: by query, rank and source id."""
        keys = [
            (query, rank, source_ids[source], row)
            for row, (query, source, _, rank) in enumerate(self._rows)
        ]
        return np.array([key[-1] for key in sorted(keys)], np.intp)

    def candidates(self, order: NDArray[np.intp]) -> Candidates:
        columns = np.array(self._rows, np.float64).reshape(-1, 4)[order]
        return Candidates(
            query=columns[:, 0].astype(np.int32),
            source=columns[:, 1].astype(np.int32),
            score=columns[:, 2].astype(np.float32),
        )

    def probabilities(self, order: NDArray[np.intp]) -> NDArray[np.float32] | None:
        judged = [one for one in self._judged if one is not None]
        if not judged or len(judged) < len(self._judged):
            return None
        return np.array(judged, np.float32)[order]

    def further(self, order: NDArray[np.intp]) -> dict[str, tuple[str, ...]]:
        """Return the columns that are not ours, so that they can be written again."""
        judged = self.probabilities(order) is not None
        return {
            name: tuple(column[row] for row in order.tolist())
            for name, column in self._further.items()
            if not (judged and name == _BY_LABEL)
        }

    def explained(self, read: Results, order: NDArray[np.intp]) -> ExplainedResults:
        """Return the results with what was said of their pairs."""
        alignments = None
        if self._aligned is not None:
            rows = zip(read, order.tolist(), strict=True)
            alignments = tuple(self._alignment(reference, row) for reference, row in rows)
        return ExplainedResults(
            **{own.name: getattr(read, own.name) for own in fields(Results)},
            explanations=tuple(self._explained[row] for row in order.tolist()),
            alignments=alignments,
        )

    def _alignment(self, reference: Reference, row: int) -> Alignment:
        cell = self._aligned[row] if self._aligned else ""
        try:
            return parse_alignment(cell, reference.query.text, reference.source.text)
        except ValueError as error:
            raise MalformedInputError(
                str(error),
                file=self._file,
                row=self._numbers[row],
                hint=f"if texts were changed, remove the column {ALIGNED_COLUMN!r}",
            ) from error


def _by_label(text: str) -> tuple[float, float, float] | None:
    """Read probabilities by label, if two of the labels are ours."""
    try:
        given = {
            str(label).strip().lower().rstrip("."): float(value)
            for label, value in json.loads(text).items()
        }
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    if not {"cit", "cf"} <= set(given) or not all(0 <= one <= 1 for one in given.values()):
        return None
    return max(0.0, 1 - given["cit"] - given["cf"]), given["cit"], given["cf"]
