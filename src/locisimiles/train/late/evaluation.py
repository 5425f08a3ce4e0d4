"""How often an encoder finds the source of held-out synthetic pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.train.late.network import contributions, window_scores
from locisimiles.train.late.tuning import TuneSettings, piece_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from locisimiles.progress import Progress
    from locisimiles.train.late.network import LateEncoder
    from locisimiles.train.late.pieces import TuningData

__all__ = ["RankingEvaluation", "evaluate"]

_OTHERS = 500
_QUERIES = 16  # at a time
_SOURCES = 250


@dataclass(frozen=True, slots=True)
class RankingEvaluation:
    """The share of queries whose source is ranked first, and the number of queries."""

    first: float
    queries: int


def evaluate(
    model: LateEncoder,
    data: TuningData,
    settings: TuneSettings | None = None,
    *,
    device: str = "cpu",
    progress: Progress = silent,
) -> RankingEvaluation:
    """Rank the source of each query among its hard negatives and 500 other sources.

    The score is that of the best window, as in searching. Duplicates of the answer are ignored; a
    source that ties with another is not first. The settings have window and power.
    """
    settings = settings or TuneSettings()
    count = len(data.queries)
    if not count:
        raise ParameterError("train.no_held_out_pairs")
    model.to(device).eval()
    drawn = np.random.default_rng(0).permutation(len(data.sources))[:_OTHERS]
    hits = 0
    with torch.inference_mode():
        others = _source_vectors(model, data, drawn, device)
        for begin in range(0, count, _QUERIES):
            progress("evaluating", begin, count)
            rows = np.arange(begin, min(begin + _QUERIES, count))
            near = np.unique(np.append(data.answer[rows], data.negatives[rows])).astype(np.int64)
            near = near[near >= 0]
            query, weights, _ = piece_vectors(
                model, data.queries.batch(rows.tolist(), data.weights), device
            )
            parts = (
                contributions(query, weights, vectors, present, settings.power)
                for vectors, present in (*_source_vectors(model, data, near, device), *others)
            )
            columns = [window_scores(part, settings.window) for part in parts]
            scores = torch.cat(columns, dim=1).cpu().numpy()
            duplicates = data.duplicates[np.concatenate([near, drawn])]
            for row, score in zip(rows.tolist(), scores, strict=True):
                answer = data.answer[row]
                rival = duplicates != data.duplicates[answer]
                rival[: len(near)] &= np.isin(near, data.negatives[row])
                hits += bool((score[rival] < score[np.searchsorted(near, answer)]).all())
    progress("evaluating", count, count)
    return RankingEvaluation(hits / count, count)


def _source_vectors(
    model: LateEncoder, data: TuningData, number: NDArray[np.int64], device: str
) -> list[tuple[Tensor, Tensor]]:
    """Return the vectors of sources and where they are present, in batches."""
    batches = []
    for begin in range(0, len(number), _SOURCES):
        batch = data.sources.batch(number[begin : begin + _SOURCES].tolist(), data.weights)
        vectors, _, present = piece_vectors(model, batch, device)
        batches.append((vectors, present))
    return batches
