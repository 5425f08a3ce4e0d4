"""The content of a file, and its name in messages."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from locisimiles.errors import InputError

__all__ = ["LARGEST_INPUT", "RawInput", "printable", "read_raw"]

LARGEST_INPUT = 512 * 1024**2
"""Maximum size of a file, in bytes."""
_MB = 10**6


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
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise InputError("files.not_regular", file=name)
        if status.st_size > LARGEST_INPUT:
            raise InputError(
                "files.too_large",
                file=name,
                size=round(status.st_size / _MB),
                most=round(LARGEST_INPUT / _MB),
            )
        return RawInput(str(path), path.read_bytes(), by_itself)
    except FileNotFoundError as error:
        raise InputError("files.not_found", file=name) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("files.unreadable", file=name, reason=reason) from error


def printable(text: str) -> str:
    r"""Return a text with control characters replaced, safe to print on a terminal.

    Examples
    --------
    >>> printable("id\x1b[2J")
    'id�[2J'
    """
    return "".join(letter if letter.isprintable() else "�" for letter in text)
