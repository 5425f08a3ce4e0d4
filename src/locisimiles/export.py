"""Write results to files: CSV, TSV, JSON, JSON Lines."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from locisimiles.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.results import Reference, Results

__all__ = ["EXPORT_SUFFIXES", "atomic", "check_output", "write_results"]

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
    if not path.parent.is_dir():
        raise OutputError(f"there is no folder {path.parent}", hint="make it first")
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists already", hint="choose another name, or add --overwrite")
    return path


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
        written.append(path.with_name(f"{path.name}.manifest.json"))
        with atomic(written[-1]) as stream:
            _dump(dict(results.manifest), stream)
    return written


class atomic:  # noqa: N801 - used like a function
    """Open a file for writing that takes its place only if all went well."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> TextIO:
        try:
            handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}.")
            self._temporary = Path(name)
            self._stream = os.fdopen(handle, "w", encoding="utf-8", newline="")
        except OSError as error:
            raise OutputError(f"{self._path} cannot be written: {error.strerror}") from error
        return self._stream

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._stream.close()
        if kind is not None:
            self._temporary.unlink(missing_ok=True)
            return
        # mkstemp makes private files; give results the rights any new file would have.
        umask = os.umask(0)
        os.umask(umask)
        self._temporary.chmod(0o666 & ~umask)
        self._temporary.replace(self._path)


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
    table = csv.DictWriter(stream, _COLUMNS, delimiter=delimiter, lineterminator="\n")
    table.writeheader()
    table.writerows(_rows(results))


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
