"""``locisimiles train biencoder``."""

from __future__ import annotations

from enum import StrEnum
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

__all__ = ["biencoder"]


class _Pooling(StrEnum):
    mean = "mean"
    cls = "cls"


def biencoder(
    base: Annotated[
        str,
        typer.Argument(metavar="MODEL", help="The encoder to begin with: a folder or a Hub name."),
    ],
    benchmark: Annotated[
        Path,
        typer.Argument(
            metavar="BENCHMARK", help="A folder with query.csv, source.csv and labels.csv."
        ),
    ],
    output: ModelsOption,
    fold: FoldOption = [],  # noqa: B006 - typer copies it
    all_references: AllOption = False,
    strategy: StrategyOption = Strategies.mix,
    ratio: Annotated[int, typer.Option(min=1, help="How many negatives a reference gets.")] = 5,
    epochs: Annotated[int, typer.Option(min=1)] = 4,
    batch_size: Annotated[int, typer.Option(min=1)] = 32,
    learning_rate: Annotated[float, typer.Option()] = 2e-5,
    prompts: Annotated[
        str, typer.Option(metavar="NAME", help="paper (Query: / Candidate:), e5 or none.")
    ] = "paper",
    pooling: Annotated[_Pooling | None, typer.Option(help="By default as the model says.")] = None,
    max_length: Annotated[
        int | None, typer.Option(min=1, metavar="TOKENS", help="How much of a text is read.")
    ] = None,
    seed: SeedOption = 42,
    revision: RevisionOption = None,
    device: DeviceOption = "auto",
    measure: Annotated[
        bool, typer.Option(help="Search the held-out queries in the whole source at the end.")
    ] = True,
    resume: ResumeOption = False,
) -> None:
    """Train a bi-encoder on a benchmark, one model for each fold.

    Settings are the paper's where nothing else is said: Online Contrastive Loss, 4 epochs, batches
    of 32, learning rate 2e-5.

    Examples:

    - `locisimiles train biencoder e5-small my-benchmark -o models`

    - `locisimiles train biencoder e5-small my-benchmark -o models --resume`: go on after a cut-off
    """
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.models.families import choose_prompts
    from locisimiles.train.biencoder.project import BiEncoderSettings, train_biencoder

    folds = chosen_folds(fold, all_references=all_references)
    settings = BiEncoderSettings(
        strategy=strategy.value,
        ratio=ratio,
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        prompts=choose_prompts(prompts),
        pooling=pooling.value if pooling else None,
        max_length=max_length,
        seed=seed,
    )
    with ProgressBar() as progress:
        trained = train_biencoder(
            base,
            Benchmark.load(benchmark, progress=progress),
            output,
            settings,
            folds=folds,
            revision=revision,
            resume=resume,
            measure=measure,
            device=device,
            progress=progress,
        )
    for model in trained:
        found = model.training.get("retrieval", {}).get("pooled R@100")
        figure = f", R@100 of the held-out fold {100 * found:.1f} %" if found is not None else ""
        say(f"wrote {model.model}{figure}")
