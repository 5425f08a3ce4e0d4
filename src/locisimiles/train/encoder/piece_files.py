"""The pieces of a corpus as compressed files, small enough to be sent to another machine."""

from __future__ import annotations

import lzma
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import MalformedInputError
from locisimiles.files.writing import atomic_binary, make_folder
from locisimiles.train.common.files import reading

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["read_piece_files", "write_piece_files"]

_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 4, "lc": 0, "lp": 1, "pb": 1}]  # two bytes each
_BYTES = 2


def write_piece_files(
    pieces: NDArray[np.uint16], folder: Path, *, each: int = 20_000_000
) -> list[Path]:
    """Write `each` pieces compressed to a file, ``pieces-00.xz`` and so on; return the files.

    Twenty million pieces take some 25 MB.
    """
    make_folder(folder)
    paths = []
    for number, begin in enumerate(range(0, len(pieces), each)):
        content = pieces[begin : begin + each].astype("<u2").tobytes()
        path = folder / f"pieces-{number:02}.xz"
        with atomic_binary(path) as stream:
            stream.write(lzma.compress(content, format=lzma.FORMAT_XZ, filters=_FILTERS))
        paths.append(path)
    return paths


def read_piece_files(paths: Sequence[Path]) -> NDArray[np.uint16]:
    """Read the pieces of such files, or of ``.npy`` files, in this order."""
    parts = [np.empty(0, np.uint16)]
    for path in paths:
        with reading(path):
            if path.suffix == ".npy":
                parts.append(np.load(path))
                continue
            content = lzma.decompress(path.read_bytes())
        if len(content) % _BYTES:
            raise MalformedInputError(
                "train.malformed", file=str(path), reason="an odd number of bytes"
            )
        parts.append(np.frombuffer(content, "<u2").astype(np.uint16))
    return np.concatenate(parts)
