"""Losses for bi-encoders, in torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

__all__ = ["online_contrastive_loss"]


def online_contrastive_loss(
    queries: torch.Tensor, sources: torch.Tensor, labels: torch.Tensor, *, margin: float = 0.5
) -> Any:  # noqa: ANN401 - a torch tensor; torch is no dependency
    r"""Return the contrastive loss over the hard pairs of a batch.

    With the cosine distance :math:`d` of each pair, positive pairs are hard if they are farther
    apart than the nearest negative, negatives if they are nearer than the farthest positive:

    .. math:: \sum_{\text{hard positive}} d^2
              + \sum_{\text{hard negative}} \max(m - d, 0)^2

    In a batch with at most one positive, the mean distance of the negatives replaces that of the
    farthest positive, and vice versa. This is the Online Contrastive Loss of sentence-transformers
    (Reimers and Gurevych 2019).

    Parameters
    ----------
    queries, sources
        The vectors of both sides of each pair.
    labels
        1 for positive pairs, 0 for negatives.
    margin
        How far apart negatives should be (m).
    """
    import torch

    distances = 1 - torch.nn.functional.cosine_similarity(queries, sources)
    positive, negative = distances[labels == 1], distances[labels == 0]
    # One pair is too few to set the bar for the others.
    farthest = positive.max() if len(positive) > 1 else negative.mean()
    nearest = negative.min() if len(negative) > 1 else positive.mean()
    hard_negative = negative[negative < farthest]
    hard_positive = positive[positive > nearest]
    pull = hard_positive.pow(2).sum()
    push = torch.nn.functional.relu(margin - hard_negative).pow(2).sum()
    return pull + push
