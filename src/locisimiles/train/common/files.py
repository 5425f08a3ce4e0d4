"""Read and write the files of a run; failures become errors that name the file."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, MalformedInputError, OutputError
from locisimiles.files.hashing import file_sha256
from locisimiles.files.json_files import read_json, write_json
from locisimiles.files.writing import make_folder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

__all__ = ["file_sha256", "keep_settings", "make_folder", "reading", "write_json", "writing"]


@contextmanager
def reading(path: Path, *failures: type[Exception]) -> Iterator[None]:
    """Raise an InputError if a file cannot be read; `failures` are exceptions of its parser."""
    kinds: tuple[type[Exception], ...] = (EOFError, ValueError, lzma.LZMAError, *failures)
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("train.cannot_read", file=str(path), reason=reason) from error
    except kinds as error:
        raise MalformedInputError("train.malformed", file=str(path), reason=str(error)) from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise an OutputError if a file or folder cannot be written."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError("train.cannot_write", path=str(path), reason=reason) from error


def keep_settings(
    path: Path, settings: Mapping[str, object], *, ignored: Collection[str] = ()
) -> None:
    """Record the settings of a run in a JSON file; refuse to resume it with different ones.

    Raises
    ------
    InputError
        If the file holds different settings; those in `ignored` may differ.
    """
    recorded = read_json(path) if path.exists() else None
    if recorded is not None:
        differing = {name for name, _ in _entries(recorded) ^ _entries(settings)} - set(ignored)
        if differing:
            names = ", ".join(sorted(differing))
            raise InputError("train.different_settings", file=str(path), names=names)
    if recorded is None or _entries(recorded) != _entries(settings):
        write_json(path, dict(settings))


def _entries(settings: object) -> set[tuple[str, str]]:
    """Return names and values as JSON holds them, comparable whatever their types."""
    named = settings if isinstance(settings, Mapping) else {"": settings}
    return {(name, json.dumps(value, sort_keys=True)) for name, value in named.items()}
