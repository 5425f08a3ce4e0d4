"""The network as an ONNX graph, written node by node for onnxruntime's kernels.

Rows are never padded: a batch holds texts of one length. So there is no mask, and the vectors of a
text do not depend on the other texts of its batch.

In int8, weights have a scale for each column, and activations one for each row, computed at run
time. One scale for a whole batch (as onnxruntime's own quantiser has it) is about as fast, several
times farther from float32, and would make texts depend on their batch. Weights range from -64 to
64: processors without VNNI add two products in 16 bits, and so get the same numbers as others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from locisimiles.errors import MissingDependencyError
from locisimiles.installation import install_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from locisimiles.train.encoder.folder import EncoderConfig

__all__ = [
    "EncoderGraph",
    "Graph",
    "Precision",
    "Sizes",
    "new_graph",
    "require_onnx",
    "serialized",
    "write_graph",
]

Precision = Literal["int8", "float32"]
Sizes = tuple[str | int, ...]

_KERNELS = "com.microsoft"  # onnxruntime's own operators
_OPERATORS, _FORMAT = 17, 8  # versions that onnxruntime 1.17 reads
_HIGHEST_WEIGHT, _HIGHEST_VALUE, _ZERO = 64, 127, 128
_EPSILON = 1e-5


def write_graph(
    weights: Mapping[str, NDArray[np.float32]],
    config: EncoderConfig,
    *,
    positions: int,
    precision: Precision = "int8",
) -> bytes:
    """Return the graph of a `LateEncoder`: ``numbers`` in, ``hidden`` and ``projected`` out.

    `positions` is the most pieces of a row, special ones included.
    """
    graph = new_graph(precision)
    EncoderGraph(graph, weights, config, positions).hidden()
    ready, scale = graph.prepared("hidden")
    head = weights["head.weight"]
    graph.add("Identity", graph.scaled(graph.times(ready, head), scale), output="projected")
    each: Sizes = ("texts", "pieces")
    outputs = {"hidden": (*each, config.width), "projected": (*each, len(head))}
    return serialized(graph, "encoder", {"numbers": (np.int64, each)}, outputs)


def new_graph(precision: Precision) -> Graph:
    """Return an empty graph; raise a MissingDependencyError if onnx is not installed."""
    require_onnx()
    return Int8Graph() if precision == "int8" else Graph()


def serialized(
    graph: Graph,
    name: str,
    inputs: Mapping[str, tuple[type[np.generic], Sizes]],
    outputs: Mapping[str, Sizes],
) -> bytes:
    """Return the bytes of a graph; equal graphs give equal bytes.

    Inputs have types and sizes, outputs are float32.
    """
    from onnx import TensorProto, helper

    kinds: dict[type[np.generic], int] = {
        np.int64: TensorProto.INT64,
        np.float32: TensorProto.FLOAT,
    }
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            name,
            [
                helper.make_tensor_value_info(key, kinds[kind], sizes)
                for key, (kind, sizes) in inputs.items()
            ],
            [
                helper.make_tensor_value_info(key, TensorProto.FLOAT, sizes)
                for key, sizes in outputs.items()
            ],
            list(graph.constants.values()),
        ),
        opset_imports=[helper.make_opsetid("", _OPERATORS), helper.make_opsetid(_KERNELS, 1)],
        ir_version=_FORMAT,
    )
    return bytes(model.SerializeToString(deterministic=True))


def require_onnx() -> None:
    """Raise a MissingDependencyError if onnx is not installed."""
    try:
        import onnx  # noqa: F401 - is it there?
    except ImportError as error:
        raise MissingDependencyError(
            "train.not_installed", library="onnx", install=install_command(library="onnx")
        ) from error


class Graph:
    """Collects nodes and constants, all in float32."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[tuple[str, bytes, tuple[int, ...]], Any] = {}

    def constant(self, value: ArrayLike, kind: type[np.generic] = np.float32) -> str:
        """Return the name of a constant; equal constants are stored once."""
        from onnx import numpy_helper

        array = np.array(value, kind, order="C")
        key = (array.dtype.str, array.tobytes(), array.shape)
        if key not in self.constants:
            name = f"constant_{len(self.constants)}"
            self.constants[key] = numpy_helper.from_array(array, name)
        return str(self.constants[key].name)

    def integers(self, *values: int) -> str:
        """Return the name of a constant list of integers."""
        return self.constant(list(values), np.int64)

    def add(
        self,
        operator: str,
        *inputs: str,
        domain: str = "",
        output: str = "",
        **attributes: Any,  # noqa: ANN401
    ) -> str:
        """Add a node and return the name of its output."""
        from onnx import helper

        name = output or f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(
            helper.make_node(operator, list(inputs), [name], domain=domain, **attributes)
        )
        return name

    def table(self, rows: NDArray[np.float32], numbers: str) -> str:
        """Look up rows of a table."""
        return self.add("Gather", self.constant(rows), numbers)

    def prepared(self, rows: str) -> tuple[str, str | None]:
        """Return rows ready for `times`, and the scales to multiply the product by."""
        return rows, None

    def times(self, rows: str, weight: NDArray[np.float32]) -> str:
        """Multiply prepared rows with the weight of a linear layer."""
        return self.add("MatMul", rows, self.constant(weight.T))

    def scaled(self, rows: str, *scales: str | None) -> str:
        """Multiply rows by their scales."""
        product = None
        for scale in filter(None, scales):
            product = scale if product is None else self.add("Mul", product, scale)
        return rows if product is None else self.add("Mul", rows, product)


