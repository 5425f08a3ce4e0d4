"""Write results to files: CSV, TSV, JSON, JSON Lines."""

from __future__ import annotations

import itertools
import json
import os
import re
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from locisimiles.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from locisimiles.results import Reference, Results

__all__ = ["EXPORT_SUFFIXES", "atomic", "check_output", "write_results", "write_table"]

_COLUMNS = (
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


def check_output(
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    suffixes: Sequence[str] | None = None,
) -> Path:
    """Make sure that a file can be written, before its content is computed.

    Parameters
    ----------
    path
        Where it shall be.
    overwrite
        Whether a file that is there may be replaced.
    suffixes
        The suffixes it may have; by default those of `write_results`.

    Raises
    ------
    OutputError
        If its suffix is unknown, its folder missing, or the file there already.
    """
    path = Path(path)
    allowed = suffixes or EXPORT_SUFFIXES
    if path.suffix.lower() not in allowed:
        raise OutputError(
            f"{path} has no suffix we can write here", hint=f"use one of {', '.join(allowed)}"
        )
    try:
        if not path.parent.is_dir():
            raise OutputError(f"there is no folder {path.parent}", hint="make it first")
        if path.is_dir():
            raise OutputError(f"{path} is a folder", hint="choose another name")
        for place in (path, _manifest_beside(path)):
            if place.exists() and not overwrite:
                raise OutputError(
                    f"{place} exists already", hint="choose another name, or add --overwrite"
                )
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error
    return path


def _manifest_beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.manifest.json")


def write_results(
    results: Results, path: str | os.PathLike[str], *, overwrite: bool = False
) -> list[Path]:
    """Write results in the format that the path's suffix names.

    Tables (``.csv``, ``.tsv``, ``.jsonl``) are accompanied by a ``.manifest.json``; ``.json``
    holds its manifest itself. Files appear whole or not at all.

    Parameters
    ----------
    results
        What to write.
    path
        Where to.
    overwrite
        Replace a file that is there.

    Returns
    -------
    list of Path
        The files that were written.

    Raises
    ------
    OutputError
        If they cannot be written.
    """
    path = check_output(path, overwrite=overwrite)
    writer = _WRITERS[path.suffix.lower()]
    written = [path]
    with atomic(path) as stream:
        writer(results, stream)
    if writer is not _write_json:
        written.append(_manifest_beside(path))
        with atomic(written[-1]) as stream:
            _dump(dict(results.manifest), stream)
    return written


@contextmanager
def atomic(path: Path) -> Iterator[TextIO]:
    """Open a file for writing that takes its place only if all went well.

    Raises
    ------
    OutputError
        If it cannot be written; what was there before is then untouched.
    """
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
        temporary = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            yield stream
        # mkstemp makes private files; give results the rights any new file would have.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _rows(results: Results) -> Iterator[dict[str, str | int | float]]:
    for reference in results:
        yield _row(reference)


def _row(reference: Reference) -> dict[str, str | int | float]:
    query, source = reference.query, reference.source
    return {
        "query_id": query.id,
        "source_id": source.id,
        "rank": reference.rank,
        "score": round(reference.score, 4),
        "shared": " ".join(reference.shared),
        "query_author": query.author,
        "query_work": query.work,
        "query_locus": query.locus,
        "query_text": query.text,
        "source_author": source.author,
        "source_work": source.work,
        "source_locus": source.locus,
        "source_text": source.text,
    }


def _write_csv(results: Results, stream: TextIO) -> None:
    _write_table(results, stream, delimiter=",")


def _write_tsv(results: Results, stream: TextIO) -> None:
    _write_table(results, stream, delimiter="\t")


def _write_table(results: Results, stream: TextIO, *, delimiter: str) -> None:
    rows = ([row[name] for name in _COLUMNS] for row in _rows(results))
    write_table(stream, _COLUMNS, rows, delimiter=delimiter)


def write_table(
    stream: TextIO, header: Sequence[str], rows: Iterable[Sequence[object]], *, delimiter: str
) -> None:
    """Write rows as CSV or TSV, quoting what must be quoted.

    The csv module, before Python 3.13, leaves a lone carriage return unquoted, which no reader
    can tell from the end of a row.
    """
    special = re.compile(f'["\\n\\r{re.escape(delimiter)}]')
    for row in itertools.chain([header], rows):
        cells = (str(cell) for cell in row)
        quoted = (
            '"' + cell.replace('"', '""') + '"' if special.search(cell) else cell for cell in cells
        )
        stream.write(delimiter.join(quoted) + "\n")


def _write_jsonl(results: Results, stream: TextIO) -> None:
    stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(results))


def _write_json(results: Results, stream: TextIO) -> None:
    _dump({"manifest": dict(results.manifest), "references": list(_rows(results))}, stream)


def _dump(value: object, stream: TextIO) -> None:
    json.dump(value, stream, ensure_ascii=False, indent=1)
    stream.write("\n")


_WRITERS = {
    ".csv": _write_csv,
    ".tsv": _write_tsv,
    ".json": _write_json,
    ".jsonl": _write_jsonl,
}

EXPORT_SUFFIXES = tuple(_WRITERS)
"""The suffixes `write_results` understands."""
