"""Named arrays in one file; equal arrays give equal bytes."""

from __future__ import annotations

import io
import math
import zipfile
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.limits import check_packing
from locisimiles.files.raw import check_regular
from locisimiles.files.writing import atomic_binary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["load_arrays", "pack_strings", "save_arrays", "unpack_strings"]

_NO_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip file can hold


def save_arrays(path: Path, arrays: Mapping[str, NDArray[np.generic]], *, effort: int = 9) -> None:
    """Write named arrays to a ``.npz`` file that depends on nothing else; see `atomic`.

    `effort` is the level of compression, from 1 (fast) to 9 (small).
    """
    with atomic_binary(path) as stream, zipfile.ZipFile(stream, "w") as archive:
        for name, array in sorted(arrays.items()):
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            member = zipfile.ZipInfo(f"{name}.npy", _NO_DATE)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content.getvalue(), compresslevel=effort)


def load_arrays(path: Path) -> dict[str, NDArray[np.generic]]:
    """Read the arrays of a ``.npz`` file, or raise an InputError; nothing in it is executed."""
    try:
        check_regular(path)
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            unpacked = sum(member.file_size for member in members)
            check_packing(str(path), path.stat().st_size, unpacked)
            return {
                member.filename.removesuffix(".npy"): _read_array(archive.read(member))
                for member in members
            }
    except (InputError, MemoryError):
        raise
    except OSError as error:
        raise InputError("files.unreadable", file=str(path), reason=error.strerror) from error
    except Exception as error:  # zipfile and NumPy raise a dozen kinds for damaged files
        raise MalformedInputError("files.not_arrays", file=str(path)) from error


def _read_array(content: bytes) -> NDArray[np.generic]:
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }[version]
    shape, _, kind = read_header(stream)
    # Check the declared size before memory is reserved for it.
    if math.prod(shape) * kind.itemsize != len(content) - stream.tell():
        raise ValueError("the header declares another size")
    stream.seek(0)
    array: NDArray[np.generic] = np.lib.format.read_array(stream, allow_pickle=False)
    return array


def pack_strings(strings: Sequence[str]) -> NDArray[np.uint8]:
    """Pack strings without line breaks into one array of bytes.

    Examples
    --------
    >>> unpack_strings(pack_strings(["arma", "", "uirum"]))
    ['arma', '', 'uirum']
    """
    return np.frombuffer("".join(f"{string}\n" for string in strings).encode(), np.uint8)


def unpack_strings(packed: NDArray[np.generic]) -> list[str]:
    """Return the strings that `pack_strings` packed; raise a ValueError for other arrays."""
    text = packed.tobytes().decode()
    if packed.dtype != np.uint8 or (text and not text.endswith("\n")):
        raise ValueError("not packed strings")
    return text.split("\n")[:-1]
