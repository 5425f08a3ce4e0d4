"""The texts that commands read, and the files they write."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.cli.console import ProgressBar, harmless_rows, say
from locisimiles.corpus import Document
from locisimiles.errors import OutputError, ParameterError
from locisimiles.export import check_output, write_table
from locisimiles.files.writing import atomic
from locisimiles.index import Index, is_index
from locisimiles.index.kept import KeptIndexes, are_library_names
from locisimiles.pipeline import assumption, expected_references
from locisimiles.retrieve.methods import index_encoder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from locisimiles.classify.calibration import Calibration
    from locisimiles.classify.selection import Tally
    from locisimiles.corpus import ReadOptions
    from locisimiles.results import Results
    from locisimiles.retrieve import Retriever

__all__ = [
    "check_target",
    "counted",
    "note_large_workbook",
    "read_documents",
    "read_texts",
    "report_reading",
    "say_expected",
    "write_rows",
]

_NOTES_SHOWN = 10
_MANY_ROWS, _MANY_BYTES = 100_000, 5 * 10**6  # of a workbook; about a quarter of a minute


def note_large_workbook(path: Path, rows: int | None = None) -> None:
    """Warn before a large workbook is read, or written with this number of rows."""
    if path.suffix.lower() != ".xlsx":
        return
    if rows is None:
        is_large = path.is_file() and path.stat().st_size > _MANY_BYTES
        size = "as large as this"
    else:
        is_large, size = rows > _MANY_ROWS, f"of up to {rows:,} rows"
    if is_large:
        advice = "a table (.csv) or .parquet takes seconds"
        say(f"a workbook {size} may take minutes; {advice}", kind="note")


def read_documents(
    *inputs: Sequence[str],
    format: str | None = None,  # noqa: A002
    options: ReadOptions | None = None,
) -> list[Document]:
    """Read one document from each list of inputs, and report what was skipped or guessed.

    A folder with an index is opened, not read.
    """
    with ProgressBar() as progress:
        documents = [
            _opened(names) or Document(*names, format=format, options=options, progress=progress)
            for names in inputs
        ]
    report_reading(*documents)
    return documents


def read_texts(
    query: str,
    source: Sequence[str],
    retriever: Retriever,
    *,
    format: str | None = None,  # noqa: A002
    options: ReadOptions | None = None,
    build: bool = True,
) -> list[Document]:
    """Read query and source as `read_documents` does; library texts have an index in the cache.

    Without `build`, one that is not there yet is not built.
    """
    if format is not None or not are_library_names(source):
        return read_documents([query], source, format=format, options=options)
    queries = read_documents([query], options=options)
    encoder = index_encoder(retriever)
    try:
        with ProgressBar() as progress:
            shelf = KeptIndexes()
            find = shelf.of_library if build else shelf.known
            index = find(source, encoder, options, progress=progress)
    except OutputError as error:  # it would be quicker, and nothing more
        say(f"searching without an index: {error}", kind="note")
        index = None
    if index is None:
        return [*queries, *read_documents(source, options=options)]
    report_reading(index)
    return [*queries, index]


def _opened(names: Sequence[str]) -> Index | None:
    """Open an index; None if the inputs are texts."""
    folders = [name for name in names if name not in ("", "-") and is_index(Path(name))]
    if not folders:
        return None
    if len(names) > 1:
        raise ParameterError("cli.index_alone", index=folders[0])
    return Index.open(folders[0])


def report_reading(*documents: Document) -> None:
    """Report what was skipped or guessed when documents were read."""
    notes = [note for document in documents for note in document.report.messages()]
    for note in notes[:_NOTES_SHOWN]:
        say(note, kind="note")
    if len(notes) > _NOTES_SHOWN:
        say(f"{len(notes) - _NOTES_SHOWN} more notes", kind="note")


def check_target(
    output: Path | None,
    inputs: Iterable[str | Path],
    *,
    overwrite: bool,
    suffixes: Sequence[str] | None = None,
    spreadsheet_safe: bool = False,
) -> None:
    """Check that an output file can be written and is not an input; None is standard output."""
    if output is None:
        return
    try:
        target, exists = output.resolve(), output.exists()
    except OSError as error:
        raise OutputError("files.unwritable", path=str(output), reason=error.strerror) from error
    for path in (Path(name).resolve() for name in inputs if name not in ("", "-")):
        if path == target or (exists and target.is_relative_to(path)):
            raise OutputError("cli.output_is_input", path=str(output))
    check_output(output, overwrite=overwrite, suffixes=suffixes, spreadsheet_safe=spreadsheet_safe)


def write_rows(
    output: Path | None,
    header: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    about: str = "",
) -> None:
    """Write a table to a .csv or .tsv file, or tab-separated to standard output."""
    if output is None:
        write_table(sys.stdout, header, harmless_rows(rows), delimiter="\t")
        return
    with atomic(output) as stream:
        write_table(
            stream, header, rows, delimiter="," if output.suffix.lower() == ".csv" else "\t"
        )
    say(f"wrote {output}{about}")


def counted(blocks: Iterable[Results], tally: Tally) -> Iterator[Results]:
    """Yield blocks, and count the references to expect in them."""
    for block in blocks:
        tally.add(block.candidates.score[block.counts])
        yield block


def say_expected(tally: Tally, calibration: Calibration, query: Document) -> None:
    """Say how many references to expect, and what that assumes."""
    say(str(expected_references(tally, calibration, query)))
    say(assumption(calibration))
