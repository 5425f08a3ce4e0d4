"""Train cross-encoders on a machine with little more than torch, from one file.

``python -m locisimiles.train.crossencoder.job JOB.npz OUT --limit 500`` trains for 500 seconds; the
same command resumes. ``--layers 2`` keeps fewer layers than the file says; ``--teacher OTHER``
(once or more) names results of the same job with other settings, from whose probabilities a network
learns, too. `preparation.prepare_job` writes the file. OUT gets ``logits.npz`` (``logits_N`` for
the pairs of fold ``N``, in their order), the weights of each fold (``fold-N.safetensors``),
``log.json``, and checkpoints until all is done.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from locisimiles.errors import LocisimilesError, MalformedInputError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.files.writing import make_folder
from locisimiles.models.pair_pieces import PairTexts, TextPieces
from locisimiles.progress import silent
from locisimiles.train.common.checkpoints import save_half
from locisimiles.train.common.files import writing
from locisimiles.train.crossencoder.base_encoder import load_base
from locisimiles.train.crossencoder.network import CrossEncoder
from locisimiles.train.crossencoder.sampling import LabelledPairs
from locisimiles.train.crossencoder.settings import CrossEncoderSettings
from locisimiles.train.crossencoder.teachers import taught_chances
from locisimiles.train.crossencoder.training import predict, train_on_pairs
from locisimiles.train.encoder.network import EncoderConfig
from locisimiles.train.encoder.weights import (
    count_layers,
    encoder_from_tensors,
    fill_module,
    read_tensors,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.progress import Progress

__all__ = ["CrossEncoderJob", "main", "run_job", "weights_file"]

_WEIGHTS = "weights."
_SYNTHETIC = "synthetic"
_LOGITS, _LOG = "logits.npz", "log.json"
_NOT_DONE = 3


@dataclass(frozen=True, slots=True, eq=False)
class CrossEncoderJob:
    """The content of a job file.

    Attributes
    ----------
    settings
        How to train.
    texts
        All texts of the pairs.
    train
        By fold, the pairs to train on.
    score
        By fold, the pairs to predict afterwards.
    synthetic_texts, synthetic
        Synthetic pairs to train on first, if there are any.
    network, weights
        Sizes and weights of the base encoder; no weights if it is in a folder of its own.
    """

    settings: CrossEncoderSettings
    texts: PairTexts
    train: Mapping[int, LabelledPairs]
    score: Mapping[int, tuple[NDArray[np.int32], NDArray[np.int32]]]
    synthetic_texts: PairTexts | None
    synthetic: LabelledPairs | None
    network: Mapping[str, Any]
    weights: Mapping[str, NDArray[Any]]

    @classmethod
    def read(cls, path: Path) -> CrossEncoderJob:
        """Read the file that `locisimiles.train.crossencoder.preparation.prepare_job` wrote."""
        arrays: dict[str, NDArray[Any]] = dict(load_arrays(path))
        try:
            about = json.loads(arrays["about"].tobytes().decode())
            settings = CrossEncoderSettings(**about["settings"])
            folds = [int(fold) for fold in about["folds"]]
            first = f"{_SYNTHETIC}_label" in arrays
            return cls(
                settings=settings,
                texts=_texts(arrays, "", settings),
                train={fold: _pairs(arrays, f"train{fold}") for fold in folds},
                score={
                    fold: (arrays[f"score{fold}_query"], arrays[f"score{fold}_source"])
                    for fold in folds
                },
                synthetic_texts=_texts(arrays, f"{_SYNTHETIC}_", settings) if first else None,
                synthetic=_pairs(arrays, _SYNTHETIC) if first else None,
                network=about["network"],
                weights={
                    name.removeprefix(_WEIGHTS): array
                    for name, array in arrays.items()
                    if name.startswith(_WEIGHTS)
                },
            )
        except (KeyError, ValueError, TypeError) as error:
            raise MalformedInputError("train.no_job", file=str(path), reason=str(error)) from error

    def base_network(self, path: Path, encoder: Path | None = None) -> CrossEncoder:
        """Return the network before its training; `path` is the job file, for errors."""
        torch.manual_seed(self.settings.seed)
        if encoder is not None:
            weights = encoder if encoder.is_file() else None
            folder = encoder.parent if encoder.is_file() else encoder
            base = load_base(folder, self.settings.layers, weights=weights)
        else:
            tensors = {n: torch.from_numpy(array).float() for n, array in self.weights.items()}
            config = EncoderConfig(**{**self.network, "layers": count_layers(tensors)})
            base = encoder_from_tensors(config, tensors, self.settings.layers, path=path)
        return CrossEncoder(base, self.settings.pooling, self.settings.dropout)


def _pairs(arrays: Mapping[str, NDArray[Any]], name: str) -> LabelledPairs:
    return LabelledPairs(*(arrays[f"{name}_{column}"] for column in ("query", "source", "label")))


def _texts(
    arrays: Mapping[str, NDArray[Any]], name: str, settings: CrossEncoderSettings
) -> PairTexts:
    query, source = (TextPieces.of_arrays(arrays, f"{name}text_{side}") for side in ("q", "s"))
    return PairTexts(query, source, settings.budget, settings.matches)


def run_job(
    path: Path,
    out: Path,
    *,
    limit: float | None = None,
    encoder: Path | None = None,
    folds: Sequence[int] | None = None,
    layers: int | None = None,
    teachers: Sequence[Path] = (),
    device: str = "cpu",
    progress: Progress = silent,
) -> bool:
    """Run a job, or resume it; return whether everything is done.

    Parameters
    ----------
    path, out
        The job file, and the folder for results and checkpoints.
    limit
        The time limit in seconds.
    encoder
        The folder of the base encoder, as for `load_base`, or a file of weights beside
        ``config.json``; by default the one in the job file.
    folds
        Which folds of the job; by default all.
    layers
        How many layers to keep; by default those of the job's settings.
    teachers
        Folders with results of this job for the same folds: the network of a fold learns from the
        mean of their probabilities beside labels. So it learns nothing of what its fold holds out.

    Raises
    ------
    InputError, OutputError
        If the job file or the encoder cannot be used, or results cannot be written.
    """
    deadline = None if limit is None else time.monotonic() + limit
    job = CrossEncoderJob.read(path)
    if layers is not None:
        job = replace(job, settings=replace(job.settings, layers=layers))
    make_folder(out)
    runner = _Runner(job, path, out, deadline, encoder, teachers, device, progress)
    chosen = list(job.train) if folds is None else [fold for fold in folds if fold in job.train]
    return runner.synthetic() and all(runner.fold(fold) for fold in chosen)


@dataclass(slots=True)
class _Runner:
    job: CrossEncoderJob
    path: Path
    out: Path
    deadline: float | None
    encoder: Path | None
    teachers: Sequence[Path]
    device: str
    progress: Progress

    def synthetic(self) -> bool:
        """Train on synthetic pairs; the folds start from the result."""
        job = self.job
        if job.synthetic is None or job.synthetic_texts is None:
            return True
        if not job.settings.synthetic_epochs or self._weights(_SYNTHETIC).exists():
            return True
        network = job.base_network(self.path, self.encoder)
        return self._train(_SYNTHETIC, network, job.synthetic_texts, job.synthetic)

    def fold(self, fold: int) -> bool:
        """Train on a fold, and predict its pairs."""
        job, name = self.job, f"fold-{fold}"
        path = self.out / _LOGITS
        scores = load_arrays(path) if path.exists() else {}
        trained = self._weights(name).exists()
        if f"logits_{fold}" in scores and trained:
            return True
        network = job.base_network(self.path, self.encoder)
        start = self._weights(name if trained else _SYNTHETIC)
        if start.exists():
            fill_module(network, read_tensors(start), start)
        if not trained:
            taught = self._taught(fold) if self.teachers else None
            if not self._train(name, network, job.texts, job.train[fold], taught):
                return False
        logits = predict(
            network, job.texts, *job.score[fold], device=self.device, progress=self.progress
        )
        # Half precision: on a GPU, layers compute with fewer bits anyway.
        save_arrays(path, {**scores, f"logits_{fold}": logits.astype(np.float16)}, effort=1)
        return self.deadline is None or time.monotonic() < self.deadline

    def _taught(self, fold: int) -> NDArray[np.float32]:
        """Return the probabilities that the teachers of a fold give the pairs to train on."""
        return taught_chances(
            [weights_file(folder, fold) for folder in self.teachers],
            EncoderConfig(**self.job.network),
            self.job.texts,
            self.job.train[fold],
            device=self.device,
            progress=self.progress,
        )

    def _train(
        self,
        name: str,
        network: CrossEncoder,
        texts: PairTexts,
        pairs: LabelledPairs,
        taught: NDArray[np.float32] | None = None,
    ) -> bool:
        """Train a network and save its weights; return whether it was done in time."""
        checkpoints = self.out / f"{name}.checkpoints"
        log = train_on_pairs(
            network,
            texts,
            pairs,
            self.job.settings,
            synthetic=name == _SYNTHETIC,
            taught=taught,
            device=self.device,
            checkpoints=checkpoints,
            deadline=self.deadline,
            progress=self.progress,
        )
        if not log.finished:
            return False
        save_half(network, self._weights(name))
        path = self.out / _LOG
        with writing(path):
            logs = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            logs[name] = {"steps": log.steps, "loss": log.loss, "teachers": len(self.teachers)}
            path.write_text(json.dumps(logs) + "\n", encoding="utf-8")
        shutil.rmtree(checkpoints, ignore_errors=True)
        return True

    def _weights(self, name: str) -> Path:
        return self.out / f"{name}.safetensors"


def weights_file(out: Path, fold: int) -> Path:
    """Return the file with the trained weights of a fold."""
    return out / f"fold-{fold}.safetensors"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return 0 if all is done, 3 if the time limit came first."""
    parser = argparse.ArgumentParser(prog="python -m locisimiles.train.crossencoder.job")
    parser.add_argument("job", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit", type=float, metavar="SECONDS")
    parser.add_argument("--encoder", type=Path, metavar="FOLDER")
    parser.add_argument("--fold", type=int, action="append", metavar="N")
    parser.add_argument("--layers", type=int, metavar="N")
    parser.add_argument("--teacher", type=Path, action="append", default=[], metavar="OTHER")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args(arguments)
    start = time.monotonic()

    def progress(task: str, done: int, total: int) -> None:
        message = f"{time.monotonic() - start:7.1f} s  {task}: {done:,} of {total:,}\n"
        sys.stdout.write(message)
        sys.stdout.flush()

    try:
        done = run_job(
            options.job,
            options.out,
            limit=options.limit,
            encoder=options.encoder,
            folds=options.fold,
            layers=options.layers,
            teachers=options.teacher,
            device=options.device,
            progress=progress,
        )
    except LocisimilesError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write("done\n" if done else "time limit reached; the same command resumes\n")
    return 0 if done else _NOT_DONE


if __name__ == "__main__":
    sys.exit(main())
