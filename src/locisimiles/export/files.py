"""Files that appear whole or not at all, and never in the place of another by accident."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from locisimiles.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["atomic", "atomic_binary", "check_file", "manifest_beside"]


def check_file(
    path: str | os.PathLike[str],
    *,
    suffixes: Sequence[str],
    overwrite: bool = False,
    companions: Callable[[Path], Sequence[Path]] = lambda path: (manifest_beside(path),),
) -> Path:
    """Make sure that a file can be written, before its content is computed.

    Parameters
    ----------
    path
        Where it shall be.
    suffixes
        The suffixes it may have.
    overwrite
        Whether a file that is there may be replaced.
    companions
        What will be written beside it.

    Raises
    ------
    OutputError
        If its suffix is unknown, its folder missing, or the file there already.
    """
    path = Path(path)
    if path.suffix.lower() not in suffixes:
        raise OutputError(
            f"{path} has no suffix we can write here", hint=f"use one of {', '.join(suffixes)}"
        )
    try:
        if not path.parent.is_dir():
            raise OutputError(f"there is no folder {path.parent}", hint="make it first")
        if path.is_dir():
            raise OutputError(f"{path} is a folder", hint="choose another name")
        for place in (path, *companions(path)):
            if place.exists() and not overwrite:
                raise OutputError(
                    f"{place} exists already", hint="choose another name, or add --overwrite"
                )
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error
    return path


def manifest_beside(path: Path) -> Path:
    """Return where the manifest of a table goes that cannot hold one itself."""
    return path.with_name(f"{path.name}.manifest.json")


@contextmanager
def atomic(path: Path) -> Iterator[TextIO]:
    """Open a file for writing text that takes its place only if all went well.

    Raises
    ------
    OutputError
        If it cannot be written; what was there before is then untouched.
    """
    with _in_its_place(path, lambda file: os.fdopen(file, "w", encoding="utf-8", newline="")) as (
        stream
    ):
        yield stream


@contextmanager
def atomic_binary(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing bytes that takes its place only if all went well.

    Raises
    ------
    OutputError
        If it cannot be written; what was there before is then untouched.
    """
    with _in_its_place(path, lambda file: os.fdopen(file, "wb")) as stream:
        yield stream


@contextmanager
def _in_its_place(path: Path, opened: Callable[[int], Any]) -> Iterator[Any]:
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
        temporary = Path(name)
        with opened(handle) as stream:
            yield stream
        # mkstemp makes private files; give results the rights any new file would have.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror or error}") from error
    except UnicodeEncodeError as error:
        raise OutputError(
            f"{path} cannot be written: there is half a character in a text (a lone surrogate)",
            hint="correct the text",
        ) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
