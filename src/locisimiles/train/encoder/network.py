"""The network: a bidirectional transformer, small enough for a laptop.

Pre-normalisation, rotary positions, gated linear units, no biases. With these, training was stable
at a high rate; with post-normalisation it did not leave its plateau.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from locisimiles.train.encoder.folder import EncoderConfig

__all__ = ["EncoderConfig", "LatinEncoder", "MaskedLanguageModel"]


class _Attention(nn.Module):
    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.into = nn.Linear(config.width, 3 * config.width, bias=False)
        self.out = nn.Linear(config.width, config.width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, visible: Tensor | None) -> Tensor:
        batch, length, width = x.shape
        q, k, v = (
            self.into(x)
            .view(batch, length, 3, self.heads, width // self.heads)
            .permute(2, 0, 3, 1, 4)
        ).unbind(0)
        q, k = _rotate(q, cos, sin), _rotate(k, cos, sin)
        attended = functional.scaled_dot_product_attention(q, k, v, attn_mask=visible)
        out: Tensor = self.out(attended.transpose(1, 2).reshape(batch, length, width))
        return out


def _rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate vectors by their position."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


class _Layer(nn.Module):
    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.before_attention = nn.LayerNorm(config.width, bias=False)
        self.attention = _Attention(config)
        self.before_units = nn.LayerNorm(config.width, bias=False)
        self.into = nn.Linear(config.width, 2 * config.inner, bias=False)
        self.out = nn.Linear(config.inner, config.width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, visible: Tensor | None) -> Tensor:
        x = x + self.attention(self.before_attention(x), cos, sin, visible)
        gate, value = self.into(self.before_units(x)).chunk(2, dim=-1)
        out: Tensor = x + self.out(functional.gelu(gate) * value)
        return out


class LatinEncoder(nn.Module):
    """Turns numbers of word pieces into vectors."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.config = config
        self.pieces = nn.Embedding(config.vocabulary, config.width, padding_idx=0)
        self.after_pieces = nn.LayerNorm(config.width, bias=False)
        self.layers = nn.ModuleList(_Layer(config) for _ in range(config.layers))
        self.last = nn.LayerNorm(config.width, bias=False)
        self.apply(_initialise)

    def forward(
        self, numbers: Tensor, visible: Tensor | None = None, added: Tensor | None = None
    ) -> Tensor:
        """Return a vector for each word piece of `numbers`, a row per text.

        `visible` is False where there is padding; the vectors `added` are added to those of the
        pieces before the first layer.
        """
        cos, sin = _rotations(numbers.shape[1], self.config, numbers.device)
        mask = None if visible is None else visible[:, None, None, :]
        x = self.pieces(numbers)
        x = self.after_pieces(x if added is None else x + added)
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        vectors: Tensor = self.last(x)
        return vectors


class MaskedLanguageModel(nn.Module):
    """An encoder with a head that guesses masked pieces; used for pretraining only."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.encoder = LatinEncoder(config)
        self.dense = nn.Linear(config.width, config.width, bias=False)
        self.norm = nn.LayerNorm(config.width, bias=False)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        _initialise(self.dense)

    @property
    def device(self) -> torch.device:
        """The device of its weights."""
        return self.bias.device

    def logits(self, vectors: Tensor) -> Tensor:
        """Return a score for each piece of the vocabulary."""
        hidden = self.norm(functional.gelu(self.dense(vectors)))
        return functional.linear(hidden, self.encoder.pieces.weight, self.bias)


def _initialise(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.trunc_normal_(module.weight, std=0.02, a=-0.06, b=0.06)


def _rotations(length: int, config: EncoderConfig, device: torch.device) -> tuple[Tensor, Tensor]:
    half = config.width // config.heads // 2
    waves = config.base ** (-torch.arange(half, device=device, dtype=torch.float32) / half)
    angles = torch.arange(length, device=device, dtype=torch.float32)[:, None] * waves
    return angles.cos(), angles.sin()
