"""``locisimiles segment``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli import options as opt  # noqa: TC001 - typer reads it
from locisimiles.cli.files import check_target, read_documents, write_rows
from locisimiles.corpus import ReadOptions, cut_windows

__all__ = ["segment"]


def segment(
    inputs: opt.InputsArgument,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE.csv", help="Write a table, to correct it."),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(min=1, metavar="WORDS", help="Cut segments into overlapping windows."),
    ] = None,
    overwrite: opt.OverwriteOption = False,
    format: opt.FormatOption = None,  # noqa: A002
    encoding: opt.EncodingOption = None,
    segmentation: opt.SegmentationOption = "auto",
    colon: opt.ColonOption = "auto",
    semicolon: opt.SemicolonOption = "auto",
) -> None:
    """Show how texts are cut into segments, or write the segments to a table.

    Examples:

    - `locisimiles segment vergil.tess`

    - `locisimiles segment letters.xml -o letters.csv`: correct the table, then search it
    """
    check_target(output, inputs, overwrite=overwrite, suffixes=(".csv",))
    options = ReadOptions(encoding, segmentation, colon, semicolon)
    (document,) = read_documents(inputs, format=format, options=options)
    if window is not None:
        document = cut_windows(document, window)
    rows = ([s.id, s.author, s.work, s.locus, s.text] for s in document)
    header = ["seg_id", "author", "work", "locus", "text"]
    write_rows(output, header, rows, about=f" ({len(document):,} segments)")
