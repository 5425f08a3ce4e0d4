"""A cross-encoder as an ONNX graph, in the manner of `locisimiles.train.late.graph`.

Besides pieces and marks it takes how much each piece counts in what the head sees: a row for the
first vector, and where the head sees the means of both sides, one for each of them. So pairs of one
length may differ in where the source begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.models.cross_encoder_folder import (
    BUDGET,
    GRAPH,
    INPUTS,
    OUTPUT,
    SETTINGS,
    parts_of,
)
from locisimiles.models.pair_pieces import CLASSES
from locisimiles.train.late.export import weights_of, write_model
from locisimiles.train.late.graph import EncoderGraph, new_graph, serialized

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.train.crossencoder.network import CrossEncoder
    from locisimiles.train.encoder.network import EncoderConfig
    from locisimiles.train.late.graph import Precision, Sizes

__all__ = ["export_cross_encoder", "write_pair_graph"]


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

    The same weights give the same bytes.

    Parameters
    ----------
    model
        The trained network.
    tokenizer_json
        Its vocabulary, as `locisimiles.train.encoder.vocabulary` makes it.
    folder
        Where it is written; made if it is not there.
    trained
        How it was trained; what JSON can write.
    precision
        ``int8`` to ship, ``float32`` to compare with.
    budget, matches
        As it was trained: how many pieces a pair may have in all, and whether those that stand on
        both sides are marked.

    Raises
    ------
    InputError
        If the vocabulary cannot be read.
    OutputError
        If the folder cannot be written.
    """
    config = model.encoder.config
    graph = write_pair_graph(
        weights_of(model),
        config,
        parts=parts_of(model.pooling),
        positions=budget,
        precision=precision,
    )
    about = {
        "network": config.as_dict(),
        "pooling": model.pooling,
        "budget": budget,
        "matches": matches,
        "precision": precision,
    }
    write_model(
        folder, {GRAPH: graph}, tokenizer_json, settings=SETTINGS, about=about, trained=trained
    )


def write_pair_graph(
    weights: Mapping[str, NDArray[np.float32]],
    config: EncoderConfig,
    *,
    parts: int,
    positions: int,
    precision: Precision = "int8",
) -> bytes:
    """Return the graph of a `CrossEncoder`, which takes `INPUTS` and gives ``logits``.

    Parameters
    ----------
    weights
        The state of the network, by name.
    config
        The measures of its encoder.
    parts
        How many vectors the head sees.
    positions
        How many pieces a row has at most, the special ones included.
    precision
        ``int8`` to run, ``float32`` to compare with. The head is float32 in either.

    Raises
    ------
    MissingDependencyError
        If onnx is not installed.
    """
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
