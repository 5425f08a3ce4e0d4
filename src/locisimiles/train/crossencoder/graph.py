"""A cross-encoder as an ONNX graph, like those of `locisimiles.train.late.graph`.

Besides pieces and marks it takes the share of each piece in the head's input: a row for the first
vector and, if the head sees the means of both sides, a row for each. So pairs of one length may
differ in where the source begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.models.onnx_cross_encoder import BUDGET, GRAPH, INPUTS, OUTPUT, PARTS, SETTINGS
from locisimiles.models.pair_pieces import CLASSES
from locisimiles.train.late.export import weights_of, write_model
from locisimiles.train.late.graph import EncoderGraph, new_graph, serialized

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.train.crossencoder.network import CrossEncoder
    from locisimiles.train.encoder.folder import EncoderConfig
    from locisimiles.train.late.graph import Precision, Sizes

__all__ = ["export_cross_encoder"]


def export_cross_encoder(
    model: CrossEncoder,
    tokenizer_json: Path,
    folder: Path,
    *,
    trained: Mapping[str, object],
    precision: Precision = "int8",
    budget: int = BUDGET,
    matches: bool = True,
) -> None:
    """Write a model folder: ``crossencoder.onnx``, ``tokenizer.json`` and ``crossencoder.json``.

    Parameters
    ----------
    model
        The trained network.
    tokenizer_json, folder, trained
        As in `locisimiles.train.late.export.export_late`.
    precision
        ``int8`` to ship, ``float32`` to compare with. The head is float32 in either.
    budget, matches
        As in training: pieces of a pair, and whether those on both sides are marked.
    """
    config = model.encoder.config
    about = {
        "network": config.as_dict(),
        "pooling": model.pooling,
        "budget": budget,
        "matches": matches,
        "precision": precision,
    }
    graph = _pair_graph(weights_of(model), config, PARTS[model.pooling], budget, precision)
    write_model(
        folder, {GRAPH: graph}, tokenizer_json, settings=SETTINGS, about=about, trained=trained
    )


def _pair_graph(
    weights: Mapping[str, NDArray[np.float32]],
    config: EncoderConfig,
    parts: int,
    positions: int,
    precision: Precision,
) -> bytes:
    """Return the graph of a `CrossEncoder` whose head sees `parts` vectors."""
    graph = new_graph(precision)
    numbers, marks, shares = INPUTS
    marked = graph.add("Gather", graph.constant(weights["marks.weight"]), marks)
    hidden = EncoderGraph(graph, weights, config, positions).hidden(marked)
    pooled = graph.add("MatMul", shares, hidden)
    row = graph.add("Reshape", pooled, graph.integers(0, parts * config.width))
    head = graph.add("MatMul", row, graph.constant(weights["head.weight"].T))
    graph.add("Add", head, graph.constant(weights["head.bias"]), output=OUTPUT)
    inputs: dict[str, tuple[type[np.generic], Sizes]] = {
        numbers: (np.int64, ("pairs", "pieces")),
        marks: (np.int64, ("pairs", "pieces")),
        shares: (np.float32, ("pairs", parts, "pieces")),
    }
    return serialized(graph, "crossencoder", inputs, {OUTPUT: ("pairs", CLASSES)})
