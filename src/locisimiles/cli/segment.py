"""``locisimiles segment``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.cli.console import ProgressBar, report_reading, say
from locisimiles.cli.options import (
    ColonOption,
    EncodingOption,
    FormatOption,
    OverwriteOption,
    SegmentationOption,
    SemicolonOption,
    read_options,
    refuse_to_overwrite_inputs,
)
from locisimiles.export import write_table

if TYPE_CHECKING:
    from typing import TextIO

    from locisimiles.corpus import Document

__all__ = ["segment"]


def segment(
    inputs: Annotated[
        list[str], typer.Argument(metavar="INPUT...", help="Files, folders, zip files, '-'.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE.csv", help="Write a table to correct by hand."
        ),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(min=1, metavar="WORDS", help="Cut further, into overlapping windows."),
    ] = None,
    overwrite: OverwriteOption = False,
    format: FormatOption = None,  # noqa: A002
    encoding: EncodingOption = None,
    segmentation: SegmentationOption = "auto",
    colon: ColonOption = "auto",
    semicolon: SemicolonOption = "auto",
) -> None:
    """Show how texts are cut into segments, or write the segments to a table.

    Examples:

    - `locisimiles segment vergil.tess`

    - `locisimiles segment letters.xml -o letters.csv`: correct it, then search with it
    """
    from locisimiles.corpus import Document, cut_windows
    from locisimiles.export import check_output
    from locisimiles.files.writing import atomic

    options = read_options(
        encoding=encoding, segmentation=segmentation, colon=colon, semicolon=semicolon
    )
    if output is not None:
        refuse_to_overwrite_inputs(output, inputs)
        check_output(output, overwrite=overwrite, suffixes=(".csv",))
    with ProgressBar() as progress:
        document = Document(*inputs, format=format, options=options, progress=progress)
    report_reading(document)
    if window is not None:
        document = cut_windows(document, window)
    if output is None:
        _write(document, sys.stdout, delimiter="\t")
    else:
        with atomic(output) as stream:
            _write(document, stream, delimiter=",")
        say(f"wrote {output} ({len(document):,} segments)")


def _write(document: Document, stream: TextIO, *, delimiter: str) -> None:
    rows = ([s.id, s.author, s.work, s.locus, s.text] for s in document)
    write_table(stream, ["seg_id", "author", "work", "locus", "text"], rows, delimiter=delimiter)
