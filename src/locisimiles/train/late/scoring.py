"""The score of late interaction in torch, as searching computes it in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch.nn import functional

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["contributions", "listwise_loss", "whole_scores", "window_scores"]


def contributions(
    query: Tensor, weights: Tensor, source: Tensor, present: Tensor, power: float = 3.0
) -> Tensor:
    r"""Return the contribution of each query piece for each source (queries × sources × pieces).

    .. math:: \omega_i \max(0, \max_j \cos(i, j))^p

    Parameters
    ----------
    query, weights
        Vectors (queries × pieces × dimensions) and weights (queries × pieces).
    source, present
        Vectors (sources × pieces × dimensions), and where they are no padding.
    power
        How much one near piece is preferred to several less near ones (p).
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
