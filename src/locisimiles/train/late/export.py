"""Write a trained encoder as a folder that runs without torch."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.files.hashing import sha256_of
from locisimiles.models.onnx_encoder import GRAPH, LONGEST, SETTINGS
from locisimiles.models.onnx_model import FORMAT, VOCABULARY
from locisimiles.train.common.files import reading, writing
from locisimiles.train.late.graph import write_graph

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import nn

    from locisimiles.train.late.graph import Precision
    from locisimiles.train.late.network import LateEncoder

__all__ = ["export_late", "weights_of", "write_model"]


def export_late(
    model: LateEncoder,
    tokenizer_json: Path,
    folder: Path,
    *,
    trained: Mapping[str, object],
    precision: Precision = "int8",
    longest: int = LONGEST,
) -> None:
    """Write a model folder: ``encoder.onnx``, ``tokenizer.json`` and ``encoder.json``.

    Parameters
    ----------
    model
        The trained encoder with its head.
    tokenizer_json, folder, trained
        As in `write_model`.
    precision
        ``int8`` to ship, ``float32`` to compare with.
    longest
        Word pieces it reads at once, without the special ones.
    """
    config = model.encoder.config
    graph = write_graph(weights_of(model), config, positions=longest + 2, precision=precision)
    about = {
        "network": config.as_dict(),
        "dimensions": model.dimensions,
        "longest": longest,
        "precision": precision,
    }
    write_model(
        folder, {GRAPH: graph}, tokenizer_json, settings=SETTINGS, about=about, trained=trained
    )


def weights_of(model: nn.Module) -> dict[str, NDArray[np.float32]]:
    """Return the weights of a network by name."""
    return {
        name: tensor.detach().cpu().numpy().astype(np.float32)
        for name, tensor in model.state_dict().items()
    }


def write_model(
    folder: Path,
    graph: Mapping[str, bytes],
    tokenizer_json: Path,
    *,
    settings: str,
    about: Mapping[str, object],
    trained: Mapping[str, object],
) -> None:
    """Write a network, its vocabulary and its settings into a folder; equal input, equal bytes.

    Parameters
    ----------
    folder
        The folder; created if missing.
    graph
        The network, by the name of its file.
    tokenizer_json
        Its vocabulary.
    settings
        The name of the settings file.
    about
        What the settings say of the network.
    trained
        How it was trained; whatever JSON can write.

    Raises
    ------
    InputError, OutputError
        If the vocabulary cannot be read, or the folder cannot be written.
    """
    with reading(tokenizer_json):
        files = {**graph, VOCABULARY: tokenizer_json.read_bytes()}
    hashes = {
        f"{name.partition('.')[0]}_sha256": sha256_of(content) for name, content in files.items()
    }
    described = {"format": FORMAT, **about, **hashes, "trained": dict(trained)}
    text = json.dumps(described, indent=1, ensure_ascii=False) + "\n"
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        # Written last: a folder without it is no model.
        (folder / settings).write_text(text, encoding="utf-8", newline="\n")
