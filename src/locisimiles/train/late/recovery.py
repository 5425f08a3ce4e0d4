"""Take the weights of an encoder back from its int8 network, to train on from there.

They differ from those it was written from by up to half a step of 8 bits. The file is read by
hand, as a machine for training may have no library for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import MalformedInputError
from locisimiles.models.onnx_encoder import GRAPH, SETTINGS
from locisimiles.train.common.files import reading
from locisimiles.train.encoder.folder import read_config

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.train.encoder.folder import EncoderConfig

__all__ = ["network_config", "recover_weights"]

# Fields of the messages of an ONNX file (protocol buffers), and the types of its tensors.
_GRAPH, _NODE, _CONSTANT = 7, 1, 5
_INPUT, _OPERATOR = 1, 4
_DIMS, _TYPE, _NAME, _CONTENT = 1, 2, 8, 9
_TYPES = {1: "<f4", 2: "u1", 3: "i1", 7: "<i8"}
_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5
_SEVEN_BITS, _MORE = 0x7F, 0x80


def recover_weights(folder: Path) -> dict[str, NDArray[np.float32]]:
    """Return the weights of the int8 encoder in a folder by name, its head among them.

    Raises
    ------
    InputError
        If the network cannot be read, or is not one that `export_late` wrote in int8.
    """
    path = folder / GRAPH
    config = network_config(folder)
    with reading(path):
        content = path.read_bytes()
    try:
        return _named(_Network.read(content), config)
    except (IndexError, KeyError, ValueError, RuntimeError) as error:
        raise MalformedInputError("train.malformed", file=str(path), reason=repr(error)) from error


def network_config(folder: Path) -> EncoderConfig:
    """Return the sizes of the encoder in a model folder."""
    return read_config(folder / SETTINGS, "network")


@dataclass(frozen=True, slots=True, eq=False)
class _Network:
    """What a network multiplies and scales with, in the order of its nodes."""

    matrices: list[NDArray[np.float32]]
    norms: list[NDArray[np.float32]]
    table: NDArray[np.float32]

    @classmethod
    def read(cls, content: bytes) -> _Network:
        constants: dict[str, NDArray[Any]] = {}
        nodes: list[tuple[str, list[str]]] = []
        graph = dict(_fields(content))[_GRAPH]
        for field, value in _fields(graph):
            if field == _CONSTANT:
                name, array = _tensor(value)
                constants[name] = array
            elif field == _NODE:
                nodes.append(_node(value))
        lookups = [constants[inputs[0]] for operator, inputs in nodes if operator == "Gather"]
        return cls(
            [
                constants[inputs[1]].astype(np.float32) * constants[inputs[3]]
                for operator, inputs in nodes
                if operator == "MatMulIntegerToFloat"
            ],
            [
                constants[inputs[1]].astype(np.float32)
                for operator, inputs in nodes
                if operator == "LayerNormalization"
            ],
            lookups[0].astype(np.float32) * lookups[1],
        )


def _named(network: _Network, config: EncoderConfig) -> dict[str, NDArray[np.float32]]:
    matrices = (np.ascontiguousarray(matrix.T) for matrix in network.matrices)
    norms = iter(network.norms)
    root = np.float32((config.width // config.heads) ** 0.5)
    weights = {"pieces.weight": network.table, "after_pieces.weight": next(norms)}
    for number in range(config.layers):
        layer = f"layers.{number}"
        query, key, value = (next(matrices) for _ in range(3))
        weights[f"{layer}.before_attention.weight"] = next(norms)
        weights[f"{layer}.attention.into.weight"] = np.concatenate([query * root, key, value])
        weights[f"{layer}.attention.out.weight"] = next(matrices)
        weights[f"{layer}.before_units.weight"] = next(norms)
        weights[f"{layer}.into.weight"] = np.concatenate([next(matrices), next(matrices)])
        weights[f"{layer}.out.weight"] = next(matrices)
    weights["last.weight"] = next(norms)
    named = {f"encoder.{name}": weight for name, weight in weights.items()}
    return {**named, "head.weight": next(matrices)}


def _node(content: memoryview) -> tuple[str, list[str]]:
    operator, inputs = "", []
    for field, value in _fields(content):
        if field == _INPUT:
            inputs.append(bytes(value).decode())
        elif field == _OPERATOR:
            operator = bytes(value).decode()
    return operator, inputs


def _tensor(content: memoryview) -> tuple[str, NDArray[Any]]:
    dims: list[int] = []
    name, kind, raw = "", 0, b""
    for field, value in _fields(content):
        if field == _DIMS:
            dims += [value] if isinstance(value, int) else _varints(value)
        elif field == _TYPE and isinstance(value, int):
            kind = value
        elif field == _NAME:
            name = bytes(value).decode()
        elif field == _CONTENT:
            raw = bytes(value)
    return name, np.frombuffer(raw, _TYPES[kind]).reshape(dims)


def _fields(content: bytes | memoryview) -> Iterator[tuple[int, Any]]:
    """Yield number and value of each field of a message: a whole number, or bytes."""
    view, at = memoryview(content), 0
    while at < len(view):
        key, at = _varint(view, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _varint(view, at)
            yield key >> 3, value
        elif kind in (_FIXED_32, _FIXED_64):
            at += 4 if kind == _FIXED_32 else 8
        elif kind == _BYTES:
            size, at = _varint(view, at)
            if at + size > len(view):
                raise ValueError("cut off")
            yield key >> 3, view[at : at + size]
            at += size
        else:
            raise ValueError(f"kind {kind}")


def _varints(content: memoryview) -> list[int]:
    values, at = [], 0
    while at < len(content):
        value, at = _varint(content, at)
        values.append(value)
    return values


def _varint(view: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = view[at]
        value |= (byte & _SEVEN_BITS) << shift
        at, shift = at + 1, shift + 7
        if not byte & _MORE:
            return value, at
