"""Train a cross-encoder on pairs, and predict with it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from locisimiles.models.batches import batches_by_length
from locisimiles.models.pair_pieces import CLASSES
from locisimiles.progress import silent
from locisimiles.train.common.checkpoints import load_newest_checkpoint, save_checkpoint
from locisimiles.train.common.optimization import decay_groups, half_precision, rate_share
from locisimiles.train.crossencoder.network import pair_loss, teacher_loss
from locisimiles.train.crossencoder.sampling import NATURAL, draw_epoch, training_batches

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import Tensor

    from locisimiles.models.pair_pieces import PairTexts
    from locisimiles.progress import Progress
    from locisimiles.train.crossencoder.network import PairNetwork
    from locisimiles.train.crossencoder.sampling import LabelledPairs
    from locisimiles.train.crossencoder.settings import CrossEncoderSettings

__all__ = ["TrainingLog", "predict", "train_on_pairs"]

_REPORT_EVERY = 50
_CPU_PIECES, _GPU_PIECES = 1 << 13, 1 << 16


@dataclass(frozen=True, slots=True)
class TrainingLog:
    """The number of steps, of finished steps, and the loss of every fiftieth."""

    steps: int
    done: int
    loss: tuple[float, ...]

    @property
    def finished(self) -> bool:
        """Whether all steps are done."""
        return self.done == self.steps


def train_on_pairs(
    network: PairNetwork,
    texts: PairTexts,
    pairs: LabelledPairs,
    settings: CrossEncoderSettings,
    *,
    synthetic: bool = False,
    taught: NDArray[np.float32] | None = None,
    device: str = "cpu",
    checkpoints: Path | None = None,
    deadline: float | None = None,
    progress: Progress = silent,
) -> TrainingLog:
    """Train a network on labelled pairs, in place.

    What a step does depends on its number and the seed alone, so that a resumed training ends with
    the same weights as an uninterrupted one.

    Parameters
    ----------
    network, texts, pairs
        The network, and pairs as positions in the texts.
    settings, synthetic
        How to train. Synthetic pairs have an epoch count, batch size and rate of their own, and
        each is shown once an epoch.
    taught
        The probabilities that teachers give each pair, which count beside its label.
    checkpoints
        A folder for checkpoints; training resumes from the newest.
    deadline
        When to write a checkpoint and stop, in terms of `time.monotonic`.
    """
    training = _Training(network, texts, pairs, settings, synthetic=synthetic, taught=taught)
    network.to(device).train()
    optimizer = training.optimizer(fused=device.startswith("cuda"))
    done, log = load_newest_checkpoint(checkpoints, network, optimizer)
    losses: list[float] = log.get("loss", [])
    steps = training.steps_per_epoch * training.epochs
    task = "training on synthetic pairs" if synthetic else "training"
    batches: list[NDArray[np.int64]] = []
    for step in range(done, steps):
        epoch, place = divmod(step, training.steps_per_epoch)
        if place == 0 or not batches:
            batches = training.batches(epoch)
        loss = training.step(step, steps, batches[place], optimizer)
        done = step + 1
        if step % _REPORT_EVERY == 0:  # reading a loss makes a GPU wait
            losses.append(round(float(loss), 5))
            progress(f"{task} (loss {losses[-1]:.3f})", step, steps)
        over = deadline is not None and time.monotonic() >= deadline
        if checkpoints is not None and (over or done % settings.checkpoint_every == 0):
            save_checkpoint(checkpoints, done, network, optimizer, {"loss": losses})
        if over:
            break
    network.eval()
    return TrainingLog(steps, done, tuple(losses))


class _Training:
    """The steps of a training."""

    def __init__(
        self,
        network: PairNetwork,
        texts: PairTexts,
        pairs: LabelledPairs,
        settings: CrossEncoderSettings,
        *,
        synthetic: bool,
        taught: NDArray[np.float32] | None,
    ) -> None:
        self.taught = taught
        self.network, self.texts, self.pairs, self.settings = network, texts, pairs, settings
        if synthetic:
            self.mix, self.samples = NATURAL, len(pairs)
            self.epochs, self.rate = settings.synthetic_epochs, settings.synthetic_rate
            self.batch_size = settings.synthetic_batch_size
        else:
            self.mix = settings.mix
            self.samples = len(pairs) if settings.samples is None else settings.samples
            self.epochs, self.rate = settings.epochs, settings.rate
            self.batch_size = settings.batch_size
        self.steps_per_epoch = -(-self.samples // self.batch_size)
        self.lengths = texts.lengths(pairs.query, pairs.source)

    def optimizer(self, *, fused: bool) -> torch.optim.Optimizer:
        new = list(self.network.new_parameters())
        known = {id(parameter) for parameter in new}
        encoder = [p for p in self.network.parameters() if id(p) not in known]
        decay = self.settings.weight_decay
        groups = [
            *decay_groups(encoder, decay, highest=self.rate),
            *decay_groups(new, decay, highest=self.settings.head_rate),
        ]
        return torch.optim.AdamW(groups, lr=self.rate, fused=fused)

    def batches(self, epoch: int) -> list[NDArray[np.int64]]:
        seed = self.settings.seed
        drawn = draw_epoch(self.pairs.label, self.mix, samples=self.samples, seed=seed, epoch=epoch)
        random = np.random.default_rng([seed, epoch, 1])
        return training_batches(drawn, self.lengths, self.batch_size, random)

    def step(
        self, step: int, steps: int, rows: NDArray[np.int64], optimizer: torch.optim.Optimizer
    ) -> Tensor:
        network, pairs, settings = self.network, self.pairs, self.settings
        share = rate_share(step, steps, math.ceil(steps * settings.warm_up))
        for group in optimizer.param_groups:
            group["lr"] = group["highest"] * share
        device = str(network.device)
        torch.manual_seed(settings.seed * 1_000_003 + step)
        optimizer.zero_grad(set_to_none=True)
        total = torch.zeros((), device=device)
        at_once = settings.at_once or len(rows)
        for begin in range(0, len(rows), at_once):
            some = rows[begin : begin + at_once]
            labels = torch.from_numpy(pairs.label[some].astype(np.int64))
            logits = _logits(network, self.texts, pairs.query[some], pairs.source[some], device)
            loss = pair_loss(logits, labels.to(device, non_blocking=True), settings.smoothing)
            if self.taught is not None:
                chances = torch.from_numpy(self.taught[some]).to(device, non_blocking=True)
                share = settings.teacher_share
                loss = (1 - share) * loss + share * teacher_loss(logits, chances)
            loss = loss * (len(some) / len(rows))
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
        torch.nn.utils.clip_grad_norm_(network.parameters(), settings.max_grad_norm)
        optimizer.step()
        return total


def _logits(
    network: PairNetwork,
    texts: PairTexts,
    query: NDArray[np.int32],
    source: NDArray[np.int32],
    device: str,
) -> Tensor:
    batch = texts.batch(query, source)
    inputs = (
        torch.from_numpy(array).to(device, non_blocking=True)
        for array in (batch.numbers, batch.marks, batch.lengths)
    )
    with half_precision(device):
        logits: Tensor = network(*inputs)
    return logits


def predict(
    network: PairNetwork,
    texts: PairTexts,
    query: NDArray[np.int32],
    source: NDArray[np.int32],
    *,
    device: str = "cpu",
    progress: Progress = silent,
) -> NDArray[np.float32]:
    """Return the logits of pairs, a row per pair; `query` and `source` are positions in `texts`."""
    network.to(device).eval()
    lengths = texts.lengths(query, source)
    logits = torch.zeros(len(query), CLASSES, device=device)
    done = 0
    with torch.inference_mode():
        pieces = _GPU_PIECES if device.startswith("cuda") else _CPU_PIECES
        for rows in batches_by_length(lengths, pieces):
            progress("reading pairs", done, len(query))
            batch = _logits(network, texts, query[rows], source[rows], device)
            logits[torch.from_numpy(rows).to(device)] = batch
            done += len(rows)
    progress("reading pairs", len(query), len(query))
    predicted: NDArray[np.float32] = logits.cpu().numpy()
    return predicted
