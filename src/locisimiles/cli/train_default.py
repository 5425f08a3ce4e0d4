"""``locisimiles train default``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.options import OverwriteOption  # noqa: TC001 - typer reads it

__all__ = ["default"]


def default(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A benchmark: query.csv, source.csv, labels.csv.")
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE.json", help="Where the weights are written."),
    ],
    overwrite: OverwriteOption = False,
) -> None:
    """Learn what the parts of the default method count, from all references of a set.

    To measure it, use `locisimiles benchmark run DIR --method default`, which learns anew for each
    fold, from the others.

    Examples:

    - `locisimiles train default loci-similes -o weights.json`

    - `locisimiles search query.csv source.csv --set weights=weights.json`: use it
    """
    from locisimiles.benchmark.learned_default import UNTRAINED, learn_weights
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.export import check_output
    from locisimiles.retrieve.combined import Combined

    check_output(output, overwrite=overwrite, suffixes=(".json",))
    with ProgressBar() as progress:
        training = Benchmark.load(folder)
        combined = Combined(weights=UNTRAINED)
        index = combined.index(training.source, progress=progress)
        weights = learn_weights(index, training, combined.depth, progress=progress)
    weights.save(output)
    say(f"wrote {output}")
