"""TREC files: runs (candidates) and qrels (references).

A run has lines ``query Q0 source rank score name``, qrels have lines ``query 0 source grade``, with
white space between the fields. Our ids contain spaces: white space and per cent signs inside an id
are percent-encoded (``verg.%20aen.%201.1``), and decoded when read. If fields are separated by
tabs, ids may also be written plainly.

The second field of qrels, which tools ignore, holds the type of a reference (``cit``, ``cf``).
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from locisimiles.benchmark.sets.labels import parse_number
from locisimiles.benchmark.sets.references import Label, References
from locisimiles.candidates import Candidates, tie_order
from locisimiles.classify.labels import TYPES
from locisimiles.errors import DecodingError, InputError, MalformedInputError, SegmentIdError
from locisimiles.export.trec import escaped_ids, run_lines
from locisimiles.files.raw import read_raw
from locisimiles.files.writing import atomic

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from locisimiles.corpus import Document

__all__ = ["read_qrels", "read_run", "write_qrels", "write_run"]

_RUN_FIELDS = 6
_QREL_FIELDS = 4


def write_run(
    path: str | os.PathLike[str],
    candidates: Candidates,
    query: Document,
    source: Document,
    *,
    name: str = "locisimiles",
) -> None:
    """Write candidates as a TREC run.

    Scores are written so that reading them gives the same numbers.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    lines = run_lines(candidates, query, escaped_ids(source.ids), name=name)
    with atomic(Path(path)) as stream:
        stream.writelines(lines)


def read_run(
    path: str | os.PathLike[str],
    query: Document,
    source: Document,
    *,
    required: Iterable[int] = (),
) -> Candidates:
    """Read a TREC run.

    As in ``trec_eval``, scores decide the order and ranks are ignored; ties are ordered by source
    id.

    Parameters
    ----------
    path
        The file.
    query, source
        The documents whose segments it names.
    required
        Positions of queries that must have a line, such as those with references. By default none.

    Raises
    ------
    InputError
        If a line is malformed, names an unknown segment or repeats a pair, or if a required query
        is missing; the message names file and row.
    """
    path = Path(path)
    scores = {
        pair: _finite(fields[4], "score", path, row)
        for row, pair, fields in _judgements(path, _RUN_FIELDS, query, source)
    }
    _check_complete(scores, required, query, path)
    queries, sources = np.array(list(scores), np.int32).reshape(-1, 2).T
    values = np.array(list(scores.values()), np.float64)
    # Order before rounding to float32, which could add ties.
    return Candidates.ranked(queries, sources, values, tie_order(source.ids))


def write_qrels(
    path: str | os.PathLike[str], references: References, query: Document, source: Document
) -> None:
    """Write references as TREC qrels.

    Grades are written as they are. Most tools want whole numbers.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    query_ids, source_ids = escaped_ids(query.ids), escaped_ids(source.ids)
    order = np.lexsort((references.source, references.query))
    with atomic(Path(path)) as stream:
        stream.writelines(
            f"{query_ids[references.query[at]]} {Label(references.label[at]).text} "
            f"{source_ids[references.source[at]]} {references.grade[at]:.9g}\n"
            for at in order
        )


def read_qrels(
    path: str | os.PathLike[str],
    query: Document,
    source: Document,
    *,
    label: Label = Label.CIT,
) -> References:
    """Read TREC qrels.

    Parameters
    ----------
    path
        The file.
    query, source
        The documents whose segments it names.
    label
        The type of references whose second field names none.

    Lines of grade 0 or less are left out. The references have no folds.

    Raises
    ------
    InputError
        If a line is malformed, names an unknown segment or repeats a pair; the message names file
        and row.
    """
    path = Path(path)
    names = {kind.text: kind for kind in TYPES}
    columns: list[tuple[int, int, int, float]] = []
    for row, pair, fields in _judgements(path, _QREL_FIELDS, query, source):
        grade = _finite(fields[3], "grade", path, row)
        if grade > 0:
            columns.append((*pair, names.get(fields[1].lower(), label), grade))
    if not columns:
        return References.from_columns([], [], [])
    queries, sources, labels, grades = zip(*columns, strict=True)
    return References.from_columns(queries, sources, labels, grade=grades)


def _judgements(
    path: Path, count: int, query: Document, source: Document
) -> Iterator[tuple[int, tuple[int, int], list[str]]]:
    seen: set[tuple[int, int]] = set()
    for row, fields in _lines(path, count):
        first = _position(fields[0], query, "query", path, row)
        second = _position(fields[2], source, "source", path, row)
        if (first, second) in seen:
            raise SegmentIdError(
                "benchmark.repeated_pair",
                file=str(path),
                row=row,
                query=query.ids[first],
                source=source.ids[second],
            )
        seen.add((first, second))
        yield row, (first, second), fields


def _lines(path: Path, count: int) -> Iterator[tuple[int, list[str]]]:
    try:
        text = read_raw(path).data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DecodingError("files.not_text", file=str(path), encoding="UTF-8") from error
    # Only line feeds end lines: str.splitlines would cut ids at rarer characters.
    for row, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != count:
            fields = line.split()
        if len(fields) != count:
            raise MalformedInputError(
                "benchmark.wrong_fields",
                file=str(path),
                row=row,
                fields=len(fields),
                expected=count,
            )
        yield row, fields


def _position(field: str, document: Document, side: str, path: Path, row: int) -> int:
    segment_id = unquote(field)
    if segment_id not in document:
        raise SegmentIdError(
            "benchmark.unknown_segment", file=str(path), row=row, side=side, id=segment_id
        )
    return document.index(segment_id)


def _finite(field: str, name: str, path: Path, row: int) -> float:
    value = parse_number(field)
    if not math.isfinite(value):
        raise MalformedInputError(
            "benchmark.not_a_number", file=str(path), row=row, name=name, value=field
        )
    return value


def _check_complete(
    seen: Iterable[tuple[int, int]], required: Iterable[int], query: Document, path: Path
) -> None:
    missing = sorted(set(map(int, required)) - {position for position, _ in seen})
    if missing:
        raise InputError(
            "benchmark.missing_queries",
            file=str(path),
            count=len(missing),
            first=query.ids[missing[0]],
        )
