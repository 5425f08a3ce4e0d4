"""Fine-tuning: the encoder learns to give words that answer each other like vectors."""

from __future__ import annotations

import contextlib
import math
import random
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional

from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.train.common.checkpoints import load_newest_checkpoint, save_checkpoint
from locisimiles.train.encoder.vocabulary import SPECIAL
from locisimiles.train.late.scoring import (
    contributions,
    listwise_loss,
    whole_scores,
    window_scores,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import Tensor

    from locisimiles.progress import Progress
    from locisimiles.train.late.network import LateEncoder
    from locisimiles.train.late.pieces import Batch
    from locisimiles.train.late.tuning_data import TuningData

__all__ = ["TuneSettings", "half_precision", "main_directions", "piece_vectors", "tune"]

_REPORT_EVERY = 20
_SAVE_EVERY = 100
_SAMPLE, _SAMPLE_BATCH = 3000, 125


@dataclass(frozen=True, slots=True)
class TuneSettings:
    """How fine-tuning is done.

    Attributes
    ----------
    steps, batch
        How often weights are changed, and by how many queries each time.
    negatives
        How many wrong sources each query brings along; those of the others count too.
    rate, head_rate, warm_up
        The highest learning rate of the encoder, which knows Latin already and forgets it if it is
        hurried, and of its head, which has everything to learn; and the share of the steps in
        which they are reached.
    power, window
        As in searching.
    by_window, by_whole
        What the score of the best window counts, and that of the whole query.
    """

    steps: int = 400
    batch: int = 64
    negatives: int = 6
    rate: float = 1e-5
    head_rate: float = 1e-3
    warm_up: float = 0.1
    power: float = 3.0
    window: int = 5
    by_window: float = 4.0
    by_whole: float = 4.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("steps", "batch", "negatives", "window"):
            if getattr(self, name) < 1:
                raise ParameterError(
                    f"{name}={getattr(self, name)} trains nothing", hint="1 is the least"
                )
        if not all(0 < number < math.inf for number in (self.rate, self.head_rate, self.power)):
            raise ParameterError("rates and power are positive numbers")
        if not 0 <= self.warm_up <= 1:
            raise ParameterError(f"warm_up={self.warm_up} is no share of the steps")

    def as_dict(self) -> dict[str, float]:
        """Return the settings by name, for files."""
        return asdict(self)


def piece_vectors(model: LateEncoder, batch: Batch, device: str) -> tuple[Tensor, Tensor, Tensor]:
    """Return the vectors of what is compared, of length 1; weights; and where there is any."""
    numbers = torch.from_numpy(batch.numbers).to(device, non_blocking=True)
    place = torch.from_numpy(batch.place).to(device, non_blocking=True)
    with half_precision(device):
        _, projected = model(numbers, numbers != 0)
    index = place[..., None].expand(-1, -1, projected.shape[-1])
    vectors = functional.normalize(projected.float().gather(1, index), dim=-1)
    return (
        vectors,
        torch.from_numpy(batch.weights).to(device),
        torch.from_numpy(batch.present).to(device),
    )


def half_precision(device: str) -> AbstractContextManager[object]:
    """Return a context in which a GPU calculates with half the bits; a CPU goes on as it does."""
    if device.startswith("cuda"):
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return contextlib.nullcontext()


def main_directions(
    model: LateEncoder, data: TuningData, *, device: str = "cpu", progress: Progress = silent
) -> None:
    """Let the head begin with the directions in which vectors of sources differ most."""
    model.to(device)
    drawn = np.random.default_rng(0).permutation(len(data.sources))[:_SAMPLE]
    # Sources of about the same length together, so that little is filled up.
    rows = drawn[np.argsort(np.diff(data.sources.bounds)[drawn], kind="stable")].tolist()
    width = model.encoder.config.width
    products = torch.zeros(width, width, device=device)
    with torch.no_grad():
        for begin in range(0, len(rows), _SAMPLE_BATCH):
            progress("looking for main directions", begin, len(rows))
            batch = data.sources.batch(rows[begin : begin + _SAMPLE_BATCH], data.weights)
            numbers = torch.from_numpy(batch.numbers).to(device)
            hidden = model.encoder(numbers, numbers != 0)
            vectors = functional.normalize(hidden[numbers >= len(SPECIAL)].float(), dim=-1)
            products += vectors.T @ vectors
        _, directions = torch.linalg.eigh(products)
        model.head.weight.copy_(directions.T.flip(0)[: model.dimensions])


def tune(
    model: LateEncoder,
    data: TuningData,
    settings: TuneSettings,
    *,
    device: str = "cpu",
    checkpoints: Path | None = None,
    progress: Progress = silent,
) -> float:
    """Train a model in place.

    Parameters
    ----------
    model
        What is trained.
    data
        What it is trained on.
    settings
        How.
    device
        ``cpu`` or ``cuda``.
    checkpoints
        A folder in which the state is kept now and then; if there is one, training goes on from it.
    progress
        Called now and then.

    Returns
    -------
    float
        The loss, smoothed over the last steps.
    """
    torch.manual_seed(settings.seed)
    model.to(device).train()
    optimizer = _optimizer(model, settings, fused=device.startswith("cuda"))
    begin, smoothed = 0, 0.0
    if checkpoints is not None:
        begin, log = load_newest_checkpoint(checkpoints, model, optimizer)
        smoothed = float(log.get("loss", 0.0))
    # What a step sees follows from those before it, also where these are done already.
    for step, (queries, sources) in enumerate(_draws(data, settings)):
        if step < begin:
            continue
        for group in optimizer.param_groups:
            group["lr"] = group["highest"] * _share(step, settings)
        loss = _loss(model, data, queries, sources, settings)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % _REPORT_EVERY == 0:  # reading a loss makes a GPU wait
            smoothed = loss.item() if step == 0 else 0.8 * smoothed + 0.2 * loss.item()
            progress(f"tuning (loss {smoothed:.3f})", step, settings.steps)
        if checkpoints is not None and (step + 1) % _SAVE_EVERY == 0:
            save_checkpoint(checkpoints, step + 1, model, optimizer, {"loss": smoothed})
    progress(f"tuning (loss {smoothed:.3f})", settings.steps, settings.steps)
    model.eval()
    return smoothed


def _optimizer(model: LateEncoder, settings: TuneSettings, *, fused: bool) -> torch.optim.Optimizer:
    return torch.optim.AdamW(
        [
            {"params": list(model.encoder.parameters()), "highest": settings.rate},
            {"params": list(model.head.parameters()), "highest": settings.head_rate},
        ],
        lr=settings.rate,
        betas=(0.9, 0.98),
        weight_decay=0.01,
        fused=fused,
    )


def _draws(data: TuningData, settings: TuneSettings) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the queries of each step, and all sources that they are compared with."""
    rng = random.Random(settings.seed + 1)  # noqa: S311 - nothing secret
    batch = min(settings.batch, len(data.queries))
    for _ in range(settings.steps):
        queries = rng.sample(range(len(data.queries)), batch)
        sources: dict[int, None] = {}
        for query in queries:
            likely = [int(source) for source in data.wrong[query] if source >= 0]
            drawn = rng.sample(likely, min(settings.negatives - 1, len(likely)))
            sources |= dict.fromkeys([int(data.answer[query]), *drawn])
            sources[rng.randrange(len(data.sources))] = None
        yield queries, list(sources)


def _share(step: int, settings: TuneSettings) -> float:
    rising = (step + 1) / max(1.0, settings.warm_up * settings.steps)
    return min(1.0, rising) * (1 - step / settings.steps)


def _loss(
    model: LateEncoder,
    data: TuningData,
    queries: list[int],
    sources: list[int],
    settings: TuneSettings,
) -> Tensor:
    device = str(model.device)
    source, _, present = piece_vectors(model, data.sources.batch(sources, data.weights), device)
    query, weights, _ = piece_vectors(model, data.queries.batch(queries, data.weights), device)
    parts = contributions(query, weights, source, present, settings.power)
    scores = settings.by_window * window_scores(parts, settings.window)
    scores = scores + settings.by_whole * whole_scores(parts, weights)
    answers, others = _answers(data, queries, np.array(sources))
    return listwise_loss(
        scores, torch.from_numpy(answers).to(device), torch.from_numpy(others).to(device)
    )


def _answers(
    data: TuningData, queries: list[int], sources: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return where the answer of each query stands, and which others have the same words."""
    answer = data.answer[np.array(queries)]
    is_answer = sources[None, :] == answer[:, None]
    alike = data.doubles[sources][None, :] == data.doubles[answer][:, None]
    return is_answer.argmax(axis=1), alike & ~is_answer
