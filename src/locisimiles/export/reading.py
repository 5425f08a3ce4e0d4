"""Read results from files, ours or those of the published package of the same name."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.candidates import Candidates
from locisimiles.corpus import Document, LocusMark, Segment
from locisimiles.corpus.columns import parse_marks
from locisimiles.errors import InputError, MalformedInputError, ParameterError
from locisimiles.export.tables import read_pair_table
from locisimiles.files.limits import current_limits, limited
from locisimiles.results import Results
from locisimiles.results.alignments import parse_alignment
from locisimiles.results.columns import (
    ADDRESS_COLUMNS,
    ALIGNED_COLUMN,
    COLUMNS,
    EXPLAINED_COLUMN,
    JUDGED_COLUMNS,
    MACHINE_COLUMN,
    PARALLEL_COLUMN,
    PASSAGE_COLUMN,
)
from locisimiles.results.groups import best_rows
from locisimiles.results.reader_cells import JUDGEMENT_COLUMNS, are_judged, parse_judgement

if TYPE_CHECKING:
    import os

    from locisimiles.evidence import Alignment
    from locisimiles.export.tables import PairTable
    from locisimiles.results import PairJudgement

    Probabilities = tuple[float, float, float]

__all__ = ["read_results"]

# The columns of scores in our files and in others', in order of preference.
_SCORES = (
    "score",
    "judgment_score",
    "probability",
    "similarity",
    "candidate_score",
    "above_threshold",
)
_ROUNDING = 2e-4
_LARGEST = float(np.finfo(np.float32).max)
_YES_OR_NO = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_BY_LABEL = "class_probabilities"
_OURS = frozenset(
    [*COLUMNS, EXPLAINED_COLUMN, ALIGNED_COLUMN, PARALLEL_COLUMN, PASSAGE_COLUMN, *ADDRESS_COLUMNS]
)
_FIELDS = ("author", "work", "locus", "text", "urn", "loci", "year")


def read_results(
    path: str | os.PathLike[str],
    *,
    query: Document | None = None,
    source: Document | None = None,
    guarded: bool = False,
) -> Results:
    """Read results from a file.

    Besides our own files, it reads those that the command line and the app of the published
    package write, and its ``to_csv`` and ``to_json``.

    Parameters
    ----------
    path
        A ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.xlsx`` or ``.parquet`` file with columns
        ``query_id``, ``source_id`` and a score. A manifest beside or inside it is read too.
    query, source
        The documents that were compared; by default, the segments in the file.
    guarded
        Remove the apostrophes that `write_results` added with ``spreadsheet_safe``.

    Returns
    -------
    Results
        Ranks are counted among the rows of the file.

    Raises
    ------
    InputError
        If the file cannot be read, contradicts itself, or names segments that the documents lack.
    """
    with limited(current_limits()):  # asked once: the environment is slow to ask for each segment
        return _from_table(read_pair_table(path, guarded=guarded), query, source)


def _from_table(table: PairTable, query: Document | None, source: Document | None) -> Results:
    queries = _Segments("query", query, table.file)
    sources = _Segments("source", source, table.file)
    parser, pairs = _PairParser(table), list[_Pair]()
    for row, cells in table.rows:
        position = queries.add(row, cells)
        if cells["source_id"]:  # in others' files, a query without a match has a row too
            pairs.append(parser.parse(row, cells, position, sources.add(row, cells)))
    documents = queries.document(), sources.document()
    pairs.sort(key=lambda pair: (pair.query, pair.rank, documents[1].ids[pair.source]))
    judged = [pair.judged for pair in pairs if pair.judged is not None]
    all_judged = bool(judged) and len(judged) == len(pairs)

    def column(name: str) -> tuple[str, ...]:
        return tuple(pair.cells[name] for pair in pairs)

    return Results(
        *documents,
        Candidates(
            query=np.array([pair.query for pair in pairs], np.int32),
            source=np.array([pair.source for pair in pairs], np.int32),
            score=np.array([pair.score for pair in pairs], np.float32),
        ),
        table.manifest,
        np.array(judged, np.float32) if all_judged else None,
        {name: column(name) for name in parser.further if not (all_judged and name == _BY_LABEL)},
        column(EXPLAINED_COLUMN) if EXPLAINED_COLUMN in table.columns else None,
        tuple(_alignment(pair, *documents, table.file) for pair in pairs)
        if ALIGNED_COLUMN in table.columns
        else None,
        tuple(_judgement(pair, table.file) for pair in pairs)
        if are_judged(table.columns)
        else None,
        best=best_rows(
            (pair.query, documents[1].ids[pair.source], pair.cells[PARALLEL_COLUMN])
            for pair in pairs
        )
        if PARALLEL_COLUMN in table.columns
        else None,
    )


@dataclass(slots=True)
class _Segments:
    """The segments of one side, as the rows describe them."""

    side: str
    known: Document | None
    file: str
    fields: dict[str, dict[str, str]] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)

    def add(self, row: int, cells: dict[str, str]) -> int:
        """Return the position of the row's segment."""
        name = cells[f"{self.side}_id"]
        if not name:
            raise InputError("export.empty_id", column=f"{self.side}_id", file=self.file, row=row)
        if self.known is not None:
            if name not in self.known:
                raise InputError(
                    "export.not_in_query" if self.side == "query" else "export.not_in_source",
                    id=name,
                    file=self.file,
                    row=row,
                )
            return self.known.index(name)
        values = self.fields.setdefault(name, {})
        self.rows.setdefault(name, row)
        for column in _FIELDS:
            value = cells.get(f"{self.side}_{column}", "")
            if value and values.setdefault(column, value) != value:
                raise MalformedInputError(
                    "export.contradiction", column=column, id=name, file=self.file, row=row
                )
        return self.positions.setdefault(name, len(self.positions))

    def document(self) -> Document:
        if self.known is not None:
            return self.known
        return Document.from_segments(
            Segment(
                id=name,
                **{
                    column: values.get(column, "") for column in ("text", "author", "work", "locus")
                },
                loci=self._marks(name, values.get("loci", "")),
                meta={column: values[column] for column in ("urn", "year") if column in values},
            )
            for name, values in self.fields.items()
        )

    def _marks(self, name: str, marks: str) -> tuple[LocusMark, ...]:
        try:
            return parse_marks(marks)
        except ValueError as error:
            raise MalformedInputError(
                "export.bad_loci",
                loci=marks[:60],
                column=f"{self.side}_loci",
                file=self.file,
                row=self.rows[name],
            ) from error


