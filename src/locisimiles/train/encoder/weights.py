"""Weights of an encoder: from files into networks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from locisimiles.checks import check_between
from locisimiles.errors import InputError
from locisimiles.train.common.files import reading
from locisimiles.train.encoder.folder import CONFIG, WEIGHTS, EncoderConfig, read_config
from locisimiles.train.encoder.network import LatinEncoder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from torch import Tensor, nn

__all__ = ["count_layers", "encoder_from_tensors", "fill_module", "load_pretrained", "read_tensors"]


def load_pretrained(
    folder: Path, layers: int | None = None, *, weights: Path | None = None
) -> LatinEncoder:
    """Load an encoder that `locisimiles train encoder` exported, or its lower `layers`.

    `weights` is another file of weights for this network, possibly with fewer layers, such as
    ``late.safetensors`` of late interaction. An InputError or ParameterError says that a file
    cannot be read, that files do not belong together, or that there are fewer layers.
    """
    path = weights or folder / WEIGHTS
    config, tensors = read_config(folder / CONFIG), read_tensors(path)
    if weights is not None:
        config = replace(config, layers=count_layers(tensors) or config.layers)
    return encoder_from_tensors(config, tensors, layers, path=path)


def count_layers(tensors: Mapping[str, Any]) -> int:
    """Return the number of encoder layers among weights.

    Examples
    --------
    >>> count_layers({"encoder.layers.0.a": 0, "encoder.layers.1.a": 0, "encoder.layers.1.b": 0})
    2
    """
    names = [name.split(".") for name in tensors]
    return len({parts[2] for parts in names if parts[:2] == ["encoder", "layers"]})


def encoder_from_tensors(
    config: EncoderConfig, tensors: Mapping[str, Tensor], layers: int | None = None, *, path: Path
) -> LatinEncoder:
    """Return an encoder with the weights whose names begin with ``encoder.``.

    Where layers are left out, the last norm was learnt for others, and starts at 1 again. `path` is
    the file that errors name.
    """
    kept = config.layers if layers is None else layers
    check_between(1, config.layers, layers=kept)
    encoder = LatinEncoder(replace(config, layers=kept))
    weights = {
        name.removeprefix("encoder."): tensor
        for name, tensor in tensors.items()
        if name.startswith("encoder.")
    }
    if kept < config.layers:
        weights["last.weight"] = torch.ones(config.width)
    fill_module(encoder, weights, path)
    return encoder


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Read all tensors of a file, as float32."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    with reading(path, SafetensorError):
        return {name: tensor.float() for name, tensor in load_file(path).items()}


def fill_module(module: nn.Module, tensors: Mapping[str, Any], path: Path) -> None:
    """Load all weights of a module from tensors; an InputError names `path` if one does not fit."""
    expected = module.state_dict()
    for name, weight in expected.items():
        if name not in tensors or tensors[name].shape != weight.shape:
            raise InputError("train.other_network", file=str(path), name=name)
    module.load_state_dict({name: tensors[name] for name in expected})
