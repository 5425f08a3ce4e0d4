"""TREC files: runs (what was found) and qrels (what is relevant).

A run has lines ``query Q0 source rank score name``, qrels have lines ``query 0 source grade``, with
white space between the fields. Our ids contain spaces; in these files, white space and per cent
signs inside an id are written as in web addresses (``verg.%20aen.%201.1``), and read back. Where
fields are separated by tabs, ids may also stand as they are.

The second field of qrels, which tools ignore, holds the type of a reference (``cit``, ``cf``).
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from locisimiles.benchmark.sets.references import Label, References
from locisimiles.candidates import Candidates, tie_order
from locisimiles.errors import DecodingError, InputError, MalformedInputError, SegmentIdError
from locisimiles.files.writing import atomic

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from locisimiles.corpus import Document

__all__ = ["read_qrels", "read_run", "write_qrels", "write_run"]

_UNSAFE = re.compile(r"[\s%]")
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
    query_ids, source_ids = _escaped(query.ids), _escaped(source.ids)
    columns = zip(
        candidates.query.tolist(),
        candidates.source.tolist(),
        candidates.rank.tolist(),
        candidates.score.tolist(),
        strict=True,
    )
    with atomic(Path(path)) as stream:
        stream.writelines(
            f"{query_ids[q]} Q0 {source_ids[s]} {rank} {score:.9g} {_escape(name)}\n"
            for q, s, rank, score in columns
        )


def read_run(
    path: str | os.PathLike[str],
    query: Document,
    source: Document,
    *,
    required: Iterable[int] = (),
) -> Candidates:
    """Read a TREC run.

    As in ``trec_eval``, scores decide the order and the rank is not looked at; equal scores come in
    the order of source ids.

    Parameters
    ----------
    path
        The file.
    query, source
        The documents whose segments it names.
    required
        Positions of queries that must have a line, such as those with references. By default a
        query may be missing: a method need not find anything for it.

    Raises
    ------
    InputError
        If a line is malformed, names an unknown segment or a pair for the second time, or if a
        required query is missing; the message names file and row.
    """
    path = Path(path)
    scores = {
        pair: _finite(fields[4], "score", path, row)
        for row, pair, fields in _judgements(path, _RUN_FIELDS, query, source)
    }
    _check_complete(scores, required, query, path)
    queries, sources = np.array(list(scores), np.int32).reshape(-1, 2).T
    values = np.array(list(scores.values()), np.float64)
    # Ordered before they lose digits, so that no ties arise that the file does not have.
    order = np.lexsort((tie_order(source.ids)[sources], -values, queries))
    return Candidates(queries[order], sources[order], values[order].astype(np.float32))


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
    query_ids, source_ids = _escaped(query.ids), _escaped(source.ids)
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

    Lines of grade 0 or less say that a pair is no reference, and are left out. The references have
    no folds.

    Raises
    ------
    InputError
        If a line is malformed, names an unknown segment or a pair for the second time; the message
        names file and row.
    """
    path = Path(path)
    names = {kind.text: kind for kind in (Label.CIT, Label.CF)}
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
                f"{query.ids[first]!r} and {source.ids[second]!r} stand here for the second time",
                file=str(path),
                row=row,
                hint="a pair can have one line only",
            )
        seen.add((first, second))
        yield row, (first, second), fields


def _lines(path: Path, count: int) -> Iterator[tuple[int, list[str]]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=str(path)) from error
    except UnicodeDecodeError as error:
        raise DecodingError(
            "this is no UTF-8 text", file=str(path), hint="save it as UTF-8"
        ) from error
    # Only line feeds end lines here: str.splitlines would cut ids at rarer signs.
    for row, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != count:
            fields = line.split()
        if len(fields) != count:
            raise MalformedInputError(
                f"there are {len(fields)} fields instead of {count}",
                file=str(path),
                row=row,
                hint="write spaces inside ids as %20, or separate fields by tabs",
            )
        yield row, fields


def _position(field: str, document: Document, side: str, path: Path, row: int) -> int:
    segment_id = unquote(field)
    if segment_id not in document:
        raise SegmentIdError(
            f"there is no {side} segment {segment_id!r}",
            file=str(path),
            row=row,
            hint="the file must belong to the same texts",
        )
    return document.index(segment_id)


def _finite(field: str, what: str, path: Path, row: int) -> float:
    try:
        value = float(field)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise MalformedInputError(f"the {what} {field!r} is no number", file=str(path), row=row)
    return value


def _check_complete(
    seen: Iterable[tuple[int, int]], required: Iterable[int], query: Document, path: Path
) -> None:
    missing = sorted(set(map(int, required)) - {position for position, _ in seen})
    if missing:
        raise InputError(
            f"{len(missing)} queries have no line, first {query.ids[missing[0]]!r}",
            file=str(path),
            hint="complete the run, or read it without required queries",
        )


def _escaped(ids: Iterable[str]) -> list[str]:
    return [_escape(segment_id) for segment_id in ids]


def _escape(text: str) -> str:
    return _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), text)