class Int8Graph(Graph):
    """Stores weights and multiplies matrices in int8."""

    def table(self, rows: NDArray[np.float32], numbers: str) -> str:
        from onnx import TensorProto

        values, scales = _rounded(rows, axis=1, highest=_HIGHEST_VALUE)
        steps = self.add("Gather", self.constant(values, np.int8), numbers)
        scale = self.add("Gather", self.constant(scales), numbers)
        return self.add("Mul", self.add("Cast", steps, to=TensorProto.FLOAT), scale)

    def prepared(self, rows: str) -> tuple[str, str | None]:
        largest = self.add("ReduceMax", self.add("Abs", rows), axes=[-1], keepdims=1)
        step = self.add("Mul", largest, self.constant(1 / _HIGHEST_VALUE))
        scale = self.add("Add", step, self.constant(1e-12))  # a row of zeros stays one
        one, zero = self.constant(1.0), self.constant(_ZERO, np.uint8)
        return self.add("QuantizeLinear", self.add("Div", rows, scale), one, zero), scale

    def times(self, rows: str, weight: NDArray[np.float32]) -> str:
        values, scales = _rounded(weight.T, axis=0, highest=_HIGHEST_WEIGHT)
        return self.add(
            "MatMulIntegerToFloat",
            rows,
            self.constant(values, np.int8),
            self.constant(1.0),
            self.constant(scales[0]),
            self.constant(_ZERO, np.uint8),
            domain=_KERNELS,
        )


