"""The network: a transformer that reads both ways, small enough for a laptop.

Normalised before each step, rotary positions, gated linear units, no biases; these made training
stable at a high rate where the older order (normalised after) did not leave its plateau.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["EncoderConfig", "LatinEncoder", "MaskedLanguageModel"]


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """The measures of the network.

    Attributes
    ----------
    vocabulary
        How many word pieces there are.
    width, layers, heads, inner
        Length of the vectors, number of layers, of attention heads, and of units inside a layer.
    base
        The longest wave of the rotary positions.
    """

    vocabulary: int = 24_000
    width: int = 384
    layers: int = 12
    heads: int = 6
    inner: int = 1024
    base: float = 10_000.0

    def as_dict(self) -> dict[str, float]:
        """Return the measures by name, for files."""
        return asdict(self)


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
        q, k = _turn(q, cos, sin), _turn(k, cos, sin)
        attended = functional.scaled_dot_product_attention(q, k, v, attn_mask=visible)
        out: Tensor = self.out(attended.transpose(1, 2).reshape(batch, length, width))
        return out


def _turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turn vectors by their position."""
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
        done: Tensor = x + self.out(functional.gelu(gate) * value)
        return done


class LatinEncoder(nn.Module):
    """Turns numbers of word pieces into vectors.

    Parameters
    ----------
    config
        Its measures.
    """

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.config = config
        self.pieces = nn.Embedding(config.vocabulary, config.width, padding_idx=0)
        self.after_pieces = nn.LayerNorm(config.width, bias=False)
        self.layers = nn.ModuleList(_Layer(config) for _ in range(config.layers))
        self.last = nn.LayerNorm(config.width, bias=False)
        self.apply(_initialise)

    def forward(
        self,
        numbers: Tensor,
        visible: Tensor | None = None,
        layers: int | None = None,
        added: Tensor | None = None,
    ) -> Tensor:
        """Return a vector for each piece.

        Parameters
        ----------
        numbers
            Word pieces, a row a text.
        visible
            True where there is a piece, False where there is padding; None if there is none.
        layers
            How many layers to go through; all of them by default. The vectors of inner layers are
            returned as they are, those of the last are normalised.
        added
            Vectors to add to those of the pieces, before the first layer.
        """
        cos, sin = _rotations(numbers.shape[1], self.config, numbers.device)
        mask = None if visible is None else visible[:, None, None, :]
        x = self.pieces(numbers)
        x = self.after_pieces(x if added is None else x + added)
        for layer in self.layers[:layers]:
            x = layer(x, cos, sin, mask)
        whole = layers is None or layers >= len(self.layers)
        done: Tensor = self.last(x) if whole else x
        return done


class MaskedLanguageModel(nn.Module):
    """An encoder with what is needed to guess hidden pieces; used for training only."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.encoder = LatinEncoder(config)
        self.dense = nn.Linear(config.width, config.width, bias=False)
        self.norm = nn.LayerNorm(config.width, bias=False)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        _initialise(self.dense)

    def guesses(self, vectors: Tensor) -> Tensor:
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
