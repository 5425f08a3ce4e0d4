"""``locisimiles train crossencoder``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.train_options import (
    AllOption,
    DeviceOption,
    FoldOption,
    ModelsOption,
    ResumeOption,
    RevisionOption,
    SeedOption,
    Strategies,
    StrategyOption,
    chosen_folds,
)

__all__ = ["crossencoder"]


def crossencoder(
    base: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="The encoder to begin with: a folder, a Hub name, or a short name.",
        ),
    ],
    benchmark: Annotated[
        Path,
        typer.Option(
            "--set", metavar="FOLDER", help="A benchmark: query.csv, source.csv and labels.csv."
        ),
    ],
    output: ModelsOption,
    fold: FoldOption = [],  # noqa: B006 - typer copies it
    all_references: AllOption = False,
    strategy: StrategyOption = Strategies.mix,
    ratio: Annotated[int, typer.Option(min=1, help="How many negatives a reference gets.")] = 10,
    similar: Annotated[
        str, typer.Option(metavar="METHOD", help="The search that finds hard negatives.")
    ] = "dense",
    mix: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How often each class is shown: mild, strong, half, even, natural, or three "
            "shares such as 0.8,0.1,0.1.",
        ),
    ] = "mild",
    epochs: Annotated[int, typer.Option(min=1)] = 4,
    batch_size: Annotated[int, typer.Option(min=1, help="Pairs between two changes.")] = 64,
    at_once: Annotated[int, typer.Option(min=1, help="Pairs that are read at a time.")] = 32,
    learning_rate: Annotated[float, typer.Option()] = 2e-5,
    head_rate: Annotated[
        float | None, typer.Option(help="Of the new head; by default as the model needs it.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option(min=6, metavar="TOKENS", help="How much of a pair is read.")
    ] = None,
    layers: Annotated[
        int | None, typer.Option(min=1, help="How many are kept; for encoders of ours only.")
    ] = None,
    seed: SeedOption = 42,
    revision: RevisionOption = None,
    device: DeviceOption = "auto",
    resume: ResumeOption = False,
) -> None:
    """Train a cross-encoder on a benchmark: no match, cit. or cf.; one model for each fold.

    Settings are the paper's where nothing else is said: 4 epochs, 64 pairs between two changes of
    weights, learning rate 2e-5, mixed negatives 1:10, classes drawn 80:10:10.

    Examples:

    - `locisimiles train crossencoder xlm-r-base --set my-benchmark -o models`

    - `locisimiles train crossencoder my-encoder --set my-benchmark -o models --all`: our own
      encoder, as `locisimiles train encoder` wrote it, on all references
    """
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.errors import ParameterError
    from locisimiles.models.loading import require_torch
    from locisimiles.retrieve import make_retriever
    from locisimiles.train.crossencoder.settings import CrossEncoderSettings

    folds = chosen_folds(fold, all_references=all_references)
    own = (Path(base).expanduser() / "encoder.safetensors").is_file()
    if layers is not None and not own:
        raise ParameterError("--layers is for encoders of ours", hint="leave it out")
    settings = CrossEncoderSettings(
        strategy=strategy.value,
        ratio=ratio,
        mix=mix,
        epochs=epochs,
        batch_size=batch_size,
        at_once=min(at_once, batch_size),
        rate=learning_rate,
        head_rate=head_rate or (5e-4 if own else learning_rate),
        budget=budget or (128 if own else 512),
        layers=layers,
        seed=seed,
    )
    retriever = make_retriever(similar)
    require_torch()
    from locisimiles.train.crossencoder.project import train_crossencoder

    with ProgressBar() as progress:
        trained = train_crossencoder(
            base,
            Benchmark.load(benchmark, progress=progress),
            output,
            settings,
            folds=folds,
            revision=revision,
            similar=retriever,
            resume=resume,
            device=device,
            progress=progress,
        )
    for model in trained:
        say(f"wrote {model.model} ({model.training.get('steps')} steps)")
