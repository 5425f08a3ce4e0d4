"""Training a cross-encoder, and asking it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from locisimiles.models.pair_pieces import CLASSES, batches_by_length
from locisimiles.progress import silent
from locisimiles.train.common.checkpoints import load_newest_checkpoint, save_checkpoint
from locisimiles.train.crossencoder.batches import training_batches
from locisimiles.train.crossencoder.network import pair_loss
from locisimiles.train.crossencoder.sampling import draw_epoch
from locisimiles.train.crossencoder.settings import share_of_rate
from locisimiles.train.late.tuning import half_precision

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import Tensor

    from locisimiles.models.pair_pieces import PairTexts
    from locisimiles.progress import Progress
    from locisimiles.train.crossencoder.network import CrossEncoder
    from locisimiles.train.crossencoder.sampling import LabelledPairs
    from locisimiles.train.crossencoder.settings import CrossEncoderSettings
    from locisimiles.train.crossencoder.transformer import TransformerNetwork

    PairNetwork = CrossEncoder | TransformerNetwork

__all__ = ["TrainingLog", "predict", "train_fold", "train_on_made_pairs"]

_REPORT_EVERY = 50
_CPU_PIECES, _GPU_PIECES = 1 << 13, 1 << 16


@dataclass(frozen=True, slots=True)
class TrainingLog:
    """How a training went.

    Attributes
    ----------
    steps, done
        How many steps there are, and how many were made; fewer if the time was over.
    loss
        The loss now and then.
    """

    steps: int
    done: int
    loss: tuple[float, ...]

    @property
    def finished(self) -> bool:
        """Whether it came to its end."""
        return self.done == self.steps


@dataclass(frozen=True, slots=True)
class _Phase:
    """What differs between training on made pairs and on noted ones."""

    name: str
    mix: str
    samples: int
    epochs: int
    batch_size: int
    rate: float

    @property
    def steps_per_epoch(self) -> int:
        return -(-self.samples // self.batch_size)


def train_fold(
    network: PairNetwork,
    texts: PairTexts,
    pairs: LabelledPairs,
    settings: CrossEncoderSettings,
    *,
    device: str = "cpu",
    checkpoints: Path | None = None,
    deadline: float | None = None,
    progress: Progress = silent,
) -> TrainingLog:
    """Train on labelled pairs, in place.

    What a step does depends on its number and the seed alone, so that a training that was cut off
    ends with the same weights as one that was not.

    Parameters
    ----------
    network
        What is trained.
    texts
        What the pairs are made of.
    pairs
        What it is trained on.
    settings
        How.
    device
        ``cpu`` or ``cuda``.
    checkpoints
        A folder in which the state is kept now and then; if there is one, training goes on from it.
    deadline
        The time, as `time.monotonic` tells it, at which training stops as it is; a checkpoint is
        then written.
    progress
        Called now and then.
    """
    phase = _Phase(
        name="training",
        mix=settings.mix,
        samples=len(pairs) if settings.samples is None else settings.samples,
        epochs=settings.epochs,
        batch_size=settings.batch_size,
        rate=settings.rate,
    )
    return _train(network, texts, pairs, settings, phase, device, checkpoints, deadline, progress)


def train_on_made_pairs(
    network: PairNetwork,
    texts: PairTexts,
    pairs: LabelledPairs,
    settings: CrossEncoderSettings,
    *,
    device: str = "cpu",
    checkpoints: Path | None = None,
    deadline: float | None = None,
    progress: Progress = silent,
) -> TrainingLog:
    """Train on made pairs, each shown once an epoch; parameters as in `train_fold`."""
    phase = _Phase(
        name="training on made pairs",
        mix="natural",
        samples=len(pairs),
        epochs=settings.made_epochs,
        batch_size=settings.made_batch_size,
        rate=settings.made_rate,
    )
    return _train(network, texts, pairs, settings, phase, device, checkpoints, deadline, progress)


def _train(  # noqa: PLR0917 - the one place behind two doors
    network: PairNetwork,
    texts: PairTexts,
    pairs: LabelledPairs,
    settings: CrossEncoderSettings,
    phase: _Phase,
    device: str,
    checkpoints: Path | None,
    deadline: float | None,
    progress: Progress,
) -> TrainingLog:
    network.to(device).train()
    optimizer = _optimizer(network, settings, phase.rate, fused=device.startswith("cuda"))
    done = 0
    log: dict[str, Any] = {}
    if checkpoints is not None:
        done, log = load_newest_checkpoint(checkpoints, network, optimizer)
    losses: list[float] = log.get("loss", [])
    lengths = texts.lengths(pairs.query, pairs.source)
    steps = phase.steps_per_epoch * phase.epochs
    batches: list[NDArray[np.int64]] = []
    for step in range(done, steps):
        epoch, place = divmod(step, phase.steps_per_epoch)
        if place == 0 or not batches:
            batches = _epoch(pairs, lengths, settings, phase, epoch)
        share = share_of_rate(step, steps, settings.warm_up)
        loss = _step(network, texts, pairs, batches[place], optimizer, settings, share, step)
        done = step + 1
        if step % _REPORT_EVERY == 0:  # reading a loss makes a GPU wait
            losses.append(round(float(loss), 5))
            progress(f"{phase.name} (loss {losses[-1]:.3f})", step, steps)
        over = deadline is not None and time.monotonic() >= deadline
        if checkpoints is not None and (over or done % settings.checkpoint_every == 0):
            save_checkpoint(checkpoints, done, network, optimizer, {"loss": losses})
        if over:
            break
    network.eval()
    return TrainingLog(steps, done, tuple(losses))


def _optimizer(
    network: PairNetwork, settings: CrossEncoderSettings, rate: float, *, fused: bool
) -> torch.optim.Optimizer:
    new = list(network.new_parameters())
    known = {id(parameter) for parameter in new}
    encoder = [parameter for parameter in network.parameters() if id(parameter) not in known]
    groups: list[dict[str, Any]] = []
    for parameters, highest in ((encoder, rate), (new, settings.head_rate)):
        # As is usual, biases and the scales of norms do not decay.
        for decay, own in (
            (settings.weight_decay, [p for p in parameters if p.ndim > 1]),
            (0.0, [p for p in parameters if p.ndim <= 1]),
        ):
            if own:
                groups.append({"params": own, "weight_decay": decay, "highest": highest})
    return torch.optim.AdamW(groups, lr=rate, fused=fused)


def _epoch(
    pairs: LabelledPairs,
    lengths: NDArray[np.int64],
    settings: CrossEncoderSettings,
    phase: _Phase,
    epoch: int,
) -> list[NDArray[np.int64]]:
    drawn = draw_epoch(
        pairs.label, phase.mix, samples=phase.samples, seed=settings.seed, epoch=epoch
    )
    random = np.random.default_rng([settings.seed, epoch, 1])
    return training_batches(drawn, lengths, phase.batch_size, random)


def _step(  # noqa: PLR0917 - a private step of one function
    network: PairNetwork,
    texts: PairTexts,
    pairs: LabelledPairs,
    rows: NDArray[np.int64],
    optimizer: torch.optim.Optimizer,
    settings: CrossEncoderSettings,
    share: float,
    step: int,
) -> Tensor:
    for group in optimizer.param_groups:
        group["lr"] = group["highest"] * share
    device = str(network.device)
    torch.manual_seed(settings.seed * 1_000_003 + step)
    optimizer.zero_grad(set_to_none=True)
    whole = torch.zeros((), device=device)
    at_once = settings.at_once or len(rows)
    for begin in range(0, len(rows), at_once):
        some = rows[begin : begin + at_once]
        labels = torch.from_numpy(pairs.label[some].astype(np.int64)).to(device, non_blocking=True)
        logits = _logits(network, texts, pairs.query[some], pairs.source[some], device)
        loss = pair_loss(logits, labels, settings.smoothing) * (len(some) / len(rows))
        loss.backward()
        whole += loss.detach()
    torch.nn.utils.clip_grad_norm_(network.parameters(), settings.max_grad_norm)
    optimizer.step()
    return whole


def _logits(
    network: PairNetwork,
    texts: PairTexts,
    query: NDArray[np.int32],
    source: NDArray[np.int32],
    device: str,
) -> Tensor:
    batch = texts.batch(query, source)
    numbers, marks, lengths = (
        torch.from_numpy(array).to(device, non_blocking=True)
        for array in (batch.numbers, batch.marks, batch.lengths)
    )
    with half_precision(device):
        logits: Tensor = network(numbers, marks, lengths)
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
    """Return a number for each class, a row a pair, in the order in which they were given.

    Parameters
    ----------
    network
        What is asked.
    texts
        What the pairs are made of.
    query, source
        The pairs, as positions in `texts`.
    device
        ``cpu`` or ``cuda``.
    progress
        Called now and then.
    """
    network.to(device).eval()
    on_gpu = device.startswith("cuda")
    lengths = texts.lengths(query, source)
    logits = torch.zeros(len(query), CLASSES, device=device)
    done = 0
    with torch.inference_mode():
        for rows in batches_by_length(lengths, _GPU_PIECES if on_gpu else _CPU_PIECES):
            progress("reading pairs", done, len(query))
            own = _logits(network, texts, query[rows], source[rows], device)
            logits[torch.from_numpy(rows).to(device)] = own
            done += len(rows)
    progress("reading pairs", len(query), len(query))
    found: NDArray[np.float32] = logits.cpu().numpy()
    return found
