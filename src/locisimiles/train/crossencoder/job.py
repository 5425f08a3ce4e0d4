"""Train and ask cross-encoders on a machine that has nothing but torch, all from one file.

``python -m locisimiles.train.crossencoder.job JOB.npz OUT --limit 500`` goes as far as it comes in
500 seconds; the same command goes on from there. `preparation.prepare_job` writes the file. OUT
gets ``logits.npz`` (``logits_N`` for the pairs of fold ``N``, in their order), the weights of each
fold (``fold-N.safetensors``), ``log.json``, and until the end what is needed to go on.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from locisimiles.arrays import load_arrays, save_arrays
from locisimiles.errors import LocisimilesError, MalformedInputError, OutputError
from locisimiles.models.pair_pieces import PairTexts, TextPieces
from locisimiles.progress import silent
from locisimiles.train.crossencoder.network import CrossEncoder
from locisimiles.train.crossencoder.sampling import LabelledPairs
from locisimiles.train.crossencoder.settings import CrossEncoderSettings
from locisimiles.train.crossencoder.training import (
    TrainingLog,
    predict,
    train_fold,
    train_on_made_pairs,
)
from locisimiles.train.encoder.network import EncoderConfig
from locisimiles.train.late.network import (
    count_layers,
    encoder_of_tensors,
    fill_module,
    load_pretrained,
    read_tensors,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.progress import Progress

__all__ = ["CrossEncoderJob", "main", "run_job"]

_WEIGHTS = "weights."
_MADE = "made"
_LOGITS, _LOG = "logits.npz", "log.json"
_NOT_DONE = 3


@dataclass(frozen=True, slots=True, eq=False)
class CrossEncoderJob:
    """What a file says that is to be done.

    Attributes
    ----------
    settings
        How.
    texts
        All texts of the pairs.
    train
        By fold, what is trained on; -1 is no fold, but all references.
    score
        By fold, the pairs that the trained network is asked about.
    made_texts, made
        Made pairs to begin with, if there are any.
    network, weights
        Measures and weights of the encoder to begin with; none if it is in a folder of its own.
    """

    settings: CrossEncoderSettings
    texts: PairTexts
    train: Mapping[int, LabelledPairs]
    score: Mapping[int, tuple[NDArray[np.int32], NDArray[np.int32]]]
    made_texts: PairTexts | None
    made: LabelledPairs | None
    network: Mapping[str, Any]
    weights: Mapping[str, NDArray[Any]]

    @classmethod
    def read(cls, path: Path) -> CrossEncoderJob:
        """Read what `locisimiles.train.crossencoder.preparation.prepare_job` wrote.

        Raises
        ------
        InputError
            If it cannot be read, or is something else.
        """
        arrays: dict[str, NDArray[Any]] = dict(load_arrays(path))
        try:
            about = json.loads(arrays["about"].tobytes().decode())
            settings = CrossEncoderSettings.of_dict(about["settings"])
            folds = [int(fold) for fold in about["folds"]]
            made = _pairs(arrays, _MADE) if "made_label" in arrays else None
            return cls(
                settings=settings,
                texts=_texts(arrays, "", settings),
                train={fold: _pairs(arrays, f"train{fold}") for fold in folds},
                score={
                    fold: (arrays[f"score{fold}_query"], arrays[f"score{fold}_source"])
                    for fold in folds
                },
                made_texts=None if made is None else _texts(arrays, "made_", settings),
                made=made,
                network=about["network"],
                weights={
                    name.removeprefix(_WEIGHTS): array
                    for name, array in arrays.items()
                    if name.startswith(_WEIGHTS)
                },
            )
        except (KeyError, ValueError, TypeError) as error:
            raise MalformedInputError(
                f"this is no job for a cross-encoder ({error})", file=str(path)
            ) from error

    def begin(self, path: Path, encoder: Path | None = None) -> CrossEncoder:
        """Return the network before its training."""
        torch.manual_seed(self.settings.seed)
        if encoder is not None:
            weights = encoder if encoder.is_file() else None
            folder = encoder.parent if encoder.is_file() else encoder
            base = load_pretrained(folder, self.settings.layers, weights=weights)
        else:
            tensors = {name: torch.from_numpy(own).float() for name, own in self.weights.items()}
            config = EncoderConfig(**{**self.network, "layers": count_layers(tensors)})
            base = encoder_of_tensors(config, tensors, self.settings.layers, path=path)
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
    device: str = "cpu",
    progress: Progress = silent,
) -> bool:
    """Do what a file says, or go on with it.

    Parameters
    ----------
    path
        The file.
    out
        A folder for the results, and for what is done when the time is over.
    limit
        How many seconds there are.
    encoder
        The folder of the pretrained encoder, or a file of weights with ``config.json`` beside it;
        by default what the file holds.
    folds
        Which of its folds; all by default.
    device
        ``cpu`` or ``cuda``.
    progress
        Called now and then.

    Returns
    -------
    bool
        Whether everything is done.

    Raises
    ------
    InputError
        If the file or the encoder cannot be used.
    OutputError
        If results cannot be written.
    """
    deadline = None if limit is None else time.monotonic() + limit
    job = CrossEncoderJob.read(path)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{out} cannot be made: {error.strerror}") from error
    runner = _Runner(job, path, out, deadline, encoder, device, progress)
    chosen = list(job.train) if folds is None else [fold for fold in folds if fold in job.train]
    return runner.made() and all(runner.fold(fold) for fold in chosen)


@dataclass(slots=True)
class _Runner:
    job: CrossEncoderJob
    path: Path
    out: Path
    deadline: float | None
    encoder: Path | None
    device: str
    progress: Progress

    def made(self) -> bool:
        """Train on made pairs; the folds begin with what comes out."""
        job, done = self.job, self._weights(_MADE)
        if job.made is None or job.made_texts is None or not job.settings.made_epochs:
            return True
        if done.exists():
            return True
        network = job.begin(self.path, self.encoder)
        log = train_on_made_pairs(
            network, job.made_texts, job.made, job.settings, **self._how(_MADE)
        )
        return self._end(_MADE, network, log)

    def fold(self, fold: int) -> bool:
        """Train on a fold, and ask about its pairs."""
        job, name = self.job, f"fold-{fold}"
        scores = self._logits()
        if f"logits_{fold}" in scores and self._weights(name).exists():
            return True
        network = job.begin(self.path, self.encoder)
        if self._weights(name).exists():
            self._load(network, name)
        else:
            if self._weights(_MADE).exists():
                self._load(network, _MADE)
            log = train_fold(network, job.texts, job.train[fold], job.settings, **self._how(name))
            if not self._end(name, network, log):
                return False
        logits = predict(
            network, job.texts, *job.score[fold], device=self.device, progress=self.progress
        )
        # Halves: the layers calculate with fewer bits on a GPU.
        scores[f"logits_{fold}"] = logits.astype(np.float16)
        save_arrays(self.out / _LOGITS, scores, effort=1)
        return self.deadline is None or time.monotonic() < self.deadline

    def _how(self, name: str) -> dict[str, Any]:
        return {
            "device": self.device,
            "checkpoints": self.out / f"{name}.checkpoints",
            "deadline": self.deadline,
            "progress": self.progress,
        }

    def _weights(self, name: str) -> Path:
        return self.out / f"{name}.safetensors"

    def _logits(self) -> dict[str, NDArray[np.generic]]:
        path = self.out / _LOGITS
        return load_arrays(path) if path.exists() else {}

    def _load(self, network: CrossEncoder, name: str) -> None:
        path = self._weights(name)
        fill_module(network, read_tensors(path), path)

    def _end(self, name: str, network: CrossEncoder, log: TrainingLog) -> bool:
        """Keep what a training came to, unless the time was over before."""
        from safetensors.torch import save_file

        if not log.finished:
            return False
        weights = {
            key: tensor.detach().half().cpu().contiguous()
            for key, tensor in network.state_dict().items()
        }
        unfinished = self.out / f".{name}.new"
        path = self.out / _LOG
        try:
            save_file(weights, unfinished)
            unfinished.replace(self._weights(name))
            logs = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            logs[name] = {"steps": log.steps, "loss": log.loss}
            path.write_text(json.dumps(logs) + "\n", encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{self.out} cannot be written: {error.strerror or error}") from error
        shutil.rmtree(self.out / f"{name}.checkpoints", ignore_errors=True)
        return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return 0 if all is done, 3 if the time was over before."""
    parser = argparse.ArgumentParser(prog="python -m locisimiles.train.crossencoder.job")
    parser.add_argument("job", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit", type=float, metavar="SECONDS")
    parser.add_argument("--encoder", type=Path, metavar="FOLDER")
    parser.add_argument("--fold", type=int, action="append", metavar="N")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args(arguments)
    begun = time.monotonic()

    def progress(task: str, done: int, total: int) -> None:
        message = f"{time.monotonic() - begun:7.1f} s  {task}: {done:,} of {total:,}\n"
        sys.stdout.write(message)
        sys.stdout.flush()

    try:
        done = run_job(
            given.job,
            given.out,
            limit=given.limit,
            encoder=given.encoder,
            folds=given.fold,
            device=given.device,
            progress=progress,
        )
    except LocisimilesError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write("done\n" if done else "the time was over; the same command goes on\n")
    return 0 if done else _NOT_DONE


if __name__ == "__main__":
    sys.exit(main())
