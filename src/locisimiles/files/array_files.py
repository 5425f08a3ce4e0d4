"""Named arrays in one file that is mapped into memory, and checked where it is read.

The file holds, one after the other: eight bytes of magic; the length and the CRC-32 of the header;
the header (JSON: type, shape and place of each array); the arrays as they are in memory; and a
CRC-32 of every 16 KB of them. So a program that reads a few rows of a large array checks only the
blocks these lie in. Equal arrays give equal bytes.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import struct
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.hashing import sha256_of
from locisimiles.files.writing import atomic_binary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from numpy.typing import NDArray

__all__ = ["ArrayFile", "write_array_file"]

_MAGIC = b"LociArr1"
_PREFIX = struct.Struct("<8sII")
_ALIGNED = 64
_BLOCK = 1 << 14
_LONGEST_HEADER = 1 << 20


def write_array_file(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write named arrays to a file, durably; see `locisimiles.files.writing.atomic`."""
    places: dict[str, tuple[str, tuple[int, ...], int]] = {}
    size = 0
    kept = {name: np.ascontiguousarray(array) for name, array in sorted(arrays.items())}
    for name, array in kept.items():
        places[name] = array.dtype.newbyteorder("<").str, array.shape, size
        size += -(-array.nbytes // _ALIGNED) * _ALIGNED
    header = json.dumps({"arrays": places, "size": size}, sort_keys=True).encode()
    header += b" " * (-(len(header) + _PREFIX.size) % _ALIGNED)
    with atomic_binary(path) as stream:
        stream.write(_PREFIX.pack(_MAGIC, len(header), zlib.crc32(header)))
        stream.write(header)
        sums = _Sums(stream)
        for array in kept.values():
            sums.write(array.astype(array.dtype.newbyteorder("<"), copy=False).reshape(-1).data)
            sums.write(bytes(-array.nbytes % _ALIGNED))
        stream.write(sums.table())


class _Sums:
    """Writes data, and keeps a checksum of every block."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._done: list[int] = []
        self._sum = self._filled = 0

    def write(self, data: memoryview | bytes) -> None:
        """Write some data."""
        self._stream.write(data)
        view = memoryview(data).cast("B") if len(data) else memoryview(b"")
        while len(view):
            part = view[: _BLOCK - self._filled]
            self._sum = zlib.crc32(part, self._sum)
            self._filled += len(part)
            view = view[len(part) :]
            if self._filled == _BLOCK:
                self._done.append(self._sum)
                self._sum = self._filled = 0

    def table(self) -> bytes:
        """Return the checksums, and one of these."""
        done = [*self._done, self._sum] if self._filled else self._done
        table = np.array(done, "<u4").tobytes()
        return table + struct.pack("<I", zlib.crc32(table))


class _Place(NamedTuple):
    """An array, where it begins in the data, and the bytes of a row."""

    array: NDArray[Any]
    begin: int
    width: int


_UNFIT = (
    AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError, struct.error,
)  # fmt: skip


def _check_place(kind: str, shape: Sequence[int], begin: int, size: int) -> None:
    """Raise a ValueError if an array does not lie within a file, which anyone may have made."""
    dtype = np.dtype(kind)
    if dtype.kind not in "biuf" or not all(type(one) is int and one >= 0 for one in shape):
        raise ValueError("no array")
    if not shape or begin < 0 or begin + math.prod(shape) * dtype.itemsize > size:
        raise ValueError("beyond the file")


@dataclass(eq=False)
class ArrayFile:
    """A file that `write_array_file` wrote, mapped into memory; `open` returns it.

    Parameters
    ----------
    path
        The file.
    """

    path: Path
    _data: memoryview
    _places: Mapping[str, tuple[str, Sequence[int], int]]
    _sums: NDArray[np.uint32]
    _seen: NDArray[np.bool_]
    _known: dict[str, _Place] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path) -> ArrayFile:
        """Map a file into memory.

        Raises
        ------
        InputError
            If there is none, or it is no such file, cut short or damaged.
        """
        try:
            with path.open("rb") as stream:
                length = os.fstat(stream.fileno()).st_size
                mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) if length else b""
        except OSError as error:
            raise InputError("files.unreadable", file=str(path), reason=error.strerror) from error
        try:
            return cls._read(path, memoryview(mapped))
        except _UNFIT as error:
            raise MalformedInputError("files.damaged", file=str(path)) from error

    @classmethod
    def _read(cls, path: Path, content: memoryview) -> ArrayFile:
        magic, length, checksum = _PREFIX.unpack(content[: _PREFIX.size])
        begin = _PREFIX.size + length
        header = content[_PREFIX.size : begin]
        if magic != _MAGIC or length > _LONGEST_HEADER or zlib.crc32(header) != checksum:
            raise ValueError("no header")
        known = json.loads(bytes(header))
        end = begin + known["size"]
        blocks = -(-known["size"] // _BLOCK)
        if len(content) != end + 4 * blocks + 4:
            raise ValueError("another size")
        table = content[end:-4]
        if zlib.crc32(table) != struct.unpack("<I", content[-4:])[0]:
            raise ValueError("the checksums are damaged")
        sums = np.frombuffer(table, "<u4")
        places = known["arrays"]
        for kind, shape, at in places.values():
            _check_place(kind, shape, at, known["size"])
        return cls(path, content[begin:end], places, sums, np.zeros(blocks, bool))

    def __contains__(self, name: str) -> bool:
        return name in self._places

    @property
    def names(self) -> list[str]:
        """The names of the arrays, in alphabetical order."""
        return sorted(self._places)

    def array(self, name: str) -> NDArray[Any]:
        """Return an array, all of it checked; raise a MalformedInputError if it is damaged."""
        array = self.unchecked(name)
        self.check(name, 0, len(array))
        return array

    def unchecked(self, name: str) -> NDArray[Any]:
        """Return an array; `check` its rows before they are used."""
        return self._place(name).array

    def rows(self, name: str, begin: int, end: int) -> NDArray[Any]:
        """Return some rows of an array, checked."""
        self.check(name, begin, end)
        return self._place(name).array[begin:end]

    def check(self, name: str, begin: int, end: int) -> None:
        """Compare the blocks that hold some rows with their checksums, each once.

        Raises
        ------
        MalformedInputError
            If a block is damaged.
        """
        place = self._place(name)
        self._check_blocks(
            (place.begin + begin * place.width) // _BLOCK,
            -(-(place.begin + end * place.width) // _BLOCK),
        )

    def check_ranges(self, name: str, begin: NDArray[np.int64], end: NDArray[np.int64]) -> None:
        """Check several ranges of rows; see `check`."""
        place = self._place(name)
        first = (place.begin + begin * place.width) // _BLOCK
        after = -(-(place.begin + end * place.width) // _BLOCK)
        is_short = (after - first).max(initial=0) <= 2  # noqa: PLR2004 - no block between two
        if is_short and self._seen[first].all() and self._seen[after - 1].all():
            return
        marks = np.zeros(len(self._sums) + 1, np.int64)
        np.add.at(marks, first, 1)
        np.add.at(marks, after, -1)
        self._compare(np.flatnonzero((np.cumsum(marks[:-1]) > 0) & ~self._seen))

    def _place(self, name: str) -> _Place:
        place = self._known.get(name)
        if place is None:
            kind, shape, begin = self._places[name]
            dtype = np.dtype(kind)
            width = dtype.itemsize * int(np.prod(shape[1:], dtype=np.int64))
            count = int(np.prod(shape, dtype=np.int64))
            array = np.frombuffer(self._data, dtype, count, begin).reshape(shape)
            place = self._known[name] = _Place(array, begin, width)
        return place

    def check_all(self) -> None:
        """Check the whole file; see `check`."""
        self._check_blocks(0, len(self._sums))

    def fingerprint(self) -> str:
        """Return the SHA-256 of header and checksums, which stands for the whole content."""
        header = json.dumps([self._places, len(self._data)], sort_keys=True)
        return sha256_of([header, self._sums.tobytes()])

    def _check_blocks(self, first: int, last: int) -> None:
        seen = self._seen
        if last - first == 1 and seen[first]:
            return
        self._compare(np.flatnonzero(~seen[first:last]) + first)

    def _compare(self, blocks: NDArray[np.int64]) -> None:
        for block, known in zip(blocks.tolist(), self._sums[blocks].tolist(), strict=True):
            if zlib.crc32(self._data[block * _BLOCK : (block + 1) * _BLOCK]) != known:
                raise MalformedInputError("files.damaged", file=str(self.path))
        self._seen[blocks] = True
