"""Read any mix of inputs into one set of columns."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.corpus.columns import Columns
from locisimiles.corpus.detect import detect_format
from locisimiles.corpus.inputs import list_files
from locisimiles.corpus.report import FileRead
from locisimiles.errors import (
    EmptyInputError,
    MissingColumnError,
    ParameterError,
    SegmentIdError,
    UnknownFormatError,
)
from locisimiles.files.raw import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.corpus.inputs import FileToRead
    from locisimiles.corpus.options import ReadOptions
    from locisimiles.corpus.report import ReadReport
    from locisimiles.progress import Progress

__all__ = ["read_columns"]

# A folder may contain files that are not texts; a file that the user names must be one.
_NOT_A_TEXT = (UnknownFormatError, MissingColumnError, EmptyInputError)


def read_columns(
    inputs: Sequence[str | os.PathLike[str]],
    *,
    kind: str | None,
    options: ReadOptions,
    report: ReadReport,
    progress: Progress,
) -> Columns:
    """Read all inputs, in order, into columns with unique ids; `kind` is their format, if known."""
    merged = _Merger(report)
    files = [file for name in inputs for file in list_files(name, report)]
    _refuse_repeats(files)
    for done, file in enumerate(files):
        progress("reading", done, len(files))
        for columns in _read_file(file, kind, options, report):
            merged.add(columns)
    progress("reading", len(files), len(files))
    if not len(merged.columns):
        names = ", ".join(os.fspath(name) for name in inputs)
        raise EmptyInputError("corpus.no_text", file=names)
    return merged.columns


def _read_file(
    file: FileToRead, kind: str | None, options: ReadOptions, report: ReadReport
) -> Iterator[Columns]:
    try:
        for raw in file.open(report, kind=kind):
            try:
                known = detect_format(raw, kind, encoding=options.encoding)
                columns = known.read(raw, options, report)
            except _NOT_A_TEXT as error:
                if raw.by_itself:
                    raise
                report.note(raw.name, "corpus.left_out", reason=error.message)
                continue
            columns.name = raw.name
            report.files.append(FileRead(raw.name, known.name, len(columns)))
            yield columns
    except _NOT_A_TEXT as error:
        if file.by_itself:
            raise
        report.note(str(file.path), "corpus.left_out", reason=error.message)


def _refuse_repeats(files: Sequence[FileToRead]) -> None:
    seen: set[Path | None] = set()
    for file in files:
        path = file.path.resolve() if file.path else None
        if path in seen:
            raise ParameterError("corpus.repeated_input", path=str(file.path or "-"))
        seen.add(path)


class _Merger:
    """Joins the columns of several files, keeping ids unique.

    Users' ids are never changed: a clash is an error. Ids generated from loci clash when two
    editions of a work are read; those of the later edition then end in its name.
    """

    def __init__(self, report: ReadReport) -> None:
        self.columns = Columns()
        self._report = report
        self._home: dict[str, tuple[str, int]] = {}

    def add(self, columns: Columns) -> None:
        """Append the segments of one file."""
        if columns.ids_are_ours and any(i in self._home for i in columns.ids):
            self._mark_edition(columns)
        for segment_id, row in zip(columns.ids, columns.rows, strict=True):
            if segment_id in self._home:
                other, other_row = self._home[segment_id]
                raise SegmentIdError(
                    "corpus.id_in_other_file",
                    file=columns.name,
                    row=row,
                    id=printable(segment_id),
                    other=other,
                    other_row=str(other_row),
                )
            self._home[segment_id] = (columns.name, row)
        self.columns.extend(columns)

    def _mark_edition(self, columns: Columns) -> None:
        clash = next(i for i in columns.ids if i in self._home)
        name = columns.edition or Path(columns.name).stem
        mark, number = f"@{name}", 2
        while any(f"{segment_id}{mark}" in self._home for segment_id in columns.ids):
            mark, number = f"@{name}-{number}", number + 1
        columns.ids = [f"{segment_id}{mark}" for segment_id in columns.ids]
        self._report.note(
            columns.name,
            "corpus.second_edition",
            other=self._home[clash][0],
            mark=printable(mark),
        )
