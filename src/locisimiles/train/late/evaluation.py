"""How often an encoder finds the source of a made pair that it was not trained on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.train.late.scoring import contributions, window_scores
from locisimiles.train.late.tuning import TuneSettings, piece_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from locisimiles.progress import Progress
    from locisimiles.train.late.network import LateEncoder
    from locisimiles.train.late.tuning_data import TuningData

    _Scored = tuple[NDArray[np.int64], NDArray[np.float32]]

__all__ = ["MadePairEvaluation", "evaluate"]

_OTHERS = 500
_QUERIES = 16  # at a time
_SOURCES = 250


@dataclass(frozen=True, slots=True)
class MadePairEvaluation:
    """How well sources of made pairs are found.

    Attributes
    ----------
    first
        The share of queries whose source is ranked before all it was compared with.
    queries
        How many queries there were.
    """

    first: float
    queries: int


def evaluate(
    model: LateEncoder,
    data: TuningData,
    settings: TuneSettings | None = None,
    *,
    device: str = "cpu",
    progress: Progress = silent,
) -> MadePairEvaluation:
    """Rank the source of each query among its wrong answers and 500 other sources.

    The score is the one by which searching ranks: the best window. Sources with the same words as
    the answer are passed over; a source that is only as good as another is not first.

    Parameters
    ----------
    model
        What is judged.
    data
        Pairs it was not trained on.
    settings
        Width of the window, and power.
    device
        ``cpu`` or ``cuda``.
    progress
        Called now and then.

    Raises
    ------
    ParameterError
        If there are no pairs.
    """
    settings = settings or TuneSettings()
    count = len(data.queries)
    if not count:
        raise ParameterError("there are no pairs to judge by", hint="make more of them")
    model.to(device).eval()
    drawn = np.random.default_rng(0).permutation(len(data.sources))[:_OTHERS]
    hits = 0
    with torch.inference_mode():
        others = _Sources(model, data, drawn, device)
        for begin in range(0, count, _QUERIES):
            progress("evaluating", begin, count)
            rows = np.arange(begin, min(begin + _QUERIES, count))
            own = np.unique(np.append(data.answer[rows], data.wrong[rows])).astype(np.int64)
            near = _Sources(model, data, own[own >= 0], device)
            query, weights, _ = piece_vectors(
                model, data.queries.batch(rows.tolist(), data.weights), device
            )
            ranked = [(own.number, own.scores(query, weights, settings)) for own in (near, others)]
            for place, row in enumerate(rows.tolist()):
                hits += _is_first(
                    data, row, *((numbers, found[place]) for numbers, found in ranked)
                )
    progress("evaluating", count, count)
    return MadePairEvaluation(hits / count, count)


class _Sources:
    """Sources as vectors, in batches."""

    def __init__(
        self, model: LateEncoder, data: TuningData, number: NDArray[np.int64], device: str
    ) -> None:
        self.number = number
        self.batches: list[tuple[Tensor, Tensor]] = []
        for begin in range(0, len(number), _SOURCES):
            rows = number[begin : begin + _SOURCES].tolist()
            vectors, _, present = piece_vectors(
                model, data.sources.batch(rows, data.weights), device
            )
            self.batches.append((vectors, present))

    def scores(self, query: Tensor, weights: Tensor, settings: TuneSettings) -> NDArray[np.float32]:
        """Return the score of each query (row) with each source (column)."""
        found = [
            window_scores(
                contributions(query, weights, vectors, present, settings.power), settings.window
            )
            for vectors, present in self.batches
        ]
        scores: NDArray[np.float32] = torch.cat(found, dim=1).cpu().numpy()
        return scores


def _is_first(data: TuningData, row: int, near: _Scored, others: _Scored) -> bool:
    """Whether the answer of a query is before its wrong answers and all others."""
    answer = int(data.answer[row])
    score = near[1][np.searchsorted(near[0], answer)]
    wrong = np.isin(near[0], data.wrong[row])
    rivals = np.concatenate(
        [
            near[1][wrong & _differ(data, near[0], answer)],
            others[1][_differ(data, others[0], answer)],
        ]
    )
    return bool((rivals < score).all())


def _differ(data: TuningData, sources: NDArray[np.int64], answer: int) -> NDArray[np.bool_]:
    """Return which sources have other words than the answer."""
    different: NDArray[np.bool_] = data.doubles[sources] != data.doubles[answer]
    return different
