"""Read and write numbers and lists in JSON files, with errors that name the file."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from locisimiles.errors import InputError, MalformedInputError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["json_number", "list_in", "read_json"]

_DIGITS = 6


def json_number(value: float) -> float | None:
    """Return a number with six decimals; None for what JSON cannot write.

    Examples
    --------
    >>> json_number(1 / 3), json_number(float("nan"))
    (0.333333, None)
    """
    return round(float(value), _DIGITS) if math.isfinite(value) else None


def read_json(path: Path) -> object:
    """Read a JSON file.

    Raises
    ------
    InputError
        If it is not there or is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=str(path)) from error
    except (ValueError, RecursionError) as error:
        raise MalformedInputError(f"this is no JSON file ({error})", file=str(path)) from error


def list_in(content: object, name: str, path: Path) -> list[Any]:
    """Return the list that a JSON object holds under a name.

    Raises
    ------
    MalformedInputError
        If there is none.
    """
    found = content.get(name) if isinstance(content, dict) else None
    if not isinstance(found, list):
        raise MalformedInputError(f"there is no list of {name}", file=str(path))
    return found
