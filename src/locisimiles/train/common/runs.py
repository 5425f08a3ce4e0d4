"""Train one model for each fold of a benchmark; resume where a run was interrupted."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from locisimiles.errors import InputError, OutputError, ParameterError
from locisimiles.files.json_files import read_json
from locisimiles.train.common.files import keep_settings, make_folder, write_json, writing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from locisimiles.benchmark.sets.dataset import Benchmark

    Train = Callable[[int | None, Path], tuple[Callable[[Path], None], Mapping[str, Any]]]

__all__ = ["CHECKPOINTS", "PAIRS", "TrainedModel", "choose_folds", "describe_run", "train_folds"]

PAIRS, CHECKPOINTS = "pairs.npz", "checkpoints"
_RUN, _TRAINING, _MODEL = "run.json", "training.json", "model"


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """The held-out fold, the folder of the model, and the content of ``training.json``."""

    fold: int | None
    model: Path
    training: Mapping[str, Any]


def train_folds(
    out: Path,
    folds: Sequence[int | None],
    run: Mapping[str, Any],
    train: Train,
    *,
    resume: bool,
) -> tuple[TrainedModel, ...]:
    """Train one model for each held-out fold; skip those that are done.

    Parameters
    ----------
    out
        The folder for results; new or empty, unless `resume`.
    folds
        The folds to hold out in turn; None holds out nothing.
    run
        What the models depend on; see `describe_run`.
    train
        Takes a fold and its folder, where it may keep pairs and checkpoints. Returns a function
        that writes the model into a folder, and entries for ``training.json``.
    resume
        Continue the run in `out`.

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
            _save_model(save, folder / _MODEL)
            write_json(folder / _TRAINING, {**run, "fold": fold, **log})
            shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)
        training = read_json(folder / _TRAINING)
        known = training if isinstance(training, dict) else {}
        trained.append(TrainedModel(fold, folder / _MODEL, known))
    return tuple(trained)


def choose_folds(benchmark: Benchmark, folds: Sequence[int] | None) -> tuple[int | None, ...]:
    """Return the folds to hold out in turn; None in place of a fold holds out nothing.

    `folds` are those the user wants: None for all, an empty sequence to hold out nothing.

    Raises
    ------
    ParameterError
        If a fold does not exist, or no references remain without it.
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
        "locisimiles": version("locisimiles"),
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


def _save_model(save: Callable[[Path], None], folder: Path) -> None:
    """Save a model; its folder gets its name when it is complete."""
    unfinished = folder.with_name(f".{folder.name}")
    with writing(folder):
        for place in (unfinished, folder):
            shutil.rmtree(place, ignore_errors=True)
        save(unfinished)
        unfinished.rename(folder)
