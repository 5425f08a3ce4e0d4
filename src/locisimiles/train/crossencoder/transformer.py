"""A transformer of others, as the training of cross-encoders sees a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

if TYPE_CHECKING:
    from collections.abc import Iterator

    import torch
    from torch import Tensor

    from locisimiles.models.transformer_pairs import PairTransformer

__all__ = ["TransformerNetwork"]


class TransformerNetwork(nn.Module):
    """Takes what a `CrossEncoder` of ours takes, and gives what it gives.

    Parameters
    ----------
    pairs
        The transformer, which is trained in place.
    """

    def __init__(self, pairs: PairTransformer) -> None:
        super().__init__()
        self.model = pairs.model
        self.pairs = pairs

    @property
    def device(self) -> torch.device:
        """Where it calculates."""
        device: torch.device = self.model.device
        return device

    def new_parameters(self) -> Iterator[nn.Parameter]:
        """Yield what has everything to learn: the head."""
        base = f"{self.model.base_model_prefix}."
        for name, parameter in self.model.named_parameters():
            if not name.startswith(base):
                yield parameter

    def forward(self, numbers: Tensor, marks: Tensor, lengths: Tensor) -> Tensor:
        """Return a number for each class, a row a pair."""
        logits: Tensor = self.pairs.forward(numbers, marks, lengths).float()
        return logits
