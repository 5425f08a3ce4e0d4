"""The score that is learnt: the same that searching uses, in torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch.nn import functional

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["contributions", "listwise_loss", "whole_scores", "window_scores"]


def contributions(
    query: Tensor, weights: Tensor, source: Tensor, present: Tensor, power: float = 3.0
) -> Tensor:
    r"""Return what each piece of each query contributes for each source.

    .. math:: \omega_i \max(0, \max_j \cos(i, j))^p

    Parameters
    ----------
    query, weights
        Vectors (queries × pieces × dimensions) and weights (queries × pieces).
    source, present
        Vectors (sources × pieces × dimensions), and where there is a piece.
    power
        How much one near piece is preferred to several that are less so.

    Returns
    -------
    Tensor
        Queries × sources × pieces of the query.
    """
    queries, pieces, _ = query.shape
    sources, others, _ = source.shape
    masked = source * present[..., None].to(source.dtype)
    flat = query.reshape(queries * pieces, -1) @ masked.reshape(sources * others, -1).T
    nearest = flat.view(queries, pieces, sources, others).amax(-1).float().clamp(min=0)
    return (nearest**power * weights[..., None]).transpose(1, 2)


def window_scores(parts: Tensor, window: int = 5) -> Tensor:
    """Return the sum of contributions in the best window of each query, divided by its length."""
    queries, sources, pieces = parts.shape
    if pieces < window:
        parts = functional.pad(parts, (0, window - pieces))
    flat = parts.reshape(queries * sources, 1, -1)
    return functional.avg_pool1d(flat, window, 1).amax(-1).view(queries, sources)


def whole_scores(parts: Tensor, weights: Tensor) -> Tensor:
    """Return the weighted mean over all pieces of each query."""
    return parts.sum(-1) / weights.sum(1).clamp(min=1e-3)[:, None]


def listwise_loss(scores: Tensor, answers: Tensor, hidden: Tensor) -> Tensor:
    """Return the mean surprise at the right source among all of a batch.

    Parameters
    ----------
    scores
        Queries × sources.
    answers
        The place of each query's source.
    hidden
        Where a source is another answer, or its double: it counts neither way.
    """
    return functional.cross_entropy(scores.masked_fill(hidden, -1e4), answers)
