"""Options that the trainings on a benchmark share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "AllOption",
    "DeviceOption",
    "FoldOption",
    "ModelsOption",
    "ResumeOption",
    "RevisionOption",
    "SeedOption",
    "Strategies",
    "StrategyOption",
    "chosen_folds",
]


class Strategies(StrEnum):
    """The ways of drawing negatives."""

    mix = "qry,mix"
    pairs = "rnd,rnd"
    random = "qry,rnd"
    similar = "qry,sim"


ModelsOption = Annotated[
    Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where models are written.")
]
FoldOption = Annotated[
    list[int], typer.Option("--fold", metavar="N", help="Hold out this fold only; repeatable.")
]
AllOption = Annotated[
    bool, typer.Option("--all", help="Hold out nothing: one model on all references.")
]
StrategyOption = Annotated[Strategies, typer.Option(help="How negatives are drawn.")]
SeedOption = Annotated[int, typer.Option(min=0)]
RevisionOption = Annotated[
    str | None, typer.Option(metavar="COMMIT", help="Which version of a model on the Hub.")
]
DeviceOption = Annotated[str, typer.Option(help="cpu, cuda or auto.")]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Go on with a training that was cut off.")
]


def chosen_folds(fold: list[int], *, all_references: bool) -> tuple[int, ...] | None:
    """Return the folds that ``--fold`` and ``--all`` ask for; None for all of the benchmark.

    Raises
    ------
    ParameterError
        If both are given.

    Examples
    --------
    >>> chosen_folds([1, 3], all_references=False), chosen_folds([], all_references=True)
    ((1, 3), ())
    """
    from locisimiles.errors import ParameterError

    if all_references and fold:
        raise ParameterError("--all and --fold exclude each other", hint="leave one out")
    return () if all_references else (tuple(fold) or None)
