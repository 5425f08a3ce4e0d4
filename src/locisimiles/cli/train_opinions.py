"""``locisimiles train opinions``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.train_options import DeviceOption  # noqa: TC001 - typer reads it

__all__ = ["opinions"]


def opinions(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A benchmark: query.csv, source.csv, labels.csv.")
    ],
    encoder: Annotated[
        Path, typer.Argument(metavar="ENCODER", help="The folder of an encoder of ours.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where everything is written.")
    ],
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Weights to begin with, if not those in ENCODER."),
    ] = None,
    only_prepare: Annotated[
        bool, typer.Option("--only-prepare", help="Write the job for another machine, and stop.")
    ] = False,
    limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Stop after so long, to go on later.")
    ] = None,
    device: DeviceOption = "auto",
) -> None:
    """Ask cross-encoders about folds that they have not seen, for `train classifier --opinions`.

    One is trained for each fold that is left out, one for each two, and one that has seen all. A
    GPU needs minutes for that. Where it stands in another machine, prepare the job, run
    `python -m locisimiles.train.crossencoder.job job.npz OUT` there, bring back `logits.npz` into
    FOLDER, and give the same command again: what is done is not done twice.

    Examples:

    - `locisimiles train opinions loci-similes my-encoder -o opinions`

    - `locisimiles train classifier loci-similes --opinions opinions/opinions.npz -o weights.json`
    """
    from locisimiles.benchmark.runs.evaluation import Ground
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.errors import OutputError
    from locisimiles.models.loading import choose_device, require_torch

    require_torch()
    from locisimiles.train.crossencoder.job import run_job
    from locisimiles.train.crossencoder.opinions import collect_opinions, prepare_opinions

    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{output} cannot be made: {error.strerror}") from error
    with ProgressBar() as progress:
        ground = Ground(Benchmark.load(folder, progress=progress))
        if not (output / "pairs.npz").exists():
            prepare_opinions(output, ground, encoder, weights=weights, progress=progress)
        book = collect_opinions(output, ground)
        if book is None and not only_prepare:
            run_job(
                output / "job.npz",
                output,
                limit=limit,
                device=choose_device(device),
                progress=progress,
            )
            book = collect_opinions(output, ground)
    if book is not None:
        book.save(output / "opinions.npz")
        say(f"wrote {output / 'opinions.npz'}")
    else:
        say(f"{output / 'job.npz'} is prepared, and not yet done; the same command goes on")
