"""Train cross-encoders on a benchmark, fold by fold.

The output folder holds, for each fold, ``fold-N/model`` (a folder that `CrossEncoderClassifier`
reads), ``fold-N/pairs.npz`` (what it was trained on) and ``fold-N/training.json`` (how, with
losses). A model that is trained on all references is in ``all``.
"""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.arrays import load_arrays, save_arrays
from locisimiles.learn.hard_negatives import NEED_SIMILAR, hard_candidates
from locisimiles.models.loading import require_torch
from locisimiles.progress import silent
from locisimiles.retrieve import make_retriever
from locisimiles.train.common.runs import CHECKPOINTS, PAIRS, describe_run, plan_folds, train_folds
from locisimiles.train.crossencoder.bases import choose_base
from locisimiles.train.crossencoder.preparation import ALL_REFERENCES, fold_pairs
from locisimiles.train.crossencoder.sampling import LabelledPairs
from locisimiles.train.crossencoder.settings import CrossEncoderSettings
from locisimiles.train.crossencoder.training import train_fold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Candidates, Retriever
    from locisimiles.train.common.runs import TrainedModel

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
    """Fine-tune an encoder so that it tells no match, cit. and cf. from each other.

    For each fold one model is trained, on the references of all others. Segments of the query side
    that belong to the held-out fold are never seen, not even in negatives.

    Parameters
    ----------
    base, revision
        The encoder to begin with: a folder that ``locisimiles train encoder`` wrote, or any that
        transformers reads, by folder, name on the Hub or short name.
    benchmark
        Segments and references.
    out
        A folder for the results; new or empty, unless `resume`.
    settings
        How; by default as in the paper.
    folds
        Which folds are held out in turn; by default all of the benchmark. An empty sequence, or a
        benchmark without folds: one model is trained on all references.
    similar
        Finds the sources that hard negatives are drawn from; by default the encoder that comes
        with the package.
    resume
        Go on with what is in `out`; settings, base and benchmark must be the same.
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
    settings = settings or CrossEncoderSettings()
    held_out = plan_folds(benchmark, folds)
    begun = choose_base(base, settings, revision=revision, device=device)
    retriever = similar or make_retriever("dense")
    how = settings.as_dict()
    if settings.strategy in NEED_SIMILAR:
        how["similar"] = dict(retriever.parameters())
    run = describe_run(begun.describe(), benchmark, how)
    found = lru_cache(  # which is asked for once, or never
        lambda: hard_candidates(benchmark, retriever, settings.hard_depth, settings.ratio, progress)
    )

    def train(fold: int | None, folder: Path) -> tuple[Callable[[Path], None], dict[str, Any]]:
        pairs = _pairs(folder / PAIRS, benchmark, fold, settings, found)
        network = begun.network()
        texts, own = begun.texts(benchmark, pairs)
        log = train_fold(
            network,
            texts,
            own,
            settings,
            device=begun.device,
            checkpoints=folder / CHECKPOINTS,
            progress=lambda task, done, total: progress(f"{folder.name}: {task}", done, total),
        )
        told = {"pairs": len(pairs), "steps": log.steps, "loss": list(log.loss)}
        return partial(begun.save, network), told

    return train_folds(Path(out), held_out, run, train, resume=resume)


def _pairs(
    path: Path,
    benchmark: Benchmark,
    fold: int | None,
    settings: CrossEncoderSettings,
    similar: Callable[[], Candidates],
) -> LabelledPairs:
    """Return the pairs of a fold, as drawn before if the training goes on."""
    columns = ("query", "source", "label")
    if not path.exists():
        pairs = fold_pairs(
            benchmark,
            ALL_REFERENCES if fold is None else fold,
            settings,
            similar() if settings.strategy in NEED_SIMILAR else None,
        )
        save_arrays(path, {name: getattr(pairs, name) for name in columns})
    arrays = load_arrays(path)
    query, source, label = (arrays[name] for name in columns)
    return LabelledPairs(query.astype(np.int32), source.astype(np.int32), label.astype(np.uint8))
