"""Networks that read a pair of texts at once and score three classes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional

from locisimiles.models.pair_pieces import CLASSES, MARKS
from locisimiles.train.crossencoder.sampling import ANY_REFERENCE
from locisimiles.train.encoder.network import LatinEncoder
from locisimiles.train.encoder.weights import count_layers, fill_module, read_tensors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from torch import Tensor

    from locisimiles.models.transformer_pairs import PairTransformer
    from locisimiles.train.crossencoder.settings import Pooling
    from locisimiles.train.encoder.network import EncoderConfig

__all__ = [
    "CrossEncoder",
    "PairNetwork",
    "TransformerNetwork",
    "load_cross_encoder",
    "pair_loss",
    "teacher_loss",
]


class CrossEncoder(nn.Module):
    """Reads ``[CLS] query [SEP] source [SEP]`` and returns a logit for each class.

    A learnt vector for its mark is added to that of each piece. It starts at 0, so that training
    starts from what the encoder knows. The head's input is the first vector alone (``cls``), or
    with the means of both sides (``parts``); training applies `dropout` to it.
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
        """The device of its weights."""
        return self.head.weight.device

    def new_parameters(self) -> Iterator[nn.Parameter]:
        """Yield the parameters that no pretraining has seen."""
        yield from self.marks.parameters()
        yield from self.head.parameters()

    def forward(self, numbers: Tensor, marks: Tensor, lengths: Tensor) -> Tensor:
        """Return the logits, a row per pair; the arguments are the columns of a `PairBatch`."""
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
        in_query = (place >= 1) & (place <= query)
        in_source = (place >= query + 2) & (place < query + 2 + source)
        parts = torch.stack([in_query, in_source], dim=1).float()
        means = torch.bmm(parts, hidden) / parts.sum(dim=2, keepdim=True).clamp(min=1)
        return torch.cat([hidden[:, :1], means], dim=1).flatten(1)


class TransformerNetwork(nn.Module):
    """Any transformer behind the interface of `CrossEncoder`; `pairs` is trained in place."""

    def __init__(self, pairs: PairTransformer) -> None:
        super().__init__()
        self.model = pairs.model
        self.pairs = pairs

    @property
    def device(self) -> torch.device:
        """The device of its weights."""
        device: torch.device = self.model.device
        return device

    def new_parameters(self) -> Iterator[nn.Parameter]:
        """Yield the parameters of the head."""
        base = f"{self.model.base_model_prefix}."
        for name, parameter in self.model.named_parameters():
            if not name.startswith(base):
                yield parameter

    def forward(self, numbers: Tensor, marks: Tensor, lengths: Tensor) -> Tensor:
        """Return the logits, a row per pair."""
        logits: Tensor = self.pairs.forward(numbers, marks, lengths).float()
        return logits


PairNetwork = CrossEncoder | TransformerNetwork


def load_cross_encoder(weights: Path, config: EncoderConfig) -> CrossEncoder:
    """Load the weights that `locisimiles.train.crossencoder.job` wrote for a fold.

    `config` has the sizes of the base encoder; layers and pooling follow from the weights.
    """
    tensors = read_tensors(weights)
    layers = count_layers(tensors) or config.layers
    head = tensors.get("head.weight", torch.empty(0, 0))
    pooling: Pooling = "cls" if head.shape[-1] == config.width else "parts"
    network = CrossEncoder(LatinEncoder(replace(config, layers=layers)), pooling)
    fill_module(network, tensors, weights)
    return network.eval()


def pair_loss(logits: Tensor, labels: Tensor, smoothing: float = 0.0) -> Tensor:
    """Return the cross-entropy; for a reference of unknown kind, that of being any reference."""
    log_probabilities = functional.log_softmax(logits, dim=1)
    either = torch.logsumexp(log_probabilities[:, 1:], dim=1, keepdim=True)
    chosen = torch.cat([log_probabilities, either], dim=1).gather(1, labels[:, None])
    loss = -chosen.mean()
    if smoothing:
        known = (labels != ANY_REFERENCE).float()
        spread = -(log_probabilities.mean(dim=1) * known).sum() / known.sum().clamp(min=1)
        loss = (1 - smoothing) * loss + smoothing * spread
    return loss


def teacher_loss(logits: Tensor, chances: Tensor) -> Tensor:
    """Return the cross-entropy with the probabilities that teachers give, a row per pair."""
    return -(chances * functional.log_softmax(logits, dim=1)).sum(dim=1).mean()
