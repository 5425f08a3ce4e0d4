"""The encoder that a cross-encoder starts with: as trained, or taken back from its int8 network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from locisimiles.models.onnx_encoder import GRAPH
from locisimiles.train.encoder.folder import CONFIG, is_pretrained_encoder, read_config
from locisimiles.train.encoder.weights import encoder_from_tensors, load_pretrained
from locisimiles.train.late.recovery import network_config, recover_weights

if TYPE_CHECKING:
    from pathlib import Path

    from locisimiles.train.encoder.folder import EncoderConfig
    from locisimiles.train.encoder.network import LatinEncoder

__all__ = ["base_config", "load_base"]


def base_config(folder: Path) -> EncoderConfig:
    """Return the sizes of the encoder in a folder."""
    return network_config(folder) if _in_int8(folder) else read_config(folder / CONFIG)


def load_base(
    folder: Path, layers: int | None = None, *, weights: Path | None = None
) -> LatinEncoder:
    """Load an encoder, or its lower `layers`.

    The folder is one that ``locisimiles train encoder`` wrote, possibly with other `weights`, or
    one with an int8 network, such as that of the package. Errors are those of `load_pretrained`
    and `recover_weights`.
    """
    if weights is not None or not _in_int8(folder):
        return load_pretrained(folder, layers, weights=weights)
    tensors = {name: torch.from_numpy(own) for name, own in recover_weights(folder).items()}
    return encoder_from_tensors(network_config(folder), tensors, layers, path=folder / GRAPH)


def _in_int8(folder: Path) -> bool:
    return (folder / GRAPH).is_file() and not is_pretrained_encoder(folder)
