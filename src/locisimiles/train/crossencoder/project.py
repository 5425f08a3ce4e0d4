"""Train cross-encoders on a benchmark, fold by fold.

For each fold, the output folder holds ``fold-N/model`` (a folder that `CrossEncoderClassifier`
reads), ``fold-N/pairs.npz`` (the pairs it was trained on) and ``fold-N/training.json`` (settings
and losses). A model trained on all references is in ``all``.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.models.loading import require_torch
from locisimiles.progress import silent
from locisimiles.retrieve import make_retriever
from locisimiles.train.common.folds import (
    CHECKPOINTS,
    choose_folds,
    describe_run,
    hard_negatives,
    load_or_draw,
    needs_similar,
    train_folds,
)
from locisimiles.train.crossencoder.bases import choose_base
from locisimiles.train.crossencoder.preparation import fold_pairs
from locisimiles.train.crossencoder.sampling import LabelledPairs
from locisimiles.train.crossencoder.settings import CrossEncoderSettings
from locisimiles.train.crossencoder.training import train_on_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Retriever
    from locisimiles.train.common.folds import TrainedModel

__all__ = ["train_crossencoder"]


def train_crossencoder(
    base: str | PathLike[str],
    benchmark: Benchmark,
    out: str | PathLike[str],
    settings: CrossEncoderSettings | None = None,
    *,
    folds: Sequence[int] | None = None,
    revision: str | None = None,
    similar: Retriever | None = None,
    resume: bool = False,
    device: str = "auto",
    progress: Progress = silent,
) -> tuple[TrainedModel, ...]:
    """Fine-tune an encoder to tell no match, cit. and cf. apart.

    One model is trained for each fold, on the references of all others. Query segments of the
    held-out fold are never seen, not even in negatives.

    Parameters
    ----------
    base, revision, device
        The encoder to start from: a folder that ``locisimiles train encoder`` wrote, or any that
        transformers reads, by folder, name on the Hub or short name.
    benchmark, folds
        As in `locisimiles.train.common.folds.choose_folds`.
    out, resume
        As in `locisimiles.train.common.folds.train_folds`.
    settings
        How to train; by default as in the paper.
    similar
        Finds hard negatives; by default ``dense`` with the encoder of the package.
    """
    require_torch()
    settings = settings or CrossEncoderSettings()
    held_out = choose_folds(benchmark, folds)
    model = choose_base(base, settings, revision=revision, device=device)
    retriever = similar or make_retriever("dense")
    candidates = hard_negatives(benchmark, retriever, settings, progress)

    def train(fold: int | None, folder: Path) -> tuple[Callable[[Path], None], dict[str, Any]]:
        pairs = load_or_draw(
            folder, LabelledPairs, lambda: fold_pairs(benchmark, fold, settings, candidates())
        )
        network = model.network()
        texts, rows = model.texts(benchmark, pairs)
        log = train_on_pairs(
            network,
            texts,
            rows,
            settings,
            device=model.device,
            checkpoints=folder / CHECKPOINTS,
            progress=lambda task, done, total: progress(f"{folder.name}: {task}", done, total),
        )
        figures = {"pairs": len(pairs), "steps": log.steps, "loss": list(log.loss)}
        return partial(model.save, network), figures

    described = asdict(settings)
    if needs_similar(settings):
        described["similar"] = dict(retriever.parameters())
    run = describe_run(model.describe(), benchmark, described)
    return train_folds(Path(out), held_out, run, train, resume=resume)
