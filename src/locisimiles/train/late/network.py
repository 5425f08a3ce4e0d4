"""The encoder with a head, which turns its wide vectors into short ones for comparing words."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from locisimiles.errors import InputError, MalformedInputError, ParameterError
from locisimiles.train.encoder.network import EncoderConfig, LatinEncoder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from torch import Tensor

__all__ = [
    "LateEncoder",
    "count_layers",
    "encoder_of_tensors",
    "fill_module",
    "load_late",
    "load_pretrained",
    "read_config",
    "read_tensors",
]

_AGAIN = "name the folder that `locisimiles train encoder` wrote"


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

    @property
    def device(self) -> torch.device:
        """Where it calculates."""
        return self.head.weight.device

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


def read_config(path: Path) -> EncoderConfig:
    """Read the measures of a network; what else is written beside them is passed over.

    Raises
    ------
    InputError
        If the file cannot be read, or holds something else.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"it cannot be read: {error.strerror}", file=str(path), hint=_AGAIN
        ) from error
    except ValueError as error:
        raise MalformedInputError("this is no JSON file", file=str(path), hint=_AGAIN) from error
    names = EncoderConfig().as_dict()
    measures: dict[str, Any] = content if isinstance(content, dict) else {}
    wrong = [name for name in names if not _is_size(measures.get(name))]
    if wrong:
        raise MalformedInputError(
            f"{wrong[0]} is no size of a network", file=str(path), hint=_AGAIN
        )
    return EncoderConfig(**{name: measures[name] for name in names})


def _is_size(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def load_pretrained(
    folder: Path, layers: int | None = None, *, weights: Path | None = None
) -> LatinEncoder:
    """Load what `locisimiles train encoder` exported, or its lower layers.

    Parameters
    ----------
    folder
        Holds ``encoder.safetensors`` and ``config.json``.
    layers
        How many layers are kept; all by default.
    weights
        Another file of weights of this network, which may have fewer layers: such as
        ``late.safetensors`` of late interaction.

    Raises
    ------
    InputError
        If a file cannot be read, or they do not belong together.
    ParameterError
        If it has not so many layers.
    """
    path = weights or folder / "encoder.safetensors"
    config, tensors = read_config(folder / "config.json"), read_tensors(path)
    if weights is not None:
        config = replace(config, layers=count_layers(tensors) or config.layers)
    return encoder_of_tensors(config, tensors, layers, path=path)


def count_layers(tensors: Mapping[str, Any]) -> int:
    """Return how many layers of an encoder there are among weights.

    Examples
    --------
    >>> count_layers({"encoder.layers.0.a": 0, "encoder.layers.1.a": 0, "encoder.layers.1.b": 0})
    2
    """
    parts = [name.split(".") for name in tensors]
    return len({own[2] for own in parts if own[:2] == ["encoder", "layers"]})


def encoder_of_tensors(
    config: EncoderConfig, tensors: Mapping[str, Tensor], layers: int | None = None, *, path: Path
) -> LatinEncoder:
    """Make an encoder of weights whose names begin with ``encoder.``; others are passed over.

    Where layers are left out, the last norm, which was learnt for others, begins with ones.

    Raises
    ------
    InputError
        If the weights are those of another network.
    ParameterError
        If it has not so many layers.
    """
    own = {
        name.removeprefix("encoder."): tensor
        for name, tensor in tensors.items()
        if name.startswith("encoder.")
    }
    kept = config.layers if layers is None else layers
    if not 1 <= kept <= config.layers:
        raise ParameterError(
            f"layers={kept} cannot be kept of an encoder that has {config.layers}",
            hint=f"choose 1 to {config.layers}",
        )
    encoder = LatinEncoder(replace(config, layers=kept))
    if kept < config.layers:
        own["last.weight"] = torch.ones(config.width)
    fill_module(encoder, own, path)
    return encoder


def load_late(weights: Path, config: EncoderConfig, dimensions: int) -> LateEncoder:
    """Load an encoder with its head.

    Raises
    ------
    InputError
        If the file cannot be read, or belongs to another network.
    """
    model = LateEncoder(LatinEncoder(config), dimensions)
    fill_module(model, read_tensors(weights), weights)
    return model.eval()


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Read all tensors of a file, with all their bits.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return {name: tensor.float() for name, tensor in load_file(path).items()}
    except (OSError, SafetensorError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(
            f"the weights cannot be read: {why}", file=str(path), hint=_AGAIN
        ) from error


def fill_module(module: nn.Module, tensors: Mapping[str, Any], path: Path) -> None:
    """Put tensors into a module, which must all be there in the right shapes.

    Raises
    ------
    InputError
        If one is missing or has another shape; `path` says whose they are.
    """
    wanted = module.state_dict()
    wrong = [
        name
        for name, own in wanted.items()
        if name not in tensors or tensors[name].shape != own.shape
    ]
    if wrong:
        raise InputError(
            f"these weights belong to another network: {wrong[0]} is not what config.json says",
            file=str(path),
            hint=_AGAIN,
        )
    module.load_state_dict({name: tensors[name] for name in wanted})
