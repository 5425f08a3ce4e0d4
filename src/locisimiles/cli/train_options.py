"""Arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.cli.console import ProgressBar
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from locisimiles.train.common.folds import TrainedModel

__all__ = [
    "AllOption",
    "BaseArgument",
    "BatchOption",
    "BenchmarkArgument",
    "CorpusArgument",
    "DeviceOption",
    "FoldOption",
    "FolderOption",
    "RatioOption",
    "ResumeOption",
    "RevisionOption",
    "SeedOption",
    "Strategies",
    "StrategyOption",
    "TableOption",
    "WeightsOption",
    "chosen_folds",
    "train_models",
]

_BENCHMARK = "A benchmark: query.csv, source.csv and labels.csv."


class Strategies(StrEnum):
    """The ways of drawing negatives."""

    mix = "qry,mix"
    pairs = "rnd,rnd"
    random = "qry,rnd"
    similar = "qry,sim"


CorpusArgument = Annotated[
    list[Path],
    typer.Argument(metavar="FILE...", help="Plain text, one sentence per line (.txt, .txt.xz)."),
]
BenchmarkArgument = Annotated[Path, typer.Argument(metavar="BENCHMARK", help=_BENCHMARK)]
BenchmarkOption = Annotated[Path, typer.Option("--set", metavar="FOLDER", help=_BENCHMARK)]
BaseArgument = Annotated[
    str,
    typer.Argument(
        metavar="MODEL", help="The encoder to start from: a folder, a Hub name, or a short name."
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
FoldOption = Annotated[
    list[int], typer.Option("--fold", metavar="N", help="Hold out only this fold; repeatable.")
]
AllOption = Annotated[
    bool, typer.Option("--all", help="Hold out nothing: one model on all references.")
]
StrategyOption = Annotated[Strategies, typer.Option(help="How negatives are drawn.")]
RatioOption = Annotated[int, typer.Option(min=1, help="Negatives for each reference.")]
BatchOption = Annotated[int, typer.Option(min=1, help="Pairs per step.")]
SeedOption = Annotated[int, typer.Option(min=0, help="Seed of all random draws.")]
RevisionOption = Annotated[
    str | None, typer.Option(metavar="COMMIT", help="The version of a model on the Hub.")
]
DeviceOption = Annotated[str, typer.Option(help="cpu, cuda or auto.")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Continue an interrupted training.")]


def chosen_folds(fold: list[int], *, all_references: bool) -> tuple[int, ...] | None:
    """Return the folds that ``--fold`` and ``--all`` choose; None for all of the benchmark.

    Raises
    ------
    ParameterError
        If both are given.

    Examples
    --------
    >>> chosen_folds([1, 3], all_references=False), chosen_folds([], all_references=True)
    ((1, 3), ())
    """
    if all_references and fold:
        raise ParameterError("train.all_and_fold")
    return () if all_references else (tuple(fold) or None)


def train_models(
    train: Callable[..., tuple[TrainedModel, ...]],
    base: str,
    benchmark: Path,
    *arguments: object,
    **options: Any,  # noqa: ANN401 - passed on
) -> Sequence[TrainedModel]:
    """Load a benchmark and train on it, with a progress bar."""
    from locisimiles.benchmark.sets.dataset import Benchmark

    with ProgressBar() as progress:
        dataset = Benchmark.load(benchmark, progress=progress)
        return train(base, dataset, *arguments, **options, progress=progress)
