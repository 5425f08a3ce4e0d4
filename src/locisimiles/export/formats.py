"""Which suffix means which format."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from locisimiles.errors import ParameterError
from locisimiles.export.json_files import dump_json
from locisimiles.files.writing import atomic, atomic_binary, check_file, manifest_beside

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import BinaryIO, TextIO

    from locisimiles.results import Results

__all__ = ["EXPORT_SUFFIXES", "FORMATS", "Format", "check_output", "write_results"]


@dataclass(frozen=True, slots=True)
class Format:
    """How to write results to a stream, and whether the manifest gets a file of its own."""

    write: Callable[[Results, Any], None]
    binary: bool = False
    manifest_beside: bool = False


def _writer(module: str, name: str, **options: object) -> Callable[[Results, Any], None]:
    """Return a function that imports the module of a format when it writes the first file."""

    def write(results: Results, stream: TextIO | BinaryIO) -> None:
        function = getattr(import_module(f"locisimiles.export.{module}"), name)
        function(results, stream, **options)

    return write


def _table(delimiter: str, *, spreadsheet_safe: bool = False) -> Format:
    options = {"delimiter": delimiter, "spreadsheet_safe": spreadsheet_safe}
    return Format(_writer("delimited", "write_delimited", **options), manifest_beside=True)


FORMATS = {
    ".csv": _table(","),
    ".tsv": _table("\t"),
    ".json": Format(_writer("json_files", "write_json")),
    ".jsonl": Format(_writer("json_files", "write_jsonl"), manifest_beside=True),
    ".xlsx": Format(_writer("workbook", "write_xlsx"), binary=True),
    ".parquet": Format(_writer("parquet", "write_parquet"), binary=True),
    ".html": Format(_writer("html_report", "write_html")),
    ".xml": Format(_writer("tei", "write_tei"), binary=True),
    ".jsonld": Format(_writer("web_annotation", "write_web_annotations")),
    ".graphml": Format(_writer("graphml", "write_graphml"), binary=True),
    ".bib": Format(_writer("citation", "write_citation")),
}
_SPREADSHEET_SAFE = {
    ".csv": _table(",", spreadsheet_safe=True),
    ".tsv": _table("\t", spreadsheet_safe=True),
    ".xlsx": FORMATS[".xlsx"],  # its cells are never formulas
}

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

    Parameters
    ----------
    path
        The file.
    overwrite
        Whether an existing file may be replaced.
    suffixes
        The suffixes it may have; by default those of `write_results`.
    spreadsheet_safe
        As in `write_results`.

    Raises
    ------
    OutputError
        If its suffix is unknown, its folder is missing, or the file exists.
    ParameterError
        If the format has no use for `spreadsheet_safe`.
    MissingDependencyError
        If the format needs something that is not installed.
    """
    checked = check_file(
        path, suffixes=suffixes or EXPORT_SUFFIXES, overwrite=overwrite, companions=_companions
    )
    suffix = checked.suffix.lower()
    if spreadsheet_safe and suffix not in _SPREADSHEET_SAFE:
        raise ParameterError("export.not_for_spreadsheets", suffix=suffix)
    if not suffixes and suffix == ".parquet":
        from locisimiles.files.tables import import_pyarrow

        import_pyarrow()
    return checked


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

    Tables (``.csv``, ``.tsv``, ``.jsonl``) get a ``.manifest.json`` beside them; the others hold
    their manifest themselves. A file appears whole or not at all.

    Parameters
    ----------
    results
        The results of a search.
    path
        The file. Its suffix is one of ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.xlsx``,
        ``.parquet``, ``.html``, ``.xml`` (TEI), ``.jsonld`` (Web Annotation), ``.graphml`` (a
        network of works) and ``.bib`` (a citation of the run).
    overwrite
        Replace an existing file.
    spreadsheet_safe
        Put an apostrophe before texts in ``.csv`` and ``.tsv`` that a spreadsheet would take for
        a formula. Programs that read the table must remove it.

    Raises
    ------
    OutputError
        If they cannot be written.
    MissingDependencyError
        If the format needs something that is not installed.
    """
    path = check_output(path, overwrite=overwrite, spreadsheet_safe=spreadsheet_safe)
    chosen = (_SPREADSHEET_SAFE if spreadsheet_safe else FORMATS)[path.suffix.lower()]
    opened: Callable[[Path], Any] = atomic_binary if chosen.binary else atomic
    with opened(path) as stream:
        chosen.write(results, stream)
    if not chosen.manifest_beside:
        return [path]
    beside = manifest_beside(path)
    with atomic(beside) as stream:
        dump_json(dict(results.manifest), stream)
    return [path, beside]
