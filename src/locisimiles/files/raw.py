"""The content of a file, and its name in messages."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, UnsafeInputError
from locisimiles.files.limits import VARIABLE, current_limits

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["RawInput", "check_regular", "printable", "read_raw", "read_stream"]

_MB = 10**6
_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class RawInput:
    """The content of a file.

    Attributes
    ----------
    name
        Its name in messages: a path, ``archive.zip/member.xml``, ``<stdin>``.
    data
        Its bytes.
    by_itself
        True if the user named it, False if it was found in a folder or zip file. An unusable file
        that was found is left out with a note; one that was named raises an error.
    """

    name: str
    data: bytes
    by_itself: bool = True

    @property
    def suffix(self) -> str:
        """The file suffix in lower case, with its dot."""
        return PurePosixPath(self.name.replace(os.sep, "/")).suffix.lower()

    @property
    def stem(self) -> str:
        """The file name without folder and suffix."""
        return PurePosixPath(self.name.replace(os.sep, "/")).stem


def read_raw(path: Path, *, by_itself: bool = True) -> RawInput:
    """Read a file; raise an InputError if it is missing, too large or unreadable."""
    name = printable(str(path))
    try:
        check_regular(path)
        _check_size(name, path.stat().st_size)
        return RawInput(str(path), path.read_bytes(), by_itself)
    except FileNotFoundError as error:
        raise InputError("files.not_found", file=name) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("files.unreadable", file=name, reason=reason) from error


def check_regular(path: Path) -> None:
    """Raise an InputError if a path is no file but a pipe or a device, which may never end."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise InputError("files.not_regular", file=printable(str(path)))


def read_stream(stream: BinaryIO, name: str, *, by_itself: bool = True) -> RawInput:
    """Read a stream to its end; raise an UnsafeInputError if it is too large."""
    data = bytearray()
    while more := stream.read(_AT_ONCE):
        data += more
        _check_size(printable(name), len(data))
    return RawInput(name, bytes(data), by_itself)


def _check_size(name: str, size: int) -> None:
    most = current_limits().bytes
    if size > most:
        raise UnsafeInputError(
            "files.too_large", file=name, size=size // _MB, most=most // _MB, variable=VARIABLE
        )


def printable(text: str) -> str:
    r"""Return a text with control characters replaced, safe to print on a terminal.

    Examples
    --------
    >>> printable("id\x1b[2J")
    'id�[2J'
    """
    return "".join(letter if letter.isprintable() else "�" for letter in text)
