"""``locisimiles train biencoder``, ``crossencoder`` and ``predictions``: a model for each fold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from locisimiles.cli import options as opt  # noqa: TC001 - typer reads it
from locisimiles.cli.console import ProgressBar, say
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.train.common.folds import TrainedModel

__all__ = ["biencoder", "crossencoder", "predictions"]


def biencoder(
    base: opt.BaseArgument,
    benchmark: opt.BenchmarkArgument,
    output: opt.FolderOption,
    fold: opt.FoldOption = [],  # noqa: B006 - typer copies it
    all_references: opt.AllOption = False,
    strategy: opt.StrategyOption = "qry,mix",
    ratio: opt.RatioOption = 5,
    epochs: opt.EpochsOption = 4,
    batch_size: opt.BatchOption = 32,
    learning_rate: opt.RateOption = 2e-5,
    prompts: Annotated[
        str, typer.Option(metavar="NAME", help="paper (Query: / Candidate:), e5 or none.")
    ] = "paper",
    pooling: Annotated[
        Literal["mean", "cls"] | None, typer.Option(help="By default the model's own.")
    ] = None,
    max_length: Annotated[
        int | None, typer.Option(min=1, metavar="TOKENS", help="Maximum length of a text.")
    ] = None,
    seed: opt.SeedOption = 42,
    revision: opt.RevisionOption = None,
    device: opt.DeviceOption = "auto",
    measure: Annotated[
        bool, typer.Option(help="Finally search the held-out queries in the whole source.")
    ] = True,
    resume: opt.ResumeOption = False,
) -> None:
    """Train a bi-encoder on a benchmark, one model for each fold.

    Settings default to the paper's: Online Contrastive Loss, 4 epochs, batches of 32, learning rate
    2e-5.

    Examples:

    - `locisimiles train biencoder e5-small my-benchmark -o models`

    - `locisimiles train biencoder e5-small my-benchmark -o models --resume`: after an interruption
    """
    from locisimiles.models.families import choose_prompts
    from locisimiles.train.biencoder.project import BiEncoderSettings, train_biencoder

    folds = _chosen_folds(fold, all_references=all_references)
    settings = BiEncoderSettings(
        strategy=strategy,
        ratio=ratio,
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        prompts=choose_prompts(prompts),
        pooling=pooling,
        max_length=max_length,
        seed=seed,
    )
    options = {"folds": folds, "revision": revision, "resume": resume, "device": device}
    for model in _train(
        train_biencoder, base, benchmark, output, settings, measure=measure, **options
    ):
        recall = model.training.get("retrieval", {}).get("pooled R@100")
        figure = f", R@100 of the held-out fold {100 * recall:.1f} %" if recall is not None else ""
        say(f"wrote {model.model}{figure}")


def crossencoder(
    base: opt.BaseArgument,
    benchmark: opt.BenchmarkOption,
    output: opt.FolderOption,
    fold: opt.FoldOption = [],  # noqa: B006 - typer copies it
    all_references: opt.AllOption = False,
    strategy: opt.StrategyOption = "qry,mix",
    ratio: opt.RatioOption = 10,
    similar: Annotated[
        str, typer.Option(metavar="METHOD", help="The search method that finds hard negatives.")
    ] = "dense",
    mix: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Shares of the classes: mild, strong, half, even, natural, or three numbers such "
            "as 0.8,0.1,0.1.",
        ),
    ] = "mild",
    epochs: opt.EpochsOption = 4,
    batch_size: opt.BatchOption = 64,
    at_once: Annotated[int, typer.Option(min=1, help="Pairs per forward pass.")] = 32,
    learning_rate: opt.RateOption = 2e-5,
    head_rate: Annotated[
        float | None,
        typer.Option(help="Learning rate of the new head; depends on the model by default."),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option("--max-length", min=6, metavar="TOKENS", help="Maximum length of a pair."),
    ] = None,
    layers: Annotated[
        int | None,
        typer.Option(min=1, help="Layers to keep, if `train encoder` wrote it."),
    ] = None,
    seed: opt.SeedOption = 42,
    revision: opt.RevisionOption = None,
    device: opt.DeviceOption = "auto",
    resume: opt.ResumeOption = False,
) -> None:
    """Train a cross-encoder on a benchmark: no match, cit. or cf.; one model for each fold.

    Settings default to the paper's: 4 epochs, 64 pairs per step, learning rate 2e-5, mixed
    negatives 1:10, classes drawn 80:10:10.

    Examples:

    - `locisimiles train crossencoder xlm-r-base --benchmark my-benchmark -o models`

    - `locisimiles train crossencoder latin/encoder --benchmark my-benchmark -o models --all`: an
      encoder that `train encoder` wrote, on all references
    """
    from locisimiles.models.loading import require_torch
    from locisimiles.retrieve import make_retriever
    from locisimiles.train.crossencoder.settings import CrossEncoderSettings
    from locisimiles.train.encoder.folder import is_pretrained_encoder

    folds = _chosen_folds(fold, all_references=all_references)
    ours = is_pretrained_encoder(base)
    if layers is not None and not ours:
        raise ParameterError("cli.layers_of_transformer")
    settings = CrossEncoderSettings(
        strategy=strategy,
        ratio=ratio,
        mix=mix,
        epochs=epochs,
        batch_size=batch_size,
        at_once=min(at_once, batch_size),
        rate=learning_rate,
        head_rate=head_rate or (5e-4 if ours else learning_rate),
        budget=budget or (128 if ours else 512),
        layers=layers,
        seed=seed,
    )
    retriever = make_retriever(similar)
    require_torch()
    from locisimiles.train.crossencoder.project import train_crossencoder

    options = {"folds": folds, "revision": revision, "resume": resume, "device": device}
    for model in _train(
        train_crossencoder, base, benchmark, output, settings, similar=retriever, **options
    ):
        say(f"wrote {model.model} ({model.training.get('steps')} steps)")


def predictions(
    folder: opt.BenchmarkArgument,
    encoder: Annotated[
        Path,
        typer.Argument(
            metavar="ENCODER", help="A folder that `train encoder` wrote, or of an int8 encoder."
        ),
    ],
    output: opt.FolderOption,
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Weights to start from, if not those in ENCODER."),
    ] = None,
    layers: Annotated[
        int | None,
        typer.Option(min=1, help="Layers to keep; those of the shipped one by default."),
    ] = None,
    teacher: Annotated[
        list[Path],
        typer.Option(
            metavar="OTHER",
            help="A FOLDER of this command with larger networks to learn from; may be repeated.",
        ),
    ] = [],  # noqa: B006 - typer copies it
    only_prepare: opt.OnlyPrepareOption = False,
    limit: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Time limit of this run; the next one resumes."),
    ] = None,
    device: opt.DeviceOption = "auto",
) -> None:
    """Predict held-out folds with cross-encoders, for `train classifier --predictions`.

    Trains one without each fold, one without each two folds, and one on all: minutes on a GPU. To
    use a GPU of another machine, prepare the job, run
    `python -m locisimiles.train.crossencoder.job job.npz OUT` there, copy `logits.npz`, `log.json`
    and `fold-0.safetensors` into FOLDER, and repeat the command; it skips finished work. The
    cross-encoder of all references is written to `FOLDER/cross-encoder`. Teachers and what learns
    from them must have the same pairs: those of the first teacher are used.

    Examples:

    - `locisimiles train predictions loci-similes latin/encoder -o predictions`

    - `locisimiles train classifier loci-similes --predictions predictions/predictions.npz
      -o weights.json`
    """
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.benchmark.sets.pools import FoldPools
    from locisimiles.files.writing import make_folder
    from locisimiles.models.loading import choose_device, require_torch

    require_torch()
    from locisimiles.train.crossencoder.final import FINAL, export_final
    from locisimiles.train.crossencoder.held_out import (
        ALL_REFERENCES,
        HELD_OUT_SETTINGS,
        JOB,
        PAIRS,
        collect_predictions,
        prepare_predictions,
        share_job,
    )
    from locisimiles.train.crossencoder.job import run_job, weights_file
    from locisimiles.train.late.graph import require_onnx

    require_onnx()
    make_folder(output)
    job = output / JOB
    with ProgressBar() as progress:
        pools = FoldPools(Benchmark.load(folder, progress=progress))
        if teacher and not (output / PAIRS).exists():
            share_job(teacher[0], output)
        if not (output / PAIRS).exists():
            settings = replace(HELD_OUT_SETTINGS, layers=layers or HELD_OUT_SETTINGS.layers)
            prepare_predictions(
                output, pools, encoder, weights=weights, settings=settings, progress=progress
            )
        book = collect_predictions(output, pools)
        if book is None and not only_prepare:
            run_job(
                job,
                output,
                limit=limit,
                layers=layers,
                teachers=teacher,
                device=choose_device(device),
                progress=progress,
            )
            book = collect_predictions(output, pools)
    if book is None:
        say(f"{job} is prepared but not finished; the same command resumes")
    else:
        book.save(output / "predictions.npz")
        say(f"wrote {output / 'predictions.npz'}")
        if weights_file(output, ALL_REFERENCES).exists():
            loss = export_final(output, encoder)
            measured = f" (training loss {loss:.3f})" if loss is not None else ""
            say(f"wrote {output / FINAL}, trained on all references{measured}")


def _chosen_folds(fold: list[int], *, all_references: bool) -> tuple[int, ...] | None:
    """Return the folds to hold out: none with ``--all``; None stands for every fold."""
    if all_references and fold:
        raise ParameterError("cli.all_and_fold")
    return () if all_references else (tuple(fold) or None)


def _train(
    train: Callable[..., tuple[TrainedModel, ...]],
    base: str,
    benchmark: Path,
    *arguments: object,
    **options: Any,  # noqa: ANN401 - passed on
) -> tuple[TrainedModel, ...]:
    """Load a benchmark and train on it, with a progress bar."""
    from locisimiles.benchmark.sets.dataset import Benchmark

    with ProgressBar() as progress:
        dataset = Benchmark.load(benchmark, progress=progress)
        return train(base, dataset, *arguments, **options, progress=progress)
