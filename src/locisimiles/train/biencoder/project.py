"""Train bi-encoders on a benchmark, fold by fold.

The output folder holds, for each fold, ``fold-N/model`` (weights in safetensors, tokenizer, and how
it is used; sentence-transformers reads it too), ``fold-N/pairs.npz`` (what it was trained on) and
``fold-N/training.json`` (how, with losses and figures on the held-out fold). A model that is
trained on all references is in ``all``.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.benchmark.json_files import json_number
from locisimiles.benchmark.protocols import evaluate_retrieval
from locisimiles.learn.hard_negatives import (
    held_out_pairs,
    search_queries,
    similar_sources,
    training_pairs,
)
from locisimiles.models.loading import load_encoder, require_torch
from locisimiles.progress import silent
from locisimiles.retrieve.vectors.dense import Dense
from locisimiles.train.biencoder.fold import BiEncoderTraining
from locisimiles.train.biencoder.settings import BiEncoderSettings
from locisimiles.train.common.runs import CHECKPOINTS, PAIRS, describe_run, plan_folds, train_folds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.models.encoders import TextEncoder
    from locisimiles.progress import Progress
    from locisimiles.train.common.runs import TrainedModel

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

    For each fold one model is trained, on the references of all others. Segments of the query side
    that belong to the held-out fold are never seen, not even in negatives; what is measured on them
    decides nothing.

    Parameters
    ----------
    base, revision
        The encoder to begin with, as in `locisimiles.models.loading.load_encoder`.
    benchmark
        Segments and references.
    out
        A folder for the results; new or empty, unless `resume`.
    settings
        How; by default as in the paper.
    folds
        Which folds are held out in turn; by default all of the benchmark. An empty sequence, or a
        benchmark without folds: one model is trained on all references.
    resume
        Go on with what is in `out`; settings, base and benchmark must be the same.
    measure
        Whether the queries of the held-out fold are searched in the whole source at the end.
    cache
        Where vectors of the base encoder are kept, which finds hard negatives.
    device
        ``cpu``, ``cuda`` or ``auto``.
    progress
        Called after each step.

    Raises
    ------
    InputError, MissingDependencyError
        If the base cannot be loaded.
    OutputError
        If `out` is in use, or cannot be written.
    ParameterError
        If there are no such folds or nothing to train on, or a resumed training was another one.
    """
    require_torch()
    settings = settings or BiEncoderSettings()
    held_out = plan_folds(benchmark, folds)
    load = partial(load_encoder, base, revision=revision, device=device)
    untrained = load()
    run = describe_run(untrained.describe(), benchmark, asdict(settings))
    similar = lru_cache(
        lambda: similar_sources(benchmark, untrained, settings, cache, progress)
    )  # which is asked for once, or never

    def train(fold: int | None, folder: Path) -> tuple[Callable[[Path], None], dict[str, Any]]:
        encoder = load(
            pooling=settings.pooling, prompts=settings.prompts, max_length=settings.max_length
        )
        training = BiEncoderTraining(
            encoder=encoder,
            benchmark=benchmark,
            pairs=training_pairs(folder / PAIRS, benchmark, fold, settings, similar),
            held_out=held_out_pairs(benchmark, fold, settings),
            settings=settings,
            folder=folder / CHECKPOINTS,
        )
        log = training.run(folder.name, progress)
        figures = _measure(benchmark, fold, encoder, progress) if measure else {}
        return encoder.save, {**figures, **log}

    return train_folds(Path(out), held_out, run, train, resume=resume)


def _measure(
    benchmark: Benchmark, fold: int | None, encoder: TextEncoder, progress: Progress
) -> dict[str, Any]:
    if fold is None:
        return {}
    references = benchmark.references.select(benchmark.references.fold == fold)
    dense = Dense(encoder, cache=None)
    found = search_queries(benchmark, dense, references.queries, _DEPTH, progress)
    return {
        "retrieval": {
            f"{measured.group} {measured.metric}": json_number(measured.mean)
            for measured in evaluate_retrieval(found, references)
        }
    }
