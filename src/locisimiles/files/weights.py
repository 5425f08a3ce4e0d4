"""Files of learnt weights: JSON that is checked when it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from locisimiles.errors import InputError, MalformedInputError, UnsafeInputError
from locisimiles.files.raw import read_raw
from locisimiles.files.writing import atomic

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["read_weights", "write_weights"]

_Weights = TypeVar("_Weights")
# What parsing a file with other content may raise.
_WRONG_CONTENT = (
    InputError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip


def write_weights(path: Path, text: str) -> None:
    """Write weights to a file; raise an OutputError if it cannot be written."""
    with atomic(path) as stream:
        stream.write(text)


def read_weights(path: Path, parse: Callable[[str], _Weights], *, command: str) -> _Weights:
    """Read weights from a file; raise a MalformedInputError if it has other content.

    `parse` makes weights from the text of the file; `command` is the command that writes such
    files.
    """
    try:
        return parse(read_raw(path).data.decode("utf-8"))
    except UnsafeInputError:
        raise
    except _WRONG_CONTENT as error:
        raise MalformedInputError("files.no_weights", file=str(path), command=command) from error
