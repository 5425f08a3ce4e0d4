"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from locisimiles.corpus.formats import FORMATS
from locisimiles.corpus.options import Segmentation, StopAt
from locisimiles.export.formats import FORMATS as EXPORT_FORMATS

__all__ = [
    "EXPORT_HELP",
    "AllOption",
    "BaseArgument",
    "BatchOption",
    "BenchmarkArgument",
    "BenchmarkOption",
    "ClusterOption",
    "ColonOption",
    "CorpusArgument",
    "DeviceOption",
    "EncodingOption",
    "EpochsOption",
    "FoldOption",
    "FolderOption",
    "FormatOption",
    "InputsArgument",
    "JsonOption",
    "LemmatizerOption",
    "OnlyPrepareOption",
    "OverwriteOption",
    "RateOption",
    "RatioOption",
    "ResumeOption",
    "RevisionOption",
    "SeedOption",
    "SegmentationOption",
    "SemicolonOption",
    "SpreadsheetSafeOption",
    "StrategyOption",
    "TableOption",
    "WeightsOption",
]

_INPUTS = "Files, folders, zip files, library texts, or '-' for standard input."
_BENCHMARK = "A benchmark: query.csv, source.csv and labels.csv."
_READING = "Reading inputs"
_FORMATS = ", ".join(FORMATS)
_SUFFIXES = ", ".join(
    f"{suffix} ({known.what})" if known.what else suffix for suffix, known in EXPORT_FORMATS.items()
)
EXPORT_HELP = f"The suffix sets the format: {_SUFFIXES}."

# Texts

InputsArgument = Annotated[list[str], typer.Argument(metavar="INPUT...", help=_INPUTS)]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help=f"Format of the inputs: {_FORMATS}. By default detected.",
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
        help="How plain text is segmented: by lines, by sentences, or as verse.",
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
    StopAt, typer.Option(help="Whether ';' ends a segment.", rich_help_panel=_READING)
]
LemmatizerOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="The lemmatizer: context, fast, a model of your own (.npz), simplemma, cltk, "
        "latincy[:MODEL] or hub:MODEL.",
    ),
]

# Output

OverwriteOption = Annotated[
    bool, typer.Option("--overwrite", help="Replace the output file if it exists.")
]
SpreadsheetSafeOption = Annotated[
    bool,
    typer.Option(
        "--spreadsheet-safe",
        help="In .csv and .tsv files, put an apostrophe before texts that a spreadsheet would "
        "take for a formula.",
    ),
]
TableOption = Annotated[
    Path, typer.Option("-o", "--output", metavar="FILE.npz", help="The file to write.")
]
WeightsOption = Annotated[
    Path, typer.Option("-o", "--output", metavar="FILE.json", help="The weights file to write.")
]
FolderOption = Annotated[
    Path, typer.Option("-o", "--output", metavar="FOLDER", help="The folder for results.")
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]

# Training

CorpusArgument = Annotated[
    list[Path],
    typer.Argument(metavar="FILE...", help="Plain text, one sentence per line (.txt, .txt.xz)."),
]
BenchmarkArgument = Annotated[Path, typer.Argument(metavar="BENCHMARK", help=_BENCHMARK)]
BenchmarkOption = Annotated[Path, typer.Option("--benchmark", metavar="FOLDER", help=_BENCHMARK)]
BaseArgument = Annotated[
    str,
    typer.Argument(
        metavar="MODEL", help="The encoder to start from: a folder, a Hub name, or a short name."
    ),
]
FoldOption = Annotated[
    list[int], typer.Option("--fold", metavar="N", help="Hold out this fold only; repeatable.")
]
AllOption = Annotated[
    bool, typer.Option("--all", help="Hold out nothing: one model on all references.")
]
StrategyOption = Annotated[
    Literal["qry,mix", "rnd,rnd", "qry,rnd", "qry,sim"],
    typer.Option(help="How negatives are drawn."),
]
RatioOption = Annotated[int, typer.Option(min=1, help="Negatives per reference.")]
EpochsOption = Annotated[int, typer.Option(min=1, help="Passes over the training data.")]
RateOption = Annotated[float, typer.Option(help="Learning rate.")]
BatchOption = Annotated[int, typer.Option(min=1, help="Pairs per step.")]
SeedOption = Annotated[int, typer.Option(min=0, help="Seed of all random draws.")]
RevisionOption = Annotated[
    str | None, typer.Option(metavar="COMMIT", help="The version of a model on the Hub.")
]
DeviceOption = Annotated[str, typer.Option(help="cpu, cuda or auto.")]
OnlyPrepareOption = Annotated[
    bool, typer.Option("--only-prepare", help="Write the job for another machine, and exit.")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Continue an interrupted training.")]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        metavar="local:N|slurm:N|tcp://...",
        help="Let the workers of a Dask cluster do it: N processes here, N jobs of SLURM, or "
        "those of a scheduler.",
    ),
]
