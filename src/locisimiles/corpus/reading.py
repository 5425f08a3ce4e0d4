"""Read any mix of inputs into one set of columns."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.corpus.columns import Columns
from locisimiles.corpus.detect import detect_format
from locisimiles.corpus.inputs import list_files
from locisimiles.corpus.options import ReadOptions
from locisimiles.corpus.report import FileRead
from locisimiles.errors import (
    EmptyInputError,
    MissingColumnError,
    ParameterError,
    SegmentIdError,
    UnknownFormatError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.corpus.inputs import FileToRead, RawInput
    from locisimiles.corpus.report import ReadReport
    from locisimiles.progress import Progress

__all__ = ["read_columns"]

# In a folder there may well be a file that is no text; one that was named must be.
_NO_TEXT = (UnknownFormatError, MissingColumnError, EmptyInputError)


def read_columns(
    inputs: Sequence[str | os.PathLike[str]],
    *,
    format: str | None,  # noqa: A002
    options: ReadOptions | None,
    report: ReadReport,
    progress: Progress,
) -> Columns:
    """Read all inputs, in order, into one set of columns with unique ids."""
    merged = _Merger(report)
    files = [file for name in inputs for file in list_files(name, report)]
    _refuse_repeats(files)
    for done, file in enumerate(files):
        progress("reading", done, len(files))
        for columns in _read_one(file, format, options or ReadOptions(), report):
            merged.add(columns)
    progress("reading", len(files), len(files))
    if not len(merged.columns):
        names = ", ".join(os.fspath(name) for name in inputs)
        raise EmptyInputError("there is no text to read", file=names)
    return merged.columns


def _read_one(
    file: FileToRead,
    format: str | None,  # noqa: A002
    options: ReadOptions,
    report: ReadReport,
) -> Iterator[Columns]:
    try:
        for raw in file.open(report, format=format):
            try:
                yield _read_file(raw, format, options, report)
            except _NO_TEXT as error:
                if raw.by_itself:
                    raise
                report.note(raw.name, f"left out, {error.problem}")
    except _NO_TEXT as error:
        if file.by_itself:
            raise
        report.note(str(file.path), f"left out, {error.problem}")


def _read_file(
    raw: RawInput,
    format: str | None,  # noqa: A002
    options: ReadOptions,
    report: ReadReport,
) -> Columns:
    known = detect_format(raw, format, encoding=options.encoding)
    columns = known.read(raw, options, report)
    columns.name = raw.name
    report.files.append(FileRead(raw.name, known.name, len(columns)))
    return columns


def _refuse_repeats(files: Sequence[FileToRead]) -> None:
    seen: set[Path | None] = set()
    for file in files:
        path = file.path.resolve() if file.path else None
        if path in seen:
            raise ParameterError(f"{file.path or '-'} is given twice", hint="name it once")
        seen.add(path)


class _Merger:
    """Joins the columns of several files, keeping ids unique.

    Ids that users wrote are never changed: a clash is an error. Ids that we made from loci may
    clash where two editions of a work are read; the later one's then carry its name.
    """

    def __init__(self, report: ReadReport) -> None:
        self.columns = Columns()
        self._report = report
        self._home: dict[str, tuple[str, int]] = {}

    def add(self, columns: Columns) -> None:
        """Append the segments of one file."""
        if columns.ids_are_ours and any(i in self._home for i in columns.ids):
            self._tell_apart(columns)
        for segment_id, row in zip(columns.ids, columns.rows, strict=True):
            if segment_id in self._home:
                other, other_row = self._home[segment_id]
                raise SegmentIdError(
                    f"the id {segment_id!r} is also used in {other}, row {other_row}",
                    file=columns.name,
                    row=row,
                    hint="ids must be unique over all inputs",
                )
            self._home[segment_id] = (columns.name, row)
        self.columns.extend(columns)

    def _tell_apart(self, columns: Columns) -> None:
        clash = next(i for i in columns.ids if i in self._home)
        name = columns.edition or Path(columns.name).stem
        mark, number = f"@{name}", 2
        while any(f"{segment_id}{mark}" in self._home for segment_id in columns.ids):
            mark, number = f"@{name}-{number}", number + 1
        columns.ids = [f"{segment_id}{mark}" for segment_id in columns.ids]
        self._report.note(
            columns.name,
            f"holds a text that {self._home[clash][0]} holds too; its ids end in {mark!r}",
        )
