"""What trainings on a benchmark share: which folds, what they depend on, where results go."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from locisimiles.benchmark.json_files import read_json
from locisimiles.errors import OutputError, ParameterError
from locisimiles.export import atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from locisimiles.benchmark.sets.dataset import Benchmark

__all__ = ["CHECKPOINTS", "PAIRS", "TrainedModel", "describe_run", "plan_folds", "train_folds"]

PAIRS, CHECKPOINTS = "pairs.npz", "checkpoints"
_RUN, _TRAINING, _MODEL = "run.json", "training.json", "model"


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A model and how it came about.

    Attributes
    ----------
    fold
        The fold that was held out; None if none was.
    model
        The folder of the model.
    training
        What ``training.json`` says.
    """

    fold: int | None
    model: Path
    training: Mapping[str, Any]


def train_folds(
    out: Path,
    folds: Sequence[int | None],
    run: Mapping[str, Any],
    train: Callable[[int | None, Path], tuple[Callable[[Path], None], Mapping[str, Any]]],
    *,
    resume: bool,
) -> tuple[TrainedModel, ...]:
    """Train one model for each fold that is held out; those that are done already are left.

    Parameters
    ----------
    out
        A folder for the results; new or empty, unless `resume`.
    folds
        Which are held out in turn; None where nothing is.
    run
        What the training depends on; see `describe_run`.
    train
        Takes a fold and its folder, in which it may keep pairs and checkpoints; returns what
        writes the model into a folder, and what is to be said of the training.
    resume
        Go on with what is in `out`.

    Raises
    ------
    OutputError
        If `out` is in use, or cannot be written.
    ParameterError
        If it holds another training.
    """
    _prepare(out, run, resume=resume)
    trained = []
    for fold in folds:
        folder = out / (f"fold-{fold}" if fold is not None else "all")
        if not (folder / _TRAINING).exists():
            _make(folder)
            save, told = train(fold, folder)
            _save_model(save, folder / _MODEL)
            _write_json(folder / _TRAINING, {**run, "fold": fold, **told})
            shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)
        content = read_json(folder / _TRAINING)
        told = content if isinstance(content, dict) else {}
        trained.append(TrainedModel(fold, folder / _MODEL, told))
    return tuple(trained)


def plan_folds(benchmark: Benchmark, folds: Sequence[int] | None) -> tuple[int | None, ...]:
    """Return which folds are held out in turn; None where nothing is.

    Parameters
    ----------
    benchmark
        What is trained on.
    folds
        Those that are wanted; by default all. Empty: nothing is held out.

    Raises
    ------
    ParameterError
        If there are no such folds, or nothing to train on.
    """
    if not len(benchmark.references):
        raise ParameterError("the benchmark has no references to train on")
    chosen = benchmark.folds if folds is None else tuple(folds)
    unknown = sorted(set(chosen) - set(benchmark.folds))
    if unknown:
        raise ParameterError(
            f"the benchmark has no fold {unknown[0]}",
            hint=f"it has {', '.join(map(str, benchmark.folds)) or 'none'}",
        )
    for fold in chosen:
        if (benchmark.references.fold == fold).all():
            raise ParameterError(f"without fold {fold} there are no references to train on")
    return tuple(dict.fromkeys(chosen)) or (None,)


def describe_run(
    base: Mapping[str, object], benchmark: Benchmark, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a training depends on; two runs that agree in it give the same models.

    Parameters
    ----------
    base
        What the model is that training begins with.
    benchmark
        What it is trained on.
    settings
        How.
    """
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
    # As JSON gives it back, so that both can be compared.
    return dict(json.loads(json.dumps(described)))


def _prepare(out: Path, run: Mapping[str, Any], *, resume: bool) -> None:
    """Make the folder of a training, or make sure that what is in it is the same training."""
    _make(out)
    if any(out.iterdir()) and not resume:
        raise OutputError(
            f"{out} is not empty", hint="choose another folder, or go on with --resume"
        )
    if any(out.iterdir()):
        before = read_json(out / _RUN)
        different = [
            name
            for name in ("base", "benchmark", "settings")
            if not isinstance(before, dict) or before.get(name) != run[name]
        ]
        if different:
            raise ParameterError(
                f"the training in {out} has another {' and '.join(different)}",
                hint="repeat it with the same, or choose another folder",
            )
    _write_json(out / _RUN, run)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be made: {error.strerror}") from error


def _save_model(save: Callable[[Path], None], folder: Path) -> None:
    """Let a model be written in such a way that a folder of its name is complete."""
    unfinished = folder.with_name(f".{folder.name}")
    try:
        for place in (unfinished, folder):
            shutil.rmtree(place, ignore_errors=True)
        save(unfinished)
        unfinished.rename(folder)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror or error}") from error


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    with atomic(path) as stream:
        json.dump(content, stream, ensure_ascii=False, indent=1)
        stream.write("\n")
