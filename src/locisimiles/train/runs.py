"""What trainings on a benchmark share: which folds, what they depend on, where results go."""

from __future__ import annotations

import json
import shutil
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from locisimiles.benchmark.json_files import read_json
from locisimiles.errors import OutputError, ParameterError
from locisimiles.export import atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from locisimiles.benchmark.dataset import Benchmark

__all__ = [
    "describe_run",
    "fold_name",
    "make_folder",
    "plan_folds",
    "prepare_run",
    "save_model",
    "write_json",
]

_RUN = "run.json"


def fold_name(fold: int | None) -> str:
    """Return what the folder of a fold is called, or of a model on all references.

    Examples
    --------
    >>> fold_name(3), fold_name(None)
    ('fold-3', 'all')
    """
    return f"fold-{fold}" if fold is not None else "all"


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


def prepare_run(out: Path, run: Mapping[str, Any], *, resume: bool) -> Path:
    """Make the folder of a training, or make sure that what is in it is the same training.

    Raises
    ------
    OutputError
        If it is in use, or cannot be made.
    ParameterError
        If it holds another training.
    """
    make_folder(out)
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
    write_json(out / _RUN, run)
    return out


def make_folder(folder: Path) -> None:
    """Make a folder if it is not there.

    Raises
    ------
    OutputError
        If it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be made: {error.strerror}") from error


def save_model(save: Callable[[Path], None], folder: Path) -> None:
    """Let a model be written, in such a way that a folder of its name is complete.

    Parameters
    ----------
    save
        Writes it into a folder that it makes.
    folder
        Where it shall be; what was there is replaced.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    unfinished = folder.with_name(f".{folder.name}")
    try:
        for place in (unfinished, folder):
            shutil.rmtree(place, ignore_errors=True)
        save(unfinished)
        unfinished.rename(folder)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror or error}") from error


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write what JSON can write.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    with atomic(path) as stream:
        json.dump(content, stream, ensure_ascii=False, indent=1)
        stream.write("\n")
