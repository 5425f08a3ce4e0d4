"""Train bi-encoders on a benchmark, fold by fold.

For each fold, the output folder holds ``fold-N/model`` (weights in safetensors, tokenizer, and
settings of use; sentence-transformers reads it too), ``fold-N/pairs.npz`` (the pairs it was trained
on) and ``fold-N/training.json`` (settings, losses, and figures on the held-out fold). A model
trained on all references is in ``all``.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.benchmark.protocols import evaluate_retrieval
from locisimiles.files.json_files import json_number
from locisimiles.learn.hard_negatives import search_queries
from locisimiles.learn.sampling import TrainingPairs, sample_pairs
from locisimiles.models.embedding_cache import default_cache_folder
from locisimiles.models.loading import load_encoder, require_torch
from locisimiles.progress import silent
from locisimiles.retrieve.vectors.dense import Dense
from locisimiles.train.biencoder.fold import BiEncoderTraining
from locisimiles.train.biencoder.settings import BiEncoderSettings
from locisimiles.train.common.folds import (
    CHECKPOINTS,
    choose_folds,
    describe_run,
    hard_negatives,
    load_or_draw,
    sample_fold,
    train_folds,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.models.encoders import TextEncoder
    from locisimiles.progress import Progress
    from locisimiles.train.common.folds import TrainedModel

__all__ = ["BiEncoderSettings", "train_biencoder"]

_DEPTH = 1000


def train_biencoder(
    base: str | PathLike[str],
    benchmark: Benchmark,
    out: str | PathLike[str],
    settings: BiEncoderSettings | None = None,
    *,
    folds: Sequence[int] | None = None,
    revision: str | None = None,
    resume: bool = False,
    measure: bool = True,
    cache: str | PathLike[str] | None = None,
    device: str = "auto",
    progress: Progress = silent,
) -> tuple[TrainedModel, ...]:
    """Fine-tune an encoder so that segments are near those they refer to.

    One model is trained for each fold, on the references of all others. Query segments of the
    held-out fold are never seen, not even in negatives; figures on them decide nothing.

    Parameters
    ----------
    base, revision, device
        The encoder to start from, as in `locisimiles.models.loading.load_encoder`.
    benchmark, folds
        As in `locisimiles.train.common.folds.choose_folds`.
    out, resume
        As in `locisimiles.train.common.folds.train_folds`.
    settings
        How to train; by default as in the paper.
    measure
        Whether to search the queries of the held-out fold in the whole source at the end.
    cache
        Where the base encoder's vectors are kept; they find hard negatives.
    """
    require_torch()
    settings = settings or BiEncoderSettings()
    held_out = choose_folds(benchmark, folds)
    load = partial(load_encoder, base, revision=revision, device=device)
    untrained = load()
    dense = Dense(untrained, cache=cache if cache is not None else default_cache_folder())
    similar = hard_negatives(benchmark, dense, settings, progress)

    def train(fold: int | None, folder: Path) -> tuple[Callable[[Path], None], dict[str, Any]]:
        encoder = load(
            pooling=settings.pooling, prompts=settings.prompts, max_length=settings.max_length
        )
        training = BiEncoderTraining(
            encoder=encoder,
            benchmark=benchmark,
            pairs=load_or_draw(
                folder, TrainingPairs, lambda: sample_fold(benchmark, fold, settings, similar())
            ),
            held_out=_held_out_pairs(benchmark, fold, settings),
            settings=settings,
            folder=folder / CHECKPOINTS,
        )
        log = training.run(folder.name, progress)
        figures = _measure(benchmark, fold, encoder, progress) if measure else {}
        return encoder.save, {**figures, **log}

    run = describe_run(untrained.describe(), benchmark, asdict(settings))
    return train_folds(Path(out), held_out, run, train, resume=resume)


def _held_out_pairs(
    benchmark: Benchmark, fold: int | None, settings: BiEncoderSettings
) -> TrainingPairs:
    """Return pairs of the held-out fold to evaluate on, none if there is no such fold.

    Their negatives are always random, so that strategies can be compared.
    """
    references = benchmark.references
    chosen = references.fold == fold if fold is not None else np.zeros(len(references), np.bool_)
    return sample_pairs(
        references.select(chosen),
        queries=np.empty(0, np.int32),
        sources=len(benchmark.source),
        strategy="qry,rnd",
        ratio=1,
        seed=settings.seed,
    )


def _measure(
    benchmark: Benchmark, fold: int | None, encoder: TextEncoder, progress: Progress
) -> dict[str, Any]:
    if fold is None:
        return {}
    references = benchmark.references.select(benchmark.references.fold == fold)
    dense = Dense(encoder, cache=None)
    candidates = search_queries(benchmark, dense, references.queries, _DEPTH, progress)
    return {
        "retrieval": {
            f"{measurement.group} {measurement.metric}": json_number(measurement.mean)
            for measurement in evaluate_retrieval(candidates, references)
        }
    }
