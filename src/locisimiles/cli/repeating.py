"""The arguments of a search as its manifest keeps them, so that it can be repeated."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NOT_REPEATED", "PLACES", "repeatable"]

PLACES = ("query", "source", "classifier", "vectors", "model", "lemmatizer")
"""The arguments that may be paths."""
NOT_REPEATED = ("output", "overwrite", "memory", "jobs", "dry_run")
"""The arguments that results do not depend on."""


def repeatable(arguments: Mapping[str, object], folder: Path) -> dict[str, object]:
    """Return the arguments of a search, with paths as they are from the folder of its table.

    Folders that hold both texts and table can be moved and handed on.

    Examples
    --------
    >>> repeatable({"query": "vergil", "k": 3, "jobs": 2}, Path("."))
    {'query': 'vergil', 'k': 3}
    """
    return {
        name: _from(value, folder) if name in PLACES else value
        for name, value in arguments.items()
        if name not in NOT_REPEATED
    }


def _from(value: object, folder: Path) -> object:
    if isinstance(value, list):
        return [_from(one, folder) for one in value]
    if not isinstance(value, str) or not _exists(value):
        return value
    try:
        return Path(os.path.relpath(value, folder)).as_posix()
    except ValueError:  # on another drive
        return str(Path(value).resolve())


def _exists(name: str) -> bool:
    try:
        return name not in ("", "-") and Path(name).exists()
    except (OSError, ValueError):
        return False
