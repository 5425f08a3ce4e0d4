"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from locisimiles.corpus import ReadOptions
from locisimiles.corpus.options import Cut, StopAt

__all__ = [
    "ColonOption",
    "CutOption",
    "EncodingOption",
    "FormatOption",
    "OverwriteOption",
    "SemicolonOption",
    "read_options",
]

_READING = "How inputs are read"

FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="Format of the inputs (csv, tsv, jsonl, xlsx, txt, tess, tei), "
        "if it should not be found out.",
        rich_help_panel=_READING,
    ),
]
EncodingOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Encoding of the inputs. By default UTF-8, else CP1252.",
        rich_help_panel=_READING,
    ),
]
CutOption = Annotated[
    Cut,
    typer.Option(
        help="What the lines of a plain text are: one segment each, prose to be cut into "
        "sentences, or verse.",
        rich_help_panel=_READING,
    ),
]
ColonOption = Annotated[
    StopAt,
    typer.Option(
        help="Whether ':' ends a segment; 'line-end': at the end of a verse or before speech.",
        rich_help_panel=_READING,
    ),
]
SemicolonOption = Annotated[
    StopAt,
    typer.Option(help="Whether ';' ends a segment.", rich_help_panel=_READING),
]
OverwriteOption = Annotated[
    bool, typer.Option("--overwrite", help="Replace the output file if it exists.")
]


def read_options(
    *, encoding: str | None, cut: Cut, colon: StopAt, semicolon: StopAt
) -> ReadOptions:
    """Gather the reading options of a command."""
    return ReadOptions(encoding=encoding, cut=cut, colon=colon, semicolon=semicolon)
