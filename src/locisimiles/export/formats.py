"""Which suffix means which format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from locisimiles.errors import ParameterError
from locisimiles.export.delimited import write_delimited
from locisimiles.export.files import atomic, atomic_binary, check_file, manifest_beside
from locisimiles.export.json_files import dump_json, write_json, write_jsonl

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import BinaryIO, TextIO

    from locisimiles.results import Results

__all__ = ["EXPORT_SUFFIXES", "FORMATS", "Format", "check_output", "write_results"]


@dataclass(frozen=True, slots=True)
class Format:
    """How results are written to a file.

    Attributes
    ----------
    write
        Writes results to a stream.
    binary
        Whether it writes bytes.
    manifest_beside
        Whether the format has no place for the manifest.
    """

    write: Callable[[Results, Any], None]
    binary: bool = False
    manifest_beside: bool = False


# Each format is imported when it is asked for: most need a library, and few runs need two.


def _csv(results: Results, stream: TextIO) -> None:
    write_delimited(results, stream, delimiter=",")


def _tsv(results: Results, stream: TextIO) -> None:
    write_delimited(results, stream, delimiter="\t")


def _safe_csv(results: Results, stream: TextIO) -> None:
    write_delimited(results, stream, delimiter=",", spreadsheet_safe=True)


def _safe_tsv(results: Results, stream: TextIO) -> None:
    write_delimited(results, stream, delimiter="\t", spreadsheet_safe=True)


def _xlsx(results: Results, stream: BinaryIO) -> None:
    from locisimiles.export.workbook import write_xlsx

    write_xlsx(results, stream)


def _parquet(results: Results, stream: BinaryIO) -> None:
    from locisimiles.export.parquet import write_parquet

    write_parquet(results, stream)


def _html(results: Results, stream: TextIO) -> None:
    from locisimiles.export.html_report import write_html

    write_html(results, stream)


def _tei(results: Results, stream: BinaryIO) -> None:
    from locisimiles.export.tei import write_tei

    write_tei(results, stream)


def _jsonld(results: Results, stream: TextIO) -> None:
    from locisimiles.export.web_annotation import write_web_annotations

    write_web_annotations(results, stream)


def _graphml(results: Results, stream: BinaryIO) -> None:
    from locisimiles.export.graphml import write_graphml

    write_graphml(results, stream)


def _bib(results: Results, stream: TextIO) -> None:
    from locisimiles.export.citation import write_citation

    write_citation(results, stream)


FORMATS = {
    ".csv": Format(_csv, manifest_beside=True),
    ".tsv": Format(_tsv, manifest_beside=True),
    ".json": Format(write_json),
    ".jsonl": Format(write_jsonl, manifest_beside=True),
    ".xlsx": Format(_xlsx, binary=True),
    ".parquet": Format(_parquet, binary=True),
    ".html": Format(_html),
    ".xml": Format(_tei, binary=True),
    ".jsonld": Format(_jsonld),
    ".graphml": Format(_graphml, binary=True),
    ".bib": Format(_bib),
}
_SPREADSHEET_SAFE = {
    ".csv": Format(_safe_csv, manifest_beside=True),
    ".tsv": Format(_safe_tsv, manifest_beside=True),
    ".xlsx": FORMATS[".xlsx"],  # its cells are never formulas
}

EXPORT_SUFFIXES = tuple(FORMATS)
"""The suffixes `write_results` understands."""


def check_output(
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    suffixes: Sequence[str] | None = None,
    spreadsheet_safe: bool = False,
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
    spreadsheet_safe
        As in `write_results`.

    Raises
    ------
    OutputError
        If its suffix is unknown, its folder missing, or the file there already.
    ParameterError
        If `spreadsheet_safe` makes no sense for it.
    MissingDependencyError
        If the format needs something that is not installed.
    """
    checked = check_file(
        path, suffixes=suffixes or EXPORT_SUFFIXES, overwrite=overwrite, companions=_companions
    )
    suffix = checked.suffix.lower()
    if spreadsheet_safe and suffix not in _SPREADSHEET_SAFE:
        raise ParameterError(
            f"{suffix} files are not read by spreadsheet programs",
            hint="leave out --spreadsheet-safe",
        )
    if not suffixes and suffix == ".parquet":
        from locisimiles.export.parquet import import_pyarrow

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
    """Write results in the format that the path's suffix names.

    Tables (``.csv``, ``.tsv``, ``.jsonl``) are accompanied by a ``.manifest.json``; the others
    hold their manifest themselves. Files appear whole or not at all.

    Parameters
    ----------
    results
        What to write.
    path
        Where to. The suffix is one of ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.xlsx``,
        ``.parquet``, ``.html``, ``.xml`` (TEI), ``.jsonld`` (Web Annotation), ``.graphml`` (a
        network of works) and ``.bib`` (a citation of the run).
    overwrite
        Replace a file that is there.
    spreadsheet_safe
        Put an apostrophe before texts in ``.csv`` and ``.tsv`` that a spreadsheet would take for
        a formula. It must be removed again by whoever reads the table.

    Returns
    -------
    list of Path
        The files that were written.

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
