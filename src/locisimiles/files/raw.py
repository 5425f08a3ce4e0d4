"""The bytes of one file, and what messages call it."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from locisimiles.errors import InputError

__all__ = ["LARGEST_INPUT", "RawInput", "printable", "read_raw"]

LARGEST_INPUT = 512 * 1024**2
"""How many bytes a file may have."""
_MB = 10**6


@dataclass(frozen=True, slots=True)
class RawInput:
    """The bytes of one file.

    Attributes
    ----------
    name
        What messages call it: a path, ``archive.zip/member.xml``, ``<stdin>``.
    data
        Its content.
    by_itself
        True if the user named it, False if it was found in a folder or zip file. A file that was
        found and is unusable is left out with a note; one that was named is an error.
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
    """Read a file; raise an InputError if there is none, it is too large or cannot be read."""
    name = printable(str(path))
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise InputError("files.not_regular", file=name)
        if status.st_size > LARGEST_INPUT:
            raise InputError("files.too_large", file=name, size=round(status.st_size / _MB))
        return RawInput(str(path), path.read_bytes(), by_itself)
    except FileNotFoundError as error:
        raise InputError("files.not_found", file=name) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("files.unreadable", file=name, reason=reason) from error


def printable(text: str) -> str:
    r"""Return a text without characters that would disturb a terminal.

    Examples
    --------
    >>> printable("id\x1b[2J")
    'id�[2J'
    """
    return "".join(letter if letter.isprintable() else "�" for letter in text)
