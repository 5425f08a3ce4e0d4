"""Products of vectors of signed bytes, computed by onnxruntime's kernels for whole numbers.

They are several times faster than products in float32, and give the same whole numbers. On
processors without instructions for them, two neighbouring products are added in 16 bits, which can
overflow; so they are used only for vectors that are too small for that on any processor, and NumPy
for others.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Bytes = NDArray[np.int8]
    Kernel = Callable[[Bytes, Bytes], NDArray[np.float32]]

__all__ = ["ByteProducts"]

_SHIFT = 128  # rows are shifted to unsigned bytes, which the kernels are fastest with
_LARGEST_PAIR = (2**15 - 1) // (2 * _SHIFT - 1)
"""Two bytes of this sum, times any unsigned bytes, add up to at most 16 bits."""

_FLOAT, _UNSIGNED, _SIGNED = 1, 2, 3  # types of tensors
_IR_VERSION, _OPERATORS, _KERNELS = 8, 17, "com.microsoft"


class ByteProducts:
    """Multiplies rows of bytes with vectors of bytes.

    Examples
    --------
    >>> products = ByteProducts(np.array([[1, 2], [-3, 4], [127, 127]], np.int8))
    >>> rows = np.array([[5, 6], [-128, 0]], np.int8)
    >>> products.of(rows).tolist()
    [[17.0, 9.0, 1397.0], [-128.0, 384.0, -16256.0]]
    >>> products.of(rows, np.array([1])).tolist()
    [[9.0], [384.0]]
    """

    def __init__(self, vectors: Bytes) -> None:
        self._columns = np.ascontiguousarray(vectors.T)
        self._kernel = _kernel() if vectors.size and _never_overflows(vectors) else None

    def __len__(self) -> int:
        """Return the number of vectors."""
        return int(self._columns.shape[1])

    def of(self, rows: Bytes, which: NDArray[np.int64] | None = None) -> NDArray[np.float32]:
        """Return the products of rows with all vectors (columns), or with some of them."""
        columns = self._columns if which is None else self._columns.take(which, axis=1)
        if self._kernel is None:
            return rows.astype(np.float32) @ columns.astype(np.float32)
        return self._kernel(rows, columns)


def _never_overflows(vectors: Bytes) -> bool:
    """Tell whether no two bytes of a vector are too large, whichever two a kernel adds up."""
    if vectors.shape[1] < 2:  # noqa: PLR2004 - two, as the name says
        return False
    sizes = np.partition(np.abs(vectors.astype(np.int16)), -2, axis=1)[:, -2:]
    return int(sizes.sum(axis=1).max()) <= _LARGEST_PAIR


@lru_cache(maxsize=1)
def _kernel() -> Kernel | None:
    """Return the kernel, which multiplies two matrices; None if it is not exact here."""
    # Otherwise onnxruntime counts its uses and leaves an id of the machine in the home folder.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime  # takes a tenth of a second to load

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # matrices have many sizes
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(_model(), options, providers=["CPUExecutionProvider"])
    constants = {
        "row_scale": np.ones((), np.float32),
        "column_scale": np.ones((), np.float32),
        "shift": np.array(_SHIFT, np.uint8),
    }

    def multiply(rows: Bytes, columns: Bytes) -> NDArray[np.float32]:
        # The same as adding the shift, modulo 256.
        shifted = np.bitwise_xor(rows.view(np.uint8), np.uint8(_SHIFT))
        given = {"rows": shifted, "columns": columns, **constants}
        products: NDArray[np.float32] = session.run(None, given)[0]
        return products

    return multiply if _is_exact(multiply) else None


def _is_exact(multiply: Kernel) -> bool:
    """Compare a kernel with NumPy where an overflow is likeliest, and in matrices of odd sizes."""
    random = np.random.default_rng(0)
    for height, depth, width in ((1, 2, 1), (37, 128, 19), (130, 66, 40)):
        rows = random.choice(np.array([-128, 0, 127], np.int8), (height, depth))
        half = _LARGEST_PAIR // 2
        columns = random.choice(np.array([-half, half], np.int8), (depth, width))
        rows[0], columns[:, 0] = 127, half
        rows[-1], columns[:, -1] = 127, -half
        expected = rows.astype(np.float32) @ columns.astype(np.float32)
        if not np.array_equal(multiply(rows, columns), expected):
            return False
    return True


def _model() -> bytes:
    """Return the graph of one product, in the format of ONNX (a message of Protocol Buffers)."""
    inputs = {
        "rows": (_UNSIGNED, ("height", "depth")),
        "columns": (_SIGNED, ("depth", "width")),
        "row_scale": (_FLOAT, ()),
        "column_scale": (_FLOAT, ()),
        "shift": (_UNSIGNED, ()),
    }
    node = _message(
        *((1, name) for name in inputs),
        (2, "products"),
        (4, "MatMulIntegerToFloat"),
        (7, _KERNELS),
    )
    graph = _message(
        (1, node),
        (2, "products"),
        *((11, _tensor(name, *kind)) for name, kind in inputs.items()),
        (12, _tensor("products", _FLOAT, ("height", "width"))),
    )
    operators = [_message((1, ""), (2, _OPERATORS)), _message((1, _KERNELS), (2, 1))]
    return _message((1, _IR_VERSION), (7, graph), *((8, entry) for entry in operators))


def _tensor(name: str, kind: int, sizes: Sequence[str]) -> bytes:
    """Describe an input or output: its name, type, and names of its sizes."""
    shape = _message(*((1, _message((2, size))) for size in sizes))
    return _message((1, name), (2, _message((1, _message((1, kind), (2, shape))))))


def _message(*fields: tuple[int, Any]) -> bytes:
    """Encode numbered fields: numbers, texts, and other messages."""
    encoded = b""
    for number, value in fields:
        if isinstance(value, int):
            encoded += _varint(number << 3) + _varint(value)
            continue
        content = value.encode() if isinstance(value, str) else value
        encoded += _varint(number << 3 | 2) + _varint(len(content)) + content
    return encoded


def _varint(number: int) -> bytes:
    """Encode a number in groups of seven bits, the lowest first."""
    groups = []
    while number > 0x7F:  # noqa: PLR2004 - seven bits
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*groups, number])
