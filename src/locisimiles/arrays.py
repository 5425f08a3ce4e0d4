"""Named arrays in one file, the same bytes for the same content."""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
import zlib
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import InputError, MalformedInputError, OutputError, UnsafeInputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["load_arrays", "pack_strings", "save_arrays", "unpack_strings"]

_SOME_DAY = (1980, 1, 1, 0, 0, 0)
_MOST_BYTES = 1 << 30
_MOST_EFFORT = 9
# What zipfile and NumPy raise about files that are not what they should be.
_DAMAGES = (
    zipfile.BadZipFile,
    zlib.error,
    tokenize.TokenError,
    EOFError,
    KeyError,
    MemoryError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)


def save_arrays(
    path: Path, arrays: Mapping[str, NDArray[np.generic]], *, effort: int = _MOST_EFFORT
) -> None:
    """Write arrays to a ``.npz`` file that depends on nothing but them.

    Parameters
    ----------
    path
        The file.
    arrays
        By name.
    effort
        How hard they are compressed, from 1 (fast) to 9 (small).

    Raises
    ------
    OutputError
        If it cannot be written; what was there before then still is.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, array in sorted(arrays.items()):
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            member = zipfile.ZipInfo(f"{name}.npy", _SOME_DAY)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content.getvalue(), compresslevel=effort)
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_bytes(packed.getvalue())
        new.replace(path)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error


def load_arrays(path: Path) -> dict[str, NDArray[np.generic]]:
    """Read all arrays of a ``.npz`` file; nothing in it is executed.

    Raises
    ------
    InputError
        If there is no such file, or it is none of this kind.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > _MOST_BYTES:
                raise UnsafeInputError(
                    f"it would need more than {_MOST_BYTES >> 20} MB", file=str(path)
                )
            return {
                member.filename.removesuffix(".npy"): _read_array(archive.read(member))
                for member in members
            }
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=str(path)) from error
    except _DAMAGES as error:
        raise MalformedInputError("this is no file of arrays (.npz)", file=str(path)) from error


def _read_array(content: bytes) -> NDArray[np.generic]:
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }[version]
    shape, _, kind = read_header(stream)
    # What a header announces is not believed before there is room made for it.
    if math.prod(shape) * kind.itemsize != len(content) - stream.tell():
        raise ValueError("there is more or less than announced")
    stream.seek(0)
    array: NDArray[np.generic] = np.lib.format.read_array(stream, allow_pickle=False)
    return array


def pack_strings(strings: Sequence[str]) -> NDArray[np.uint8]:
    """Return strings without line breaks as one array of bytes.

    Examples
    --------
    >>> unpack_strings(pack_strings(["arma", "", "uirum"]))
    ['arma', '', 'uirum']
    """
    return np.frombuffer("".join(f"{string}\n" for string in strings).encode(), np.uint8)


def unpack_strings(packed: NDArray[np.generic]) -> list[str]:
    """Return what `pack_strings` was given.

    Raises
    ------
    ValueError
        If it was given something else.
    """
    text = packed.tobytes().decode()
    if packed.dtype != np.uint8 or (text and not text.endswith("\n")):
        raise ValueError("these are no packed strings")
    return text.split("\n")[:-1]
