"""Fine-tuning: the encoder learns similar vectors for words that correspond to each other."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional

from locisimiles.checks import check_at_least, check_between
from locisimiles.progress import silent
from locisimiles.train.common.checkpoints import load_newest_checkpoint, save_checkpoint
from locisimiles.train.common.optimization import check_positive, half_precision
from locisimiles.train.encoder.folder import SPECIAL
from locisimiles.train.late.network import contributions, listwise_loss, whole_scores, window_scores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from torch import Tensor

    from locisimiles.progress import Progress
    from locisimiles.train.late.network import LateEncoder
    from locisimiles.train.late.pieces import Batch, TuningData

__all__ = ["TuneSettings", "main_directions", "piece_vectors", "tune", "tune_mixture"]

_REPORT_EVERY = 20
_SAVE_EVERY = 100
_SAMPLE, _SAMPLE_BATCH = 3000, 125


@dataclass(frozen=True, slots=True)
class TuneSettings:
    """How to fine-tune.

    Attributes
    ----------
    steps, batch
        Number of steps, and queries per step.
    negatives
        Negatives of each query; those of the other queries count too.
    rate, head_rate, warm_up
        The highest learning rates of the encoder, which forgets its Latin at a high rate, and of
        the new head; and the share of steps until they are reached.
    power, window
        As in searching.
    by_window, by_whole
        Factors of the best window's score, and of the whole query's.
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
        check_at_least(
            1, steps=self.steps, batch=self.batch, negatives=self.negatives, window=self.window
        )
        check_positive(rate=self.rate, head_rate=self.head_rate, power=self.power)
        check_between(0, 1, warm_up=self.warm_up)


def piece_vectors(model: LateEncoder, batch: Batch, device: str) -> tuple[Tensor, Tensor, Tensor]:
    """Return unit vectors of the pieces to compare, their weights, and where there is one."""
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


def main_directions(
    model: LateEncoder, data: TuningData, *, device: str = "cpu", progress: Progress = silent
) -> None:
    """Initialise the head with the principal directions of the sources' vectors."""
    model.to(device)
    drawn = np.random.default_rng(0).permutation(len(data.sources))[:_SAMPLE]
    # Sources of similar length together, to save padding.
    rows = drawn[np.argsort(np.diff(data.sources.bounds)[drawn], kind="stable")].tolist()
    width = model.encoder.config.width
    products = torch.zeros(width, width, device=device)
    with torch.no_grad():
        for begin in range(0, len(rows), _SAMPLE_BATCH):
            progress("computing principal directions", begin, len(rows))
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
    """Train a model in place; return the smoothed loss.

    With a folder for checkpoints, training resumes from the newest.
    """
    parts = [(data, 1.0)]
    return tune_mixture(
        model, parts, settings, device=device, checkpoints=checkpoints, progress=progress
    )


def tune_mixture(
    model: LateEncoder,
    parts: Sequence[tuple[TuningData, float]],
    settings: TuneSettings,
    *,
    device: str = "cpu",
    checkpoints: Path | None = None,
    progress: Progress = silent,
) -> float:
    """Train a model in place on several kinds of pairs; return the smoothed loss.

    Each step draws the kind of its pairs by the shares given, so that pairs are compared with
    sources of their own kind only.
    """
    torch.manual_seed(settings.seed)
    model.to(device).train()
    optimizer = torch.optim.AdamW(
        [
            {"params": list(model.encoder.parameters()), "highest": settings.rate},
            {"params": list(model.head.parameters()), "highest": settings.head_rate},
        ],
        lr=settings.rate,
        betas=(0.9, 0.98),
        weight_decay=0.01,
        fused=device.startswith("cuda"),
    )
    begin, log = load_newest_checkpoint(checkpoints, model, optimizer)
    smoothed = float(log.get("loss", 0.0))
    # What a step draws follows from those before it, even if they are done.
    for step, (data, queries, sources) in enumerate(_draws(parts, settings)):
        if step < begin:
            continue
        share = min(1.0, (step + 1) / max(1.0, settings.warm_up * settings.steps))
        share *= 1 - step / settings.steps
        for group in optimizer.param_groups:
            group["lr"] = group["highest"] * share
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


def _draws(
    parts: Sequence[tuple[TuningData, float]], settings: TuneSettings
) -> Iterator[tuple[TuningData, list[int], list[int]]]:
    """Yield the pairs of each step: their kind, queries, and all sources they are compared with."""
    rng = random.Random(settings.seed + 1)  # noqa: S311 - nothing secret
    kinds, shares = [data for data, _ in parts], [share for _, share in parts]
    for _ in range(settings.steps):
        data = rng.choices(kinds, shares)[0] if len(kinds) > 1 else kinds[0]
        batch = min(settings.batch, len(data.queries))
        queries = rng.sample(range(len(data.queries)), batch)
        sources: dict[int, None] = {}
        for query in queries:
            hard = [int(source) for source in data.negatives[query] if source >= 0]
            drawn = rng.sample(hard, min(settings.negatives - 1, len(hard)))
            sources |= dict.fromkeys([int(data.answer[query]), *drawn])
            sources[rng.randrange(len(data.sources))] = None
        yield data, queries, list(sources)


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
    answer, compared = data.answer[queries][:, None], np.array(sources)[None, :]
    is_answer = compared == answer
    duplicate = (data.duplicates[compared] == data.duplicates[answer]) & ~is_answer
    column = torch.from_numpy(is_answer.argmax(axis=1)).to(device)
    return listwise_loss(scores, column, torch.from_numpy(duplicate).to(device))
