"""The encoder reads a pair of texts at once; a head says which of three classes it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional

from locisimiles.models.pair_pieces import CLASSES, MARKS
from locisimiles.train.crossencoder.sampling import ANY_REFERENCE
from locisimiles.train.encoder.network import LatinEncoder
from locisimiles.train.late.network import count_layers, fill_module, read_tensors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from torch import Tensor

    from locisimiles.train.crossencoder.settings import Pooling
    from locisimiles.train.encoder.network import EncoderConfig

__all__ = ["CrossEncoder", "load_cross_encoder", "pair_loss"]


class CrossEncoder(nn.Module):
    """Reads ``[CLS] query [SEP] source [SEP]`` and gives a number for each class.

    A learnt vector for its mark is added to that of each piece; it begins as 0, so that the
    encoder begins with what it knows.

    Parameters
    ----------
    encoder
        Reads the pair.
    pooling
        ``parts``: the head sees the first vector and the means of both sides; ``cls``: the first
        alone.
    dropout
        Of what the head sees, in training.
    """

    def __init__(
        self, encoder: LatinEncoder, pooling: Pooling = "parts", dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.pooling = pooling
        width = encoder.config.width
        self.marks = nn.Embedding(MARKS, width)
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(width * (3 if pooling == "parts" else 1), CLASSES)
        nn.init.zeros_(self.marks.weight)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    @property
    def device(self) -> torch.device:
        """Where it calculates."""
        return self.head.weight.device

    def new_parameters(self) -> Iterator[nn.Parameter]:
        """Yield what has everything to learn."""
        yield from self.marks.parameters()
        yield from self.head.parameters()

    def forward(self, numbers: Tensor, marks: Tensor, lengths: Tensor) -> Tensor:
        """Return a number for each class, a row a pair; softmax makes probabilities of them.

        Parameters
        ----------
        numbers
            Word pieces, a row a pair, 0 behind its end.
        marks
            What each piece is marked as.
        lengths
            How many pieces query and source have, a row a pair.
        """
        hidden = self.encoder(numbers, numbers != 0, added=self.marks(marks))
        # Half precision is enough for the layers, not for differences between classes.
        with torch.autocast(hidden.device.type, enabled=False):
            pooled = self._pooled(hidden.float(), lengths)
            logits: Tensor = self.head(self.dropout(pooled))
        return logits

    def _pooled(self, hidden: Tensor, lengths: Tensor) -> Tensor:
        if self.pooling == "cls":
            return hidden[:, 0]
        place = torch.arange(hidden.shape[1], device=hidden.device)[None, :]
        query, source = lengths[:, :1], lengths[:, 1:]
        of_query = (place >= 1) & (place <= query)
        of_source = (place >= query + 2) & (place < query + 2 + source)
        parts = torch.stack([of_query, of_source], dim=1).float()
        means = torch.bmm(parts, hidden) / parts.sum(dim=2, keepdim=True).clamp(min=1)
        return torch.cat([hidden[:, :1], means], dim=1).flatten(1)


def load_cross_encoder(weights: Path, config: EncoderConfig) -> CrossEncoder:
    """Load what `locisimiles.train.crossencoder.job` wrote for a fold.

    Parameters
    ----------
    weights
        The file.
    config
        The measures of the encoder it began with; how many layers were kept, and what the head
        sees, the weights tell.

    Raises
    ------
    InputError
        If the file cannot be read, or belongs to another network.
    """
    tensors = read_tensors(weights)
    layers = count_layers(tensors) or config.layers
    head = tensors.get("head.weight", torch.empty(0, 0))
    pooling: Pooling = "cls" if head.shape[-1] == config.width else "parts"
    network = CrossEncoder(LatinEncoder(replace(config, layers=layers)), pooling)
    fill_module(network, tensors, weights)
    return network.eval()


def pair_loss(logits: Tensor, labels: Tensor, smoothing: float = 0.0) -> Tensor:
    """Return the cross-entropy; of a reference of unknown kind, that of being any reference."""
    chances = functional.log_softmax(logits, dim=1)
    either = torch.logsumexp(chances[:, 1:], dim=1, keepdim=True)
    chosen = torch.cat([chances, either], dim=1).gather(1, labels[:, None])
    loss = -chosen.mean()
    if smoothing:
        known = (labels != ANY_REFERENCE).float()
        spread = -(chances.mean(dim=1) * known).sum() / known.sum().clamp(min=1)
        loss = (1 - smoothing) * loss + smoothing * spread
    return loss
