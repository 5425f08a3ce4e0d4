"""The encoder with a head that projects its wide vectors to short ones, for comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from locisimiles.train.encoder.network import EncoderConfig, LatinEncoder
from locisimiles.train.encoder.weights import fill_module, read_tensors

if TYPE_CHECKING:
    from pathlib import Path

    import torch
    from torch import Tensor

__all__ = ["LateEncoder", "load_late"]


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
