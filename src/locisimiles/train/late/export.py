"""Write a trained encoder as a folder that runs without torch."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import InputError, OutputError
from locisimiles.models.encoder_folder import FORMAT, GRAPH, LONGEST, SETTINGS, VOCABULARY
from locisimiles.train.late.graph import write_graph

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from locisimiles.train.late.graph import Precision
    from locisimiles.train.late.network import LateEncoder

__all__ = ["export_late"]


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
    weights = {
        name: tensor.detach().cpu().numpy().astype(np.float32)
        for name, tensor in model.state_dict().items()
    }
    config = model.encoder.config
    graph = write_graph(weights, config, positions=longest + 2, precision=precision)
    try:
        vocabulary = tokenizer_json.read_bytes()
    except OSError as error:
        raise InputError(
            f"the vocabulary cannot be read: {error.strerror}", file=str(tokenizer_json)
        ) from error
    settings = {
        "format": FORMAT,
        "network": config.as_dict(),
        "dimensions": model.dimensions,
        "longest": longest,
        "precision": precision,
        "encoder_sha256": hashlib.sha256(graph).hexdigest(),
        "tokenizer_sha256": hashlib.sha256(vocabulary).hexdigest(),
        "trained": dict(trained),
    }
    written = json.dumps(settings, indent=1, ensure_ascii=False) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / GRAPH).write_bytes(graph)
        (folder / VOCABULARY).write_bytes(vocabulary)
        # Written last: a folder without it is no model.
        (folder / SETTINGS).write_text(written, encoding="utf-8", newline="\n")
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror or error}") from error