class _Pair(NamedTuple):
    """A row of the table; `query` and `source` are positions in the documents."""

    row: int
    query: int
    source: int
    score: float
    rank: float
    judged: Probabilities | None
    cells: dict[str, str]


class _PairParser:
    """Parses the scores and probabilities of pairs."""

    def __init__(self, table: PairTable) -> None:
        names, self._file = table.columns, table.file
        self._score = table.require(_SCORES) if table.rows else ""
        self._ranked = "rank" in names
        self._typed = {"probability_cit", "probability_cf"} <= set(names)
        self._labelled = _BY_LABEL in names
        self._seen: dict[tuple[int, int], int] = {}
        ours = _OURS | {self._score} | (set(JUDGED_COLUMNS) if self._typed else set())
        if are_judged(names):
            ours |= {"type", MACHINE_COLUMN, *JUDGEMENT_COLUMNS}
        self.further = [name for name in names if name and name not in ours]
        """Other columns, which are kept and written again."""

    def parse(self, row: int, cells: dict[str, str], query: int, source: int) -> _Pair:
        first = self._seen.setdefault((query, source), row)
        if first != row:
            raise MalformedInputError(
                "export.pair_twice", first=str(first), file=self._file, row=row
            )
        score = self._number(row, cells, self._score)
        rank = self._number(row, cells, "rank") if self._ranked else -score
        return _Pair(row, query, source, score, rank, self._judged(row, cells), cells)

    def _number(self, row: int, cells: dict[str, str], column: str) -> float:
        text = cells[column].strip()
        try:
            number = _YES_OR_NO[text.lower()] if text.lower() in _YES_OR_NO else float(text)
        except ValueError:
            number = math.nan
        if not abs(number) <= _LARGEST:  # not a number, or none that we can keep
            raise MalformedInputError(
                "export.no_number", value=text, column=column, file=self._file, row=row
            )
        return number

    def _judged(self, row: int, cells: dict[str, str]) -> Probabilities | None:
        if self._typed:
            cit = self._number(row, cells, "probability_cit")
            cf = self._number(row, cells, "probability_cf")
            if min(cit, cf) < 0 or cit + cf > 1 + _ROUNDING:
                raise MalformedInputError(
                    "export.no_probabilities",
                    cit=f"{cit:g}",
                    cf=f"{cf:g}",
                    file=self._file,
                    row=row,
                )
            return max(0.0, 1 - cit - cf), cit, cf
        return _by_label(cells[_BY_LABEL]) if self._labelled else None


def _by_label(text: str) -> Probabilities | None:
    """Parse probabilities by label; None if there are none of cit. and cf."""
    try:
        by_label = {
            str(label).strip().lower().rstrip("."): float(value)
            for label, value in json.loads(text).items()
        }
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    if not {"cit", "cf"} <= set(by_label) or not all(0 <= one <= 1 for one in by_label.values()):
        return None
    return max(0.0, 1 - by_label["cit"] - by_label["cf"]), by_label["cit"], by_label["cf"]


def _judgement(pair: _Pair, file: str) -> PairJudgement | None:
    try:
        return parse_judgement(pair.cells)
    except MalformedInputError as error:
        error.file, error.row = file, pair.row
        raise


def _alignment(pair: _Pair, query: Document, source: Document, file: str) -> Alignment:
    try:
        texts = query.texts[pair.query], source.texts[pair.source]
        return parse_alignment(pair.cells[ALIGNED_COLUMN], *texts)
    except ParameterError as error:
        raise MalformedInputError(
            "export.bad_alignment",
            reason=error.message,
            column=ALIGNED_COLUMN,
            file=file,
            row=pair.row,
        ) from error
