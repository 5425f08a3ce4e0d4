"""Write a trained encoder as a folder that runs without torch."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import InputError, OutputError
from locisimiles.models.encoder_folder import GRAPH, LONGEST, SETTINGS
from locisimiles.models.model_files import FORMAT, VOCABULARY
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

    The same weights give the same bytes.

    Parameters
    ----------
    model
        The trained encoder with its head.
    tokenizer_json
        Its vocabulary, as `locisimiles.train.encoder.vocabulary` makes it.
    folder
        Where it is written; made if it is not there.
    trained
        How it was trained; what JSON can write.
    precision
        ``int8`` to ship, ``float32`` to compare with.
    longest
        How many word pieces it reads at once, without the special ones.

    Raises
    ------
    InputError
        If the vocabulary cannot be read.
    OutputError
        If the folder cannot be written.
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
    """Write a network, its vocabulary and its settings into a folder.

    Parameters
    ----------
    folder
        Where it is written; made if it is not there.
    graph
        The network by the name of its file.
    tokenizer_json
        Its vocabulary.
    settings
        The name of the file with the settings.
    about
        What they say of the network.
    trained
        How it was trained.

    Raises
    ------
    InputError
        If the vocabulary cannot be read.
    OutputError
        If the folder cannot be written.
    """
    try:
        vocabulary = tokenizer_json.read_bytes()
    except OSError as error:
        raise InputError(
            f"the vocabulary cannot be read: {error.strerror}", file=str(tokenizer_json)
        ) from error
    hashes = {
        f"{name.partition('.')[0]}_sha256": hashlib.sha256(content).hexdigest()
        for name, content in {**graph, VOCABULARY: vocabulary}.items()
    }
    content = {"format": FORMAT, **about, **hashes, "trained": dict(trained)}
    written = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, own in {**graph, VOCABULARY: vocabulary}.items():
            (folder / name).write_bytes(own)
        # Written last: a folder without it is no model.
        (folder / settings).write_text(written, encoding="utf-8", newline="\n")
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror or error}") from error
