"""``locisimiles train default`` and ``train classifier``: weights from the references of a set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.options import OverwriteOption  # noqa: TC001 - typer reads it
from locisimiles.cli.train_options import BenchmarkArgument, WeightsOption  # noqa: TC001

__all__ = ["classifier", "default"]


ModelOption = Annotated[
    str,
    typer.Option(
        metavar="FOLDER", help="The encoder of late interaction; the weights fit no other."
    ),
]


def default(
    folder: BenchmarkArgument,
    output: WeightsOption,
    model: ModelOption = "latin",
    overwrite: OverwriteOption = False,
) -> None:
    """Learn the weights of the default method from all references of a set.

    To measure it, use `locisimiles benchmark run DIR --method default`, which learns for each fold
    from the others.

    Examples:

    - `locisimiles train default loci-similes -o weights.json`

    - `locisimiles search query.csv source.csv --set weights=weights.json`: use it
    """
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.export import check_output
    from locisimiles.learn.default import UNTRAINED, learn_weights
    from locisimiles.retrieve.combined.search import Combined

    check_output(output, overwrite=overwrite, suffixes=(".json",))
    with ProgressBar() as progress:
        training = Benchmark.load(folder)
        combined = Combined(model=model, weights=UNTRAINED)
        parts = combined.parts(training.source, progress=progress)
        weights = learn_weights(combined, parts, training, progress=progress)
    weights.save(output)
    say(f"wrote {output}")


def classifier(
    folder: BenchmarkArgument,
    output: WeightsOption,
    predictions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz",
            help="Predictions of cross-encoders for held-out folds, which `train predictions` "
            "writes; learns how much they count.",
        ),
    ] = None,
    cross_encoder: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The folder of the cross-encoder; the weights fit no other.",
        ),
    ] = "latin",
    model: ModelOption = "latin",
    seed: Annotated[int, typer.Option(help="Seed of the fold documents.")] = 0,
    overwrite: OverwriteOption = False,
) -> None:
    """Learn the weights of the ensemble from all references of a set with folds.

    To measure it, use `locisimiles benchmark run DIR --method ensemble`, which learns for each fold
    from the others.

    Examples:

    - `locisimiles train classifier loci-similes -o weights.json`

    - `locisimiles search query.csv source.csv --classifier weights.json`: use it
    """
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.classify import CrossEncoderClassifier
    from locisimiles.export import check_output
    from locisimiles.index import PreparedDocument
    from locisimiles.learn.default import UNTRAINED
    from locisimiles.learn.ensemble import learn_ensemble
    from locisimiles.learn.predictions import PredictionBook
    from locisimiles.models.identity import model_sha256
    from locisimiles.retrieve.combined.search import Combined

    check_output(output, overwrite=overwrite, suffixes=(".json",))
    with ProgressBar() as progress:
        training = Benchmark.load(folder)
        second = None
        if predictions is not None:
            book = PredictionBook.load(predictions)
            second = {fold: book.without((fold,)) for fold in training.folds}
        combined = Combined(priors=False, model=model, weights=UNTRAINED)
        source = PreparedDocument(training.source)
        weights = learn_ensemble(
            training, source, combined, seed=seed, second=second, progress=progress
        )
        if second is not None:
            reranker = CrossEncoderClassifier(cross_encoder).network
            weights = replace(weights, cross_encoder_sha256=model_sha256(reranker))
    weights.save(output)
    say(f"wrote {output}")
