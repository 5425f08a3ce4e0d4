"""Read and write the files of a run; failures become errors that name the file."""

from __future__ import annotations

import json
import lzma
import shutil
from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, MalformedInputError, OutputError
from locisimiles.files.json_files import read_json, write_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

__all__ = [
    "complete_folder",
    "keep_settings",
    "reading",
    "writing",
]


@contextmanager
def reading(path: Path, *failures: type[Exception]) -> Iterator[None]:
    """Raise an InputError if a file cannot be read; `failures` are exceptions of its parser."""
    kinds: tuple[type[Exception], ...] = (EOFError, ValueError, lzma.LZMAError, *failures)
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("files.unreadable", file=str(path), reason=reason) from error
    except kinds as error:
        raise MalformedInputError("train.malformed", file=str(path), reason=str(error)) from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise an OutputError if a file or folder cannot be written."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError("files.unwritable", path=str(path), reason=reason) from error


@contextmanager
def complete_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder that replaces `path` when it is complete."""
    unfinished = path.with_name(f".{path.name}")
    with writing(path):
        for place in (unfinished, path):
            shutil.rmtree(place, ignore_errors=True)
        unfinished.mkdir(parents=True)
        yield unfinished
        unfinished.rename(path)


def keep_settings(
    path: Path,
    settings: Mapping[str, object],
    *,
    started: bool = True,
    ignored: Collection[str] = (),
) -> None:
    """Record the settings of a run in a JSON file; refuse to resume it with different ones.

    Settings in `ignored` may differ, and so may those of a run that has not `started`; an
    InputError names the others.
    """
    recorded = read_json(path) if started and path.exists() else None
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
