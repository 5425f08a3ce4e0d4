"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.corpus import ReadOptions
from locisimiles.corpus.options import Segmentation, StopAt
from locisimiles.errors import OutputError, ParameterError

__all__ = [
    "ColonOption",
    "EncodingOption",
    "FormatOption",
    "LemmatizerOption",
    "OverwriteOption",
    "SegmentationOption",
    "SemicolonOption",
    "SpreadsheetSafeOption",
    "parse_settings",
    "read_options",
    "refuse_to_overwrite_inputs",
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
SegmentationOption = Annotated[
    Segmentation,
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
LemmatizerOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Whose lemmas: context, fast, a model of yours (.npz), simplemma, cltk, "
        "latincy[:MODEL], hub:MODEL.",
    ),
]
SpreadsheetSafeOption = Annotated[
    bool,
    typer.Option(
        "--spreadsheet-safe",
        help="In .csv and .tsv, put an apostrophe before texts that a spreadsheet would take for "
        "a formula.",
    ),
]
OverwriteOption = Annotated[
    bool, typer.Option("--overwrite", help="Replace the output file if it exists.")
]


def refuse_to_overwrite_inputs(output: Path, inputs: list[str]) -> None:
    """Make sure that a result does not take the place of a text it was made from.

    Raises
    ------
    OutputError
        If it would.
    """
    try:
        target = output.resolve()
        there = output.exists()
    except OSError as error:
        raise OutputError(f"{output} cannot be written: {error.strerror}") from error
    for name in inputs:
        path = Path(name).resolve() if name and name != "-" else None
        if path == target or (path and there and target.is_relative_to(path)):
            raise OutputError(f"{output} is one of the inputs", hint="choose another name")


def parse_settings(settings: list[str]) -> dict[str, str]:
    """Split ``name=value`` into names and values.

    Raises
    ------
    ParameterError
        If there is no equals sign.
    """
    parsed = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise ParameterError(f"{setting!r} sets nothing", hint="write --set NAME=VALUE")
        parsed[name.strip()] = value.strip()
    return parsed


def read_options(
    *, encoding: str | None, segmentation: Segmentation, colon: StopAt, semicolon: StopAt
) -> ReadOptions:
    """Gather the reading options of a command."""
    return ReadOptions(
        encoding=encoding, segmentation=segmentation, colon=colon, semicolon=semicolon
    )
