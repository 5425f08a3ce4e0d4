"""Which suffix means which format."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from locisimiles.errors import ParameterError
from locisimiles.export.blocks import BlockRows
from locisimiles.export.json_files import dump_json
from locisimiles.export.tables import REPEAT, TABLE_SHA256
from locisimiles.files.hashing import file_sha256
from locisimiles.files.tables import import_pyarrow
from locisimiles.files.writing import atomic, atomic_binary, check_file, manifest_beside
from locisimiles.results import Results
from locisimiles.results.base import check_results

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO, TextIO

__all__ = ["EXPORT_SUFFIXES", "FORMATS", "Format", "check_output", "write_blocks", "write_results"]


@dataclass(frozen=True, slots=True)
class Format:
    """How to write results to a stream, and whether the manifest gets a file of its own.

    `what` says in a word what the suffix does not. A format `by_rows` is written while others are
    still searched; its function takes `BlockRows`.
    """

    write: Callable[..., None]
    what: str = ""
    binary: bool = False
    manifest_beside: bool = False
    by_rows: bool = False


def _write(
    module: str,
    function: str,
    results: Results | BlockRows,
    stream: TextIO | BinaryIO,
    **options: object,
) -> None:
    """Write results with the function of a module, which is imported when first needed."""
    getattr(import_module(f"locisimiles.export.{module}"), function)(results, stream, **options)


def _table(module: str, function: str) -> Format:
    return Format(partial(_write, module, function), manifest_beside=True, by_rows=True)


FORMATS = {
    ".csv": _table("delimited", "write_csv"),
    ".tsv": _table("delimited", "write_tsv"),
    ".json": Format(partial(_write, "json_files", "write_json")),
    ".jsonl": _table("json_files", "write_jsonl"),
    ".xlsx": Format(partial(_write, "workbook", "write_xlsx"), binary=True),
    ".parquet": Format(partial(_write, "parquet", "write_parquet"), binary=True, by_rows=True),
    ".html": Format(partial(_write, "html_report", "write_html"), "report"),
    ".xml": Format(partial(_write, "tei", "write_tei"), "TEI", binary=True),
    ".jsonld": Format(partial(_write, "web_annotation", "write_web_annotations"), "Web Annotation"),
    ".graphml": Format(partial(_write, "graphml", "write_graphml"), "network", binary=True),
    ".trec": Format(
        partial(_write, "trec", "write_trec"), "TREC run", manifest_beside=True, by_rows=True
    ),
    ".bib": Format(partial(_write, "citation", "write_citation"), "citation"),
}
_GUARDED = (".csv", ".tsv")  # the cells of a workbook are never formulas

EXPORT_SUFFIXES = tuple(FORMATS)
"""The suffixes that `write_results` understands."""


def check_output(
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    suffixes: Sequence[str] | None = None,
    spreadsheet_safe: bool = False,
) -> Path:
    """Check that a file can be written, before its content is computed.

    Raises the errors of `write_results`; other `suffixes` may take the place of its own.
    """
    path = check_file(
        path, suffixes=suffixes or EXPORT_SUFFIXES, overwrite=overwrite, companions=_companions
    )
    suffix = path.suffix.lower()
    if spreadsheet_safe and suffix not in (*_GUARDED, ".xlsx"):
        raise ParameterError("export.not_for_spreadsheets", suffix=suffix)
    if suffix == ".parquet":
        import_pyarrow()
    return path


def _companions(path: Path) -> Sequence[Path]:
    known = FORMATS.get(path.suffix.lower())
    return () if known and not known.manifest_beside else (manifest_beside(path),)


def write_results(
    results: Results,
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    spreadsheet_safe: bool = False,
) -> list[Path]:
    """Write results in the format that the path's suffix names; return the written files.

    Tables (``.csv``, ``.tsv``, ``.jsonl``) and runs (``.trec``) get a ``.manifest.json`` beside
    them, which has the SHA-256 of the table; the other formats contain the manifest. A file
    appears complete or not at all.

    Parameters
    ----------
    results
        The results of a search.
    path
        The file. Its suffix is one of ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.xlsx``,
        ``.parquet``, ``.html``, ``.xml`` (TEI), ``.jsonld`` (Web Annotation), ``.graphml`` (a
        network of works), ``.trec`` (a run for trec_eval) and ``.bib`` (a citation of the run).
    overwrite
        Replace an existing file.
    spreadsheet_safe
        In ``.csv`` and ``.tsv`` files, put an apostrophe before texts that a spreadsheet would take
        for a formula. Programs that read the table must remove it.

    Raises
    ------
    OutputError
        If the suffix is unknown, the file or its manifest exists, or they cannot be written.
    ParameterError
        If `spreadsheet_safe` does not apply to the format.
    MissingDependencyError
        If the format needs a library that is not installed.
    """
    check_results(results)
    return write_blocks([results], path, overwrite=overwrite, spreadsheet_safe=spreadsheet_safe)


def write_blocks(
    blocks: Iterable[Results],
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    spreadsheet_safe: bool = False,
    repeat: Mapping[str, object] | None = None,
) -> list[Path]:
    """Write blocks of results (see `Searcher.blocks`) as `write_results` writes the whole.

    ``.csv``, ``.tsv``, ``.jsonl``, ``.parquet`` and ``.trec`` are written block by block, so
    memory does not grow with the number of blocks; the other formats need all results at once. The
    file appears when the last block is written.

    Parameters
    ----------
    blocks
        At least one.
    path, overwrite, spreadsheet_safe
        As for `write_results`.
    repeat
        The arguments of the command, for a manifest beside the table: `locisimiles rerun` repeats
        them.
    """
    path = check_output(path, overwrite=overwrite, spreadsheet_safe=spreadsheet_safe)
    suffix = path.suffix.lower()
    chosen = FORMATS[suffix]
    found = BlockRows(blocks) if chosen.by_rows else Results.join(blocks)
    opened: Callable[[Path], Any] = atomic_binary if chosen.binary else atomic
    with opened(path) as stream:
        if spreadsheet_safe and suffix in _GUARDED:
            chosen.write(found, stream, spreadsheet_safe=True)
        else:
            chosen.write(found, stream)
    if not chosen.manifest_beside:
        return [path]
    beside = manifest_beside(path)
    with atomic(beside) as stream:
        known = {REPEAT: dict(repeat)} if repeat else {}
        dump_json({**found.manifest, TABLE_SHA256: file_sha256(path), **known}, stream)
    return [path, beside]
