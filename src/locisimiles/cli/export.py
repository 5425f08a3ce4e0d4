"""``locisimiles export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli import options as opt
from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.files import check_target, note_large_workbook, read_documents
from locisimiles.export import (
    APPARATUS_SUFFIXES,
    explain_results,
    read_results,
    write_apparatus,
    write_results,
)

__all__ = ["export"]


def export(
    results: Annotated[
        Path,
        typer.Argument(
            metavar="RESULTS",
            help="A file of results (.csv, .tsv, .json, .jsonl, .xlsx, .parquet), ours or the "
            "published package's.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE", help=f"The file to write. {opt.EXPORT_HELP}"
        ),
    ],
    query: Annotated[
        list[str],
        typer.Option(metavar="TEXT", help="The query text, if the file lacks it; repeatable."),
    ] = [],  # noqa: B006 - typer copies it
    source: Annotated[
        list[str],
        typer.Option(metavar="TEXT", help="The source texts, if the file lacks them; repeatable."),
    ] = [],  # noqa: B006
    guarded: Annotated[
        bool, typer.Option("--guarded", help="The file was written with --spreadsheet-safe.")
    ] = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Add why each pair may be a reference. Words are counted in the segments of the "
            "file, or of --source.",
        ),
    ] = False,
    apparatus: Annotated[
        bool,
        typer.Option(
            "--apparatus",
            help="Write the references that readers accepted as an apparatus fontium: .docx, .tex "
            "(LaTeX with reledmac), .html (to print), .xml (TEI). The text has the segments of the "
            "file, or of --query.",
        ),
    ] = False,
    spreadsheet_safe: opt.SpreadsheetSafeOption = False,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Convert results to another format.

    Examples:

    - `locisimiles export hits.csv -o hits.html`: a report to read and print

    - `locisimiles export hits.json -o hits.xml`: TEI, with CTS URNs where works have them

    - `locisimiles export hits.csv -o hits.html --source vergil.csv --explain`: explain pairs, with
      words counted in the whole source

    - `locisimiles export judged.csv -o fontes.docx --apparatus --query jerome.csv`: the text
      with the accepted references as footnotes

    - `locisimiles export theirs.csv -o hits.xlsx --query jerome.csv`: add missing texts
    """
    check_target(
        output,
        [results, *query, *source],
        overwrite=overwrite,
        suffixes=APPARATUS_SUFFIXES if apparatus else None,
        spreadsheet_safe=spreadsheet_safe,
    )
    named = {side: names for side, names in (("query", query), ("source", source)) if names}
    texts = dict(zip(named, read_documents(*named.values()), strict=True))
    note_large_workbook(results)
    read = read_results(results, **texts, guarded=guarded)
    if apparatus:
        say(f"wrote {write_apparatus(read, output, overwrite=overwrite)}")
        return
    if explain:
        with ProgressBar() as progress:
            read = explain_results(read, progress=progress)
    note_large_workbook(output, len(read))
    for path in write_results(read, output, overwrite=overwrite, spreadsheet_safe=spreadsheet_safe):
        say(f"wrote {path}")
