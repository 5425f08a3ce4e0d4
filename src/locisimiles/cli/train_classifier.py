"""``locisimiles train classifier``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.options import OverwriteOption  # noqa: TC001 - typer reads it

__all__ = ["classifier"]


def classifier(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A benchmark: query.csv, source.csv, labels.csv.")
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE.json", help="Where the weights are written."),
    ],
    opinions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz",
            help="What cross-encoders think of folds they have not seen, to learn how much that "
            "counts; locisimiles train opinions writes it.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the documents that are made of each fold.")] = 0,
    overwrite: OverwriteOption = False,
) -> None:
    """Learn what counts in a pair, from all references of a set with folds.

    To measure it, use `locisimiles benchmark run DIR --method ensemble`, which learns anew for each
    fold, from the others.

    Examples:

    - `locisimiles train classifier loci-similes -o weights.json`

    - `locisimiles search query.csv source.csv --classifier weights.json`: use it
    """
    from locisimiles.benchmark.learned_default import UNTRAINED
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.export import check_output
    from locisimiles.learn.ensemble import learn_ensemble
    from locisimiles.learn.predictions import OpinionBook
    from locisimiles.retrieve.combined import Combined

    check_output(output, overwrite=overwrite, suffixes=(".json",))
    with ProgressBar() as progress:
        training = Benchmark.load(folder)
        combined = Combined(priors=False, weights=UNTRAINED)
        book = None if opinions is None else OpinionBook.load(opinions)
        weights = learn_ensemble(
            training,
            combined,
            seed=seed,
            second=None
            if book is None
            else {fold: book.without((fold,)) for fold in training.folds},
            progress=progress,
        )
    weights.save(output)
    say(f"wrote {output}")
