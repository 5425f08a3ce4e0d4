"""Train one model for each fold of a benchmark; resume where a run was interrupted."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from locisimiles.errors import InputError, OutputError, ParameterError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.files.json_files import read_json, write_json
from locisimiles.files.writing import make_folder
from locisimiles.installation import VERSION
from locisimiles.learn.hard_negatives import hard_candidates
from locisimiles.learn.sampling import sample_pairs
from locisimiles.train.common.files import complete_folder, keep_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.benchmark.sets.references import References
    from locisimiles.candidates import Candidates
    from locisimiles.learn.sampling import Strategy, TrainingPairs
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Retriever

    Train = Callable[[int | None, Path], tuple[Callable[[Path], None], Mapping[str, Any]]]

__all__ = [
    "CHECKPOINTS",
    "TrainedModel",
    "choose_folds",
    "describe_run",
    "hard_negatives",
    "load_or_draw",
    "needs_similar",
    "references_without",
    "sample_fold",
    "train_folds",
]

CHECKPOINTS = "checkpoints"
_PAIRS, _RUN, _TRAINING, _MODEL = "pairs.npz", "run.json", "training.json", "model"
_Pairs = TypeVar("_Pairs", bound=Any)


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """The held-out fold, the folder of the model, and the content of ``training.json``."""

    fold: int | None
    model: Path
    training: Mapping[str, Any]


class Sampling(Protocol):
    """The settings that say how negatives are drawn; see `locisimiles.learn.sampling`."""

    @property
    def strategy(self) -> Strategy: ...
    @property
    def ratio(self) -> int: ...
    @property
    def hard_depth(self) -> int: ...
    @property
    def seed(self) -> int: ...


def train_folds(
    out: Path, folds: Sequence[int | None], run: Mapping[str, Any], train: Train, *, resume: bool
) -> tuple[TrainedModel, ...]:
    """Train one model for each held-out fold; skip those that are done.

    Parameters
    ----------
    out, resume
        The folder for results: new or empty, unless a run in it is resumed.
    folds
        The folds to hold out in turn; None holds out nothing.
    run
        What the models depend on; see `describe_run`.
    train
        Takes a fold and its folder, where it may keep pairs and checkpoints. Returns a function
        that writes the model into a folder, and entries for ``training.json``.

    Raises
    ------
    OutputError, InputError
        If `out` is in use or cannot be written, holds no run, or one with different settings.
    """
    make_folder(out)
    if any(out.iterdir()):
        if not resume:
            raise OutputError("train.folder_in_use", path=str(out))
        if not (out / _RUN).exists():
            raise InputError("train.no_run", file=str(out / _RUN))
    keep_settings(out / _RUN, run, ignored=("locisimiles", "libraries"))
    trained = []
    for fold in folds:
        folder = out / (f"fold-{fold}" if fold is not None else "all")
        if not (folder / _TRAINING).exists():
            make_folder(folder)
            save, log = train(fold, folder)
            with complete_folder(folder / _MODEL) as unfinished:
                save(unfinished)
            write_json(folder / _TRAINING, {**run, "fold": fold, **log})
            shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)
        training = read_json(folder / _TRAINING)
        known = training if isinstance(training, dict) else {}
        trained.append(TrainedModel(fold, folder / _MODEL, known))
    return tuple(trained)


def choose_folds(benchmark: Benchmark, folds: Sequence[int] | None) -> tuple[int | None, ...]:
    """Return the folds to hold out in turn; None in place of a fold holds out nothing.

    `folds` are those the user wants: None for all, an empty sequence to hold out nothing. A
    ParameterError says that a fold is unknown, or that no references remain without it.
    """
    if not len(benchmark.references):
        raise ParameterError("train.no_references")
    chosen = benchmark.folds if folds is None else tuple(folds)
    for fold in chosen:
        if fold not in benchmark.folds:
            known = ", ".join(map(str, benchmark.folds)) or "-"
            raise ParameterError("train.unknown_fold", fold=str(fold), folds=known)
        if (benchmark.references.fold == fold).all():
            raise ParameterError("train.no_other_fold", fold=str(fold))
    return tuple(dict.fromkeys(chosen)) or (None,)


def describe_run(
    base: Mapping[str, object], benchmark: Benchmark, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what models depend on: runs that agree in it give the same models."""
    references = benchmark.references
    described = {
        "locisimiles": VERSION,
        "libraries": {name: version(name) for name in ("numpy", "torch", "transformers")},
        "base": dict(base),
        "benchmark": {
            "name": benchmark.name,
            "query_sha256": benchmark.query.fingerprint(),
            "source_sha256": benchmark.source.fingerprint(),
            "references": [references.query.tolist(), references.source.tolist()],
            "folds": references.fold.tolist(),
        },
        "settings": dict(settings),
    }
    return dict(json.loads(json.dumps(described)))  # tuples become lists, as in files


def needs_similar(settings: Sampling) -> bool:
    """Whether negatives are drawn from similar sources."""
    return settings.strategy in {"qry,mix", "qry,sim"}


def hard_negatives(
    benchmark: Benchmark, retriever: Retriever, settings: Sampling, progress: Progress
) -> Callable[[], Candidates | None]:
    """Return a function that finds similar sources when first called; None if not needed."""

    @cache
    def similar() -> Candidates | None:
        if not needs_similar(settings):
            return None
        return hard_candidates(benchmark, retriever, settings.hard_depth, settings.ratio, progress)

    return similar


def references_without(benchmark: Benchmark, fold: int | None) -> References:
    """Return the references of all other folds; all of them if `fold` is None."""
    references = benchmark.references
    return references if fold is None else references.select(references.fold != fold)


def sample_fold(
    benchmark: Benchmark,
    fold: int | None,
    settings: Sampling,
    similar: Candidates | None = None,
) -> TrainingPairs:
    """Draw negatives for the references of all folds but one, whose queries are never drawn.

    ``qry,sim`` and ``qry,mix`` need the candidates of a retriever (`similar`).
    """
    references = benchmark.references
    held_out = references.query[references.fold == fold] if fold is not None else []
    return sample_pairs(
        references_without(benchmark, fold),
        queries=np.setdiff1d(np.arange(len(benchmark.query)), held_out).astype(np.int32),
        sources=len(benchmark.source),
        strategy=settings.strategy,
        ratio=settings.ratio,
        seed=settings.seed,
        similar=similar,
    )


def load_or_draw(folder: Path, kind: type[_Pairs], draw: Callable[[], _Pairs]) -> _Pairs:
    """Return the pairs in the folder of a fold; draw and save them first if there are none."""
    path = folder / _PAIRS
    if not path.exists():
        save_arrays(path, asdict(draw()))
    pairs: _Pairs = kind(**load_arrays(path))
    return pairs
