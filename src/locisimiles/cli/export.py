"""``locisimiles export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, report_reading, say
from locisimiles.cli.options import (
    OverwriteOption,
    SpreadsheetSafeOption,
    refuse_to_overwrite_inputs,
)

__all__ = ["export"]


def export(
    results: Annotated[
        Path,
        typer.Argument(
            metavar="RESULTS",
            help="Results in a file: .csv, .tsv, .json, .jsonl, .xlsx or .parquet, of ours or of "
            "the published package.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Where to write; the suffix says how: .csv, .tsv, .json, .jsonl, .xlsx, .parquet, "
            ".html, .xml (TEI), .jsonld (Web Annotation), .graphml, .bib.",
        ),
    ],
    query: Annotated[
        list[str],
        typer.Option(
            metavar="TEXT", help="The text that refers, if the file lacks its words; repeatable."
        ),
    ] = [],  # noqa: B006 - typer copies it
    source: Annotated[
        list[str],
        typer.Option(metavar="TEXT", help="The texts that are referred to; repeatable."),
    ] = [],  # noqa: B006
    guarded: Annotated[
        bool,
        typer.Option("--guarded", help="The file was written with --spreadsheet-safe."),
    ] = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Say of each pair why it may be a reference; words are counted in the segments "
            "that the file names, or in those of --source.",
        ),
    ] = False,
    spreadsheet_safe: SpreadsheetSafeOption = False,
    overwrite: OverwriteOption = False,
) -> None:
    """Write results again, in another format.

    Examples:

    - `locisimiles export hits.csv -o hits.html`: a report to read and print

    - `locisimiles export hits.json -o hits.xml`: TEI, with CTS URNs where works have them

    - `locisimiles export hits.csv -o hits.html --source vergil.csv --explain`: say why, with words
      counted in the whole source

    - `locisimiles export theirs.csv -o hits.xlsx --query jerome.csv`: add texts that are missing
    """
    from locisimiles.corpus import Document
    from locisimiles.export import check_output, explain_results, write_results
    from locisimiles.export.reading import read_results

    refuse_to_overwrite_inputs(output, [str(results), *query, *source])
    check_output(output, overwrite=overwrite, spreadsheet_safe=spreadsheet_safe)
    with ProgressBar() as progress:
        texts = [
            Document(*names, progress=progress) if names else None for names in (query, source)
        ]
    report_reading(*filter(None, texts))
    read = read_results(results, query=texts[0], source=texts[1], guarded=guarded)
    if explain:
        with ProgressBar() as progress:
            read = explain_results(read, progress=progress)
    for path in write_results(read, output, overwrite=overwrite, spreadsheet_safe=spreadsheet_safe):
        say(f"wrote {path}")
