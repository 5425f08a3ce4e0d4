"""Train bi-encoders on a benchmark, fold by fold.

The output folder holds, for each fold, ``fold-N/model`` (weights in safetensors, tokenizer, and how
it is used; sentence-transformers reads it too), ``fold-N/pairs.npz`` (what it was trained on) and
``fold-N/training.json`` (how, with losses and figures on the held-out fold). A model that is
trained on all references is in ``all``.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.benchmark.json_files import json_number, read_json
from locisimiles.benchmark.protocols import evaluate_retrieval
from locisimiles.errors import OutputError, ParameterError
from locisimiles.export import atomic
from locisimiles.models.loading import load_encoder, require_torch
from locisimiles.progress import silent
from locisimiles.retrieve.dense import Dense
from locisimiles.train.biencoder_fold import BiEncoderTraining
from locisimiles.train.biencoder_pairs import (
    held_out_pairs,
    search_queries,
    similar_sources,
    training_pairs,
)
from locisimiles.train.biencoder_settings import BiEncoderSettings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from locisimiles.benchmark.dataset import Benchmark
    from locisimiles.models.encoders import TextEncoder, TransformerEncoder
    from locisimiles.progress import Progress

__all__ = ["BiEncoderSettings", "TrainedBiEncoder", "train_biencoder"]

_RUN, _TRAINING, _PAIRS, _MODEL, _CHECKPOINTS = (
    "run.json", "training.json", "pairs.npz", "model", "checkpoints",
)  # fmt: skip
_DEPTH = 1000


@dataclass(frozen=True, slots=True)
class TrainedBiEncoder:
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
) -> tuple[TrainedBiEncoder, ...]:
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
    held_out = _plan(benchmark, folds)
    load = partial(load_encoder, base, revision=revision, device=device)
    untrained = load()
    run = _describe(untrained, benchmark, settings)
    out = _prepare(Path(out), run, resume=resume)
    similar = lru_cache(
        lambda: similar_sources(benchmark, untrained, settings, cache, progress)
    )  # which is asked for once, or never
    trained = []
    for fold in held_out:
        folder = out / (f"fold-{fold}" if fold is not None else "all")
        if not (folder / _TRAINING).exists():
            _make(folder)
            encoder = load(
                pooling=settings.pooling, prompts=settings.prompts, max_length=settings.max_length
            )
            training = BiEncoderTraining(
                encoder=encoder,
                benchmark=benchmark,
                pairs=training_pairs(folder / _PAIRS, benchmark, fold, settings, similar),
                held_out=held_out_pairs(benchmark, fold, settings),
                settings=settings,
                folder=folder / _CHECKPOINTS,
            )
            log = training.run(folder.name, progress)
            _save_model(encoder, folder / _MODEL)
            figures = _measure(benchmark, fold, encoder, progress) if measure else {}
            _write_json(folder / _TRAINING, {**run, "fold": fold, **figures, **log})
            shutil.rmtree(folder / _CHECKPOINTS, ignore_errors=True)
        content = read_json(folder / _TRAINING)
        trained.append(
            TrainedBiEncoder(fold, folder / _MODEL, content if isinstance(content, dict) else {})
        )
    return tuple(trained)


def _plan(benchmark: Benchmark, folds: Sequence[int] | None) -> tuple[int | None, ...]:
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


def _describe(
    base: TransformerEncoder, benchmark: Benchmark, settings: BiEncoderSettings
) -> dict[str, Any]:
    """Return what a training depends on; two runs that agree in it give the same models."""
    references = benchmark.references
    described = {
        "locisimiles": version("locisimiles"),
        "libraries": {name: version(name) for name in ("numpy", "torch", "transformers")},
        "base": dict(base.describe()),
        "benchmark": {
            "name": benchmark.name,
            "query_sha256": benchmark.query.fingerprint(),
            "source_sha256": benchmark.source.fingerprint(),
            "references": [references.query.tolist(), references.source.tolist()],
            "folds": references.fold.tolist(),
        },
        "settings": asdict(settings),
    }
    # As JSON gives it back, so that both can be compared.
    return dict(json.loads(json.dumps(described)))


def _prepare(out: Path, run: Mapping[str, Any], *, resume: bool) -> Path:
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
    return out


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be made: {error.strerror}") from error


def _save_model(encoder: TransformerEncoder, folder: Path) -> None:
    unfinished = folder.with_name(f".{folder.name}")
    try:
        for place in (unfinished, folder):
            shutil.rmtree(place, ignore_errors=True)
        encoder.save(unfinished)
        unfinished.rename(folder)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror or error}") from error


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


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    with atomic(path) as stream:
        json.dump(content, stream, ensure_ascii=False, indent=1)
        stream.write("\n")
