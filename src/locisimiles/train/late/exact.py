"""Exact late interaction in torch: all sources are scored, for measuring and for hard negatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from locisimiles.train.late.network import contributions, window_scores
from locisimiles.train.late.pieces import rarity
from locisimiles.train.late.tuning import piece_vectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from locisimiles.train.late.network import LateEncoder
    from locisimiles.train.late.pieces import PieceTable
    from locisimiles.train.late.search_set import SearchSet

__all__ = ["ExactSearch", "mine_negatives", "recall"]

_SOURCES_AT_ONCE = 1024
_CELLS, _CELLS_ON_GPU = 1 << 26, 1 << 30  # similarities at once


class ExactSearch:
    """Sources as vectors on a device, to be searched without a first stage.

    `weights` are those of the whole vocabulary; half precision is used on a GPU.
    """

    def __init__(
        self,
        model: LateEncoder,
        sources: PieceTable,
        weights: NDArray[np.float32],
        *,
        device: str = "cpu",
        power: float = 3.0,
        window: int = 5,
    ) -> None:
        self.model, self.weights, self.device = model.to(device).eval(), weights, device
        self.power, self.window = power, window
        self.count = len(sources)
        # Sources of similar length together, to save padding.
        order = np.argsort(np.diff(sources.bounds), kind="stable")
        self._blocks: list[tuple[NDArray[np.int64], Tensor, Tensor]] = []
        with torch.inference_mode():
            for begin in range(0, self.count, _SOURCES_AT_ONCE):
                rows = order[begin : begin + _SOURCES_AT_ONCE]
                vectors, _, present = self._vectors(sources, rows)
                self._blocks.append((rows, vectors, present))

    def scores(
        self, queries: PieceTable, rows: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], Tensor]]:
        """Yield some of the `rows` of queries, of similar length, and their scores (× sources)."""
        order = rows[np.argsort(np.diff(queries.bounds)[rows], kind="stable")]
        longest = max((block[1].shape[1] for block in self._blocks), default=1)
        columns = torch.from_numpy(np.concatenate([block[0] for block in self._blocks]))
        columns = columns.to(self.device)
        cells = _CELLS_ON_GPU if self.device.startswith("cuda") else _CELLS
        begin = 0
        lengths = np.diff(queries.bounds)
        while begin < len(order):
            # Queries are sorted, so the last of a block is the longest.
            some = 1
            while (
                begin + some < len(order)
                and (some + 1) * int(lengths[order[begin + some]]) * _SOURCES_AT_ONCE * longest
                <= cells
            ):
                some += 1
            chosen = order[begin : begin + some]
            begin += some
            with torch.inference_mode():
                query, weights, _ = self._vectors(queries, chosen)
                parts = [
                    window_scores(
                        contributions(query, weights, vectors, present, self.power), self.window
                    )
                    for _, vectors, present in self._blocks
                ]
                scores = torch.empty(len(chosen), self.count, device=self.device)
                scores[:, columns] = torch.cat(parts, dim=1).float()
            yield chosen, scores

    def _vectors(self, table: PieceTable, rows: NDArray[np.int64]) -> tuple[Tensor, Tensor, Tensor]:
        batch = table.batch(rows.tolist(), self.weights)
        vectors, weights, present = piece_vectors(self.model, batch, self.device)
        if self.device.startswith("cuda"):
            vectors = vectors.half()
        return vectors, weights, present


def recall(
    model: LateEncoder,
    data: SearchSet,
    *,
    depths: Sequence[int] = (10, 100, 1000),
    vocabulary: int,
    device: str = "cpu",
) -> dict[str, float]:
    """Return the share of references among the first sources, in percent; all and allusions.

    The rank of a source is 1 plus the number of sources that score higher.
    """
    search = ExactSearch(model, data.sources, rarity(data.sources, vocabulary), device=device)
    rank = np.zeros(len(data.query), np.int64)
    for queries, scores in search.scores(data.queries, np.unique(data.query).astype(np.int64)):
        for place, query in enumerate(queries.tolist()):
            rows = np.flatnonzero(data.query == query)
            mine = scores[place, torch.from_numpy(data.source[rows].astype(np.int64)).to(device)]
            higher = (scores[place][None, :] > mine[:, None]).sum(1)
            rank[rows] = higher.cpu().numpy() + 1
    figures = {}
    for name, kept in (("", np.ones(len(rank), bool)), ("cf. ", data.allusion.astype(bool))):
        for depth in depths:
            if kept.any():
                figures[f"{name}R@{depth}"] = round(100 * float((rank[kept] <= depth).mean()), 2)
    return {**figures, "MRR": round(float((1 / rank).mean()), 4)}


def mine_negatives(
    search: ExactSearch,
    queries: PieceTable,
    answer: NDArray[np.int32],
    duplicates: NDArray[np.int32],
    *,
    count: int = 24,
    skipped: int = 0,
) -> NDArray[np.int32]:
    """Return what the encoder itself takes for the source of each query, but is not.

    A row has the `count` best sources after the first `skipped`, without the answer and its
    duplicates, padded with -1.
    """
    negatives = np.full((len(queries), count), -1, np.int32)
    depth = min(count + skipped + 8, search.count)
    for rows, scores in search.scores(queries, np.arange(len(queries))):
        likely = scores.topk(depth, dim=1).indices.cpu().numpy()
        for row, found in zip(rows.tolist(), likely, strict=True):
            others = found[duplicates[found] != duplicates[answer[row]]][skipped : skipped + count]
            negatives[row, : len(others)] = others
    return negatives
