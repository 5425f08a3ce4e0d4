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

    With the cosine distance :math:`d` of each pair, linked pairs are hard if they are farther
    apart than the nearest unlinked one, unlinked ones if they are nearer than the farthest linked
    one:

    .. math:: \sum_{\text{hard linked}} d^2
              + \sum_{\text{hard unlinked}} \max(m - d, 0)^2

    where a batch has one linked pair or none, the mean of the unlinked distances takes the place
    of the farthest linked, and the other way round: the Online Contrastive Loss of
    sentence-transformers (Reimers and Gurevych 2019).

    Parameters
    ----------
    queries, sources
        The vectors of the two sides of each pair.
    labels
        1 for linked pairs, 0 for others.
    margin
        How far apart unlinked pairs should be (m).
    """
    import torch

    distances = 1 - torch.nn.functional.cosine_similarity(queries, sources)
    linked, unlinked = distances[labels == 1], distances[labels == 0]
    # One pair is too few to set the bar for the others.
    farthest = linked.max() if len(linked) > 1 else unlinked.mean()
    nearest = unlinked.min() if len(unlinked) > 1 else linked.mean()
    hard_unlinked = unlinked[unlinked < farthest]
    hard_linked = linked[linked > nearest]
    pull = hard_linked.pow(2).sum()
    push = torch.nn.functional.relu(margin - hard_unlinked).pow(2).sum()
    return pull + push
