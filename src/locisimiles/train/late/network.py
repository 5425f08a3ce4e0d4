"""The encoder with a head that projects its vectors to short ones, and how these are compared.

Scores are those that searching computes in NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn
from torch.nn import functional

from locisimiles.train.encoder.network import EncoderConfig, LatinEncoder
from locisimiles.train.encoder.weights import fill_module, read_tensors

if TYPE_CHECKING:
    from pathlib import Path

    import torch
    from torch import Tensor

__all__ = [
    "LateEncoder",
    "contributions",
    "listwise_loss",
    "load_late",
    "whole_scores",
    "window_scores",
]


class LateEncoder(nn.Module):
    """Gives each word piece a vector in context, and one of `dimensions` numbers to compare."""

    def __init__(self, encoder: LatinEncoder, dimensions: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.dimensions = dimensions
        self.head = nn.Linear(encoder.config.width, dimensions, bias=False)
        nn.init.orthogonal_(self.head.weight)

    @property
    def device(self) -> torch.device:
        """The device of its weights."""
        return self.head.weight.device

    def forward(self, numbers: Tensor, visible: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the encoder's vectors and their projections; see `LatinEncoder.forward`."""
        hidden: Tensor = self.encoder(numbers, visible)
        projected: Tensor = self.head(hidden)
        return hidden, projected


def load_late(weights: Path, config: EncoderConfig, dimensions: int) -> LateEncoder:
    """Load an encoder with its head."""
    model = LateEncoder(LatinEncoder(config), dimensions)
    fill_module(model, read_tensors(weights), weights)
    return model.eval()


def contributions(
    query: Tensor, weights: Tensor, source: Tensor, present: Tensor, power: float = 3.0
) -> Tensor:
    r"""Return the contribution of each query piece for each source (queries × sources × pieces).

    .. math:: \omega_i \max(0, \max_j \cos(i, j))^p

    `query` and `source` are vectors (texts × pieces × dimensions), `weights` those of the query's
    pieces; `present` is False where the source has padding. The higher the `power`, the more one
    near piece is preferred to several less near ones.
    """
    queries, pieces, _ = query.shape
    sources, others, _ = source.shape
    masked = source * present[..., None].to(source.dtype)
    flat = query.reshape(queries * pieces, -1) @ masked.reshape(sources * others, -1).T
    nearest = flat.view(queries, pieces, sources, others).amax(-1).float().clamp(min=0)
    return (nearest**power * weights[..., None]).transpose(1, 2)


def window_scores(parts: Tensor, window: int = 5) -> Tensor:
    """Return the mean contribution in the best window of each query."""
    queries, sources, pieces = parts.shape
    if pieces < window:
        parts = functional.pad(parts, (0, window - pieces))
    flat = parts.reshape(queries * sources, 1, -1)
    return functional.avg_pool1d(flat, window, 1).amax(-1).view(queries, sources)


def whole_scores(parts: Tensor, weights: Tensor) -> Tensor:
    """Return the weighted mean over all pieces of each query."""
    return parts.sum(-1) / weights.sum(1).clamp(min=1e-3)[:, None]


def listwise_loss(scores: Tensor, answers: Tensor, ignored: Tensor) -> Tensor:
    """Return the cross-entropy of the right source among all sources of a batch.

    `answers` has the column of each query's source; duplicates of the source are `ignored`.
    """
    return functional.cross_entropy(scores.masked_fill(ignored, -1e4), answers)
