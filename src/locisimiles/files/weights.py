"""Files of learnt weights: JSON that is checked when it is read."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

from locisimiles.errors import MalformedInputError, OutputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["fingerprint", "read_weights", "write_weights"]

_Weights = TypeVar("_Weights")
# What a file that holds something else may raise while it is read.
_WRONG_CONTENT = (
    OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip


def fingerprint(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def write_weights(path: Path, text: str) -> None:
    """Write weights to a file.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError("files.unwritable", path=str(path), reason=str(error.strerror)) from error


def read_weights(path: Path, parse: Callable[[str], _Weights], *, command: str) -> _Weights:
    """Read weights from a file.

    Parameters
    ----------
    path
        The file.
    parse
        Makes the weights of its text.
    command
        The command of ours that writes such files.

    Raises
    ------
    MalformedInputError
        If the file holds something else.
    """
    try:
        return parse(path.read_text(encoding="utf-8"))
    except _WRONG_CONTENT as error:
        raise MalformedInputError("files.no_weights", file=str(path), command=command) from error
