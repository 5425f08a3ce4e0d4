"""The encoder with a head, which turns its wide vectors into short ones for comparing words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

if TYPE_CHECKING:
    from torch import Tensor

    from locisimiles.train.encoder.network import LatinEncoder

__all__ = ["LateEncoder"]


class LateEncoder(nn.Module):
    """Gives each word piece two vectors: one of its context, and a short one to compare.

    Parameters
    ----------
    encoder
        Reads the text.
    dimensions
        How long the short vectors are.
    """

    def __init__(self, encoder: LatinEncoder, dimensions: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.dimensions = dimensions
        self.head = nn.Linear(encoder.config.width, dimensions, bias=False)
        nn.init.orthogonal_(self.head.weight)

    def forward(self, numbers: Tensor, visible: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the encoder's vectors of all pieces, and what the head makes of them.

        Parameters
        ----------
        numbers
            Word pieces, a row a text.
        visible
            True where there is a piece, False where there is padding; None if there is none.
        """
        hidden: Tensor = self.encoder(numbers, visible)
        projected: Tensor = self.head(hidden)
        return hidden, projected