def _rounded(
    matrix: NDArray[np.float32], axis: int, highest: int
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return a matrix in whole steps, and the size of a step along the other axis."""
    steps = (np.abs(matrix).max(axis=axis, keepdims=True) / highest).astype(np.float32)
    steps[steps == 0] = 1
    return np.rint(matrix / steps).astype(np.int8), steps


class EncoderGraph:
    """Writes the network of `locisimiles.train.encoder.network` into a graph."""

    def __init__(
        self,
        graph: Graph,
        weights: Mapping[str, NDArray[np.float32]],
        config: EncoderConfig,
        positions: int,
    ) -> None:
        self.graph, self.weights, self.config = graph, weights, config
        self.size = config.width // config.heads
        half = self.size // 2
        waves = config.base ** (-np.arange(half) / half)
        angles = np.arange(positions)[:, None] * waves
        self.cos, self.sin = graph.constant(np.cos(angles)), graph.constant(np.sin(angles))

    def hidden(self, added: str | None = None) -> str:
        """Write all layers; return the name of their output.

        `added` names what is added to the vectors of the pieces.
        """
        graph = self.graph
        x = graph.table(self.weights["encoder.pieces.weight"], "numbers")
        x = self._norm(x if added is None else graph.add("Add", x, added), "after_pieces")
        for layer in range(self.config.layers):
            x = graph.add("Add", x, self._attention(x, f"layers.{layer}"))
            x = graph.add("Add", x, self._units(x, f"layers.{layer}"))
        return self._norm(x, "last", output="hidden")

    def _norm(self, x: str, name: str, output: str = "") -> str:
        weight = self.graph.constant(self.weights[f"encoder.{name}.weight"])
        # onnxruntime 1.17 crashes where a norm without a bias follows a sum.
        bias = self.graph.constant(np.zeros(self.config.width))
        return self.graph.add(
            "LayerNormalization", x, weight, bias, output=output, axis=-1, epsilon=_EPSILON
        )

    def _reshaped(self, x: str, *sizes: int) -> str:
        """Reshape the vectors of pieces; zeros stand for texts and pieces."""
        return self.graph.add("Reshape", x, self.graph.integers(0, 0, *sizes))

    def _attention(self, x: str, layer: str) -> str:
        graph, width, heads = self.graph, self.config.width, self.config.heads
        ready, scale = graph.prepared(self._norm(x, f"{layer}.before_attention"))
        into = self.weights[f"encoder.{layer}.attention.into.weight"].reshape(3, width, width)
        # Products are divided by the root of the size; here the weights are.
        parts = (into[0] * np.float32(self.size**-0.5), into[1], into[2])
        rotated: list[str] = []
        for part in parts:
            rows = graph.scaled(graph.times(ready, part), scale)
            if len(rotated) < 2:  # noqa: PLR2004 - queries and keys have positions, values not
                rows = graph.add(
                    "RotaryEmbedding",
                    rows,
                    graph.integers(0),
                    self.cos,
                    self.sin,
                    domain=_KERNELS,
                    num_heads=heads,
                    interleaved=0,
                )
            rotated.append(self._reshaped(rows, heads, self.size))
        query, value = (graph.add("Transpose", rotated[i], perm=[0, 2, 1, 3]) for i in (0, 2))
        key = graph.add("Transpose", rotated[1], perm=[0, 2, 3, 1])
        seen = graph.add("Softmax", graph.add("MatMul", query, key), axis=-1)
        mixed = graph.add("Transpose", graph.add("MatMul", seen, value), perm=[0, 2, 1, 3])
        ready, scale = graph.prepared(self._reshaped(mixed, width))
        out = self.weights[f"encoder.{layer}.attention.out.weight"]
        return graph.scaled(graph.times(ready, out), scale)

    def _units(self, x: str, layer: str) -> str:
        graph = self.graph
        ready, scale = graph.prepared(self._norm(x, f"{layer}.before_units"))
        into = self.weights[f"encoder.{layer}.into.weight"].reshape(2, -1, self.config.width)
        gate = graph.scaled(graph.times(ready, into[0]), scale)
        root = graph.add("Div", gate, graph.constant(2**0.5))
        share = graph.add("Add", graph.add("Erf", root), graph.constant(1.0))
        opened = graph.add("Mul", graph.add("Mul", gate, share), graph.constant(0.5))
        # Values are scaled at the end only: int8 rows do not depend on a factor.
        product = graph.add("Mul", opened, graph.times(ready, into[1]))
        ready, product_scale = graph.prepared(product)
        out = self.weights[f"encoder.{layer}.out.weight"]
        return graph.scaled(graph.times(ready, out), scale, product_scale)
