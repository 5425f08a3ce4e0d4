"""Fine-tuning: the encoder learns to give words that answer each other like vectors."""

from __future__ import annotations

import contextlib
import random
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional

from locisimiles.progress import silent
from locisimiles.train.late.scoring import (
    contributions,
    listwise_loss,
    whole_scores,
    window_scores,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray
    from torch import Tensor

    from locisimiles.progress import Progress
    from locisimiles.train.late.network import LateEncoder
    from locisimiles.train.late.pieces import Batch, PieceTable

__all__ = ["TuneSettings", "TuningData", "main_directions", "piece_vectors", "tune"]

_REPORT_EVERY = 20
_SAMPLE = 3000


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

    def as_dict(self) -> dict[str, float]:
        """Return the settings by name, for files."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class TuningData:
    """Made pairs, ready for training.

    Attributes
    ----------
    sources, queries
        The two sides as pieces.
    weights
        How much each piece counts.
    answer
        The source of each query.
    wrong
        Sources that look like answers and are not, a row a query, -1 where there are no more.
    doubles
        A number for each source; sources with the same words have the same.
    """

    sources: PieceTable
    queries: PieceTable
    weights: NDArray[np.float32]
    answer: NDArray[np.int32]
    wrong: NDArray[np.int32]
    doubles: NDArray[np.int32]


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
    if device == "cuda":
        return torch.autocast(device, dtype=torch.bfloat16)
    return contextlib.nullcontext()


def main_directions(model: LateEncoder, data: TuningData, *, device: str = "cpu") -> None:
    """Let the head begin with the directions in which vectors differ most."""
    model.to(device)
    rng = np.random.default_rng(0)
    rows = rng.permutation(len(data.sources))[:_SAMPLE].tolist()
    found = []
    with torch.no_grad():
        for begin in range(0, len(rows), 250):
            batch = data.sources.batch(rows[begin : begin + 250], data.weights)
            numbers = torch.from_numpy(batch.numbers).to(device)
            hidden = model.encoder(numbers, numbers != 0)
            found.append(functional.normalize(hidden[numbers > SPECIALS].float(), dim=-1))
        vectors = torch.cat(found)
        _, directions = torch.linalg.eigh(vectors.T @ vectors)
        model.head.weight.copy_(directions.T.flip(0)[: model.dimensions])


SPECIALS = 4


def tune(
    model: LateEncoder,
    data: TuningData,
    settings: TuneSettings,
    *,
    device: str = "cpu",
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
    progress
        Called now and then.

    Returns
    -------
    float
        The loss, smoothed over the last steps.
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
        fused=device == "cuda",
    )
    smoothed = 0.0
    for step, (queries, sources) in enumerate(_draws(data, settings)):
        for group in optimizer.param_groups:
            group["lr"] = group["highest"] * _share(step, settings)
        loss = _loss(model, data, queries, sources, settings, device=device)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % _REPORT_EVERY == 0:  # reading a loss makes a GPU wait
            smoothed = loss.item() if step == 0 else 0.8 * smoothed + 0.2 * loss.item()
            progress("tuning", step, settings.steps)
    progress("tuning", settings.steps, settings.steps)
    model.eval()
    return smoothed


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
    *,
    device: str,
) -> Tensor:
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
