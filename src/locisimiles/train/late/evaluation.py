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

    _Scored = tuple[NDArray[np.int64], NDArray[np.float32]]

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
        others = _Sources(model, data, drawn, device)
        for begin in range(0, count, _QUERIES):
            progress("evaluating", begin, count)
            rows = np.arange(begin, min(begin + _QUERIES, count))
            sources = np.unique(np.append(data.answer[rows], data.negatives[rows]))
            near = _Sources(model, data, sources[sources >= 0].astype(np.int64), device)
            query, weights, _ = piece_vectors(
                model, data.queries.batch(rows.tolist(), data.weights), device
            )
            scored = [
                (batch.number, batch.scores(query, weights, settings)) for batch in (near, others)
            ]
            for place, row in enumerate(rows.tolist()):
                hits += _is_first(data, row, *((n, scores[place]) for n, scores in scored))
    progress("evaluating", count, count)
    return RankingEvaluation(hits / count, count)


class _Sources:
    """Sources as vectors, in batches."""

    def __init__(
        self, model: LateEncoder, data: TuningData, number: NDArray[np.int64], device: str
    ) -> None:
        self.number = number
        self.batches: list[tuple[Tensor, Tensor]] = []
        for begin in range(0, len(number), _SOURCES):
            batch = data.sources.batch(number[begin : begin + _SOURCES].tolist(), data.weights)
            vectors, _, present = piece_vectors(model, batch, device)
            self.batches.append((vectors, present))

    def scores(self, query: Tensor, weights: Tensor, settings: TuneSettings) -> NDArray[np.float32]:
        """Return the score of each query (row) with each source (column)."""
        parts = (
            contributions(query, weights, vectors, present, settings.power)
            for vectors, present in self.batches
        )
        columns = [window_scores(part, settings.window) for part in parts]
        scores: NDArray[np.float32] = torch.cat(columns, dim=1).cpu().numpy()
        return scores


def _is_first(data: TuningData, row: int, near: _Scored, others: _Scored) -> bool:
    """Whether the answer of a query is ranked before its negatives and all others."""
    answer = int(data.answer[row])
    score = near[1][np.searchsorted(near[0], answer)]
    negative = np.isin(near[0], data.negatives[row])
    different = data.duplicates != data.duplicates[answer]
    rivals = [near[1][negative & different[near[0]]], others[1][different[others[0]]]]
    return bool((np.concatenate(rivals) < score).all())
