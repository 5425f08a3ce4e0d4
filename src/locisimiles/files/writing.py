"""Write files atomically, and never over another file by accident."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from locisimiles.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

__all__ = [
    "atomic",
    "atomic_binary",
    "atomic_path",
    "check_file",
    "make_folder",
    "manifest_beside",
    "sync_folder",
]


def check_file(
    path: str | os.PathLike[str],
    *,
    suffixes: Sequence[str],
    overwrite: bool = False,
    companions: Callable[[Path], Sequence[Path]],
) -> Path:
    """Check that a file can be written, before its content is computed.

    Raise an OutputError if the suffix is unknown, the folder is missing, or, without `overwrite`,
    the file or one of the `companions` written beside it exists.
    """
    path = Path(path)
    if path.suffix.lower() not in suffixes:
        raise OutputError("files.unknown_suffix", path=str(path), suffixes=", ".join(suffixes))
    try:
        if not path.parent.is_dir():
            raise OutputError("files.no_folder", folder=str(path.parent))
        if path.is_dir():
            raise OutputError("files.is_folder", path=str(path))
        for place in (path, *companions(path)):
            if place.exists() and not overwrite:
                raise OutputError("files.exists", path=str(place))
    except OSError as error:
        raise OutputError("files.unwritable", path=str(path), reason=error.strerror) from error
    return path


def manifest_beside(path: Path) -> Path:
    """Return the path of the manifest of a table whose format cannot hold one."""
    return path.with_name(f"{path.name}.manifest.json")


def make_folder(path: Path) -> Path:
    """Create a folder with its parents unless it exists, or raise an OutputError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError("files.unwritable", path=str(path), reason=error.strerror) from error
    return path


def atomic(path: Path, *, durable: bool = False) -> AbstractContextManager[TextIO]:
    """Open a text file that replaces an existing one only when it is complete.

    If it cannot be written, an OutputError is raised and the existing file left untouched. A
    `durable` file is on the disk before it replaces another, so that it survives a power failure.
    """
    return _replace(path, "w", durable=durable, encoding="utf-8", newline="")


def atomic_binary(path: Path, *, durable: bool = False) -> AbstractContextManager[BinaryIO]:
    """Open a binary file that replaces an existing one only when complete; see `atomic`."""
    return _replace(path, "wb", durable=durable)


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Return the path of a new file for a library that opens files itself.

    When the block ends, it is durable and replaces an existing file; see `atomic`.
    """
    try:
        parent, prefix = path.parent, f".{path.name[:100]}."
        with tempfile.TemporaryDirectory(dir=parent, prefix=prefix) as folder:
            temporary = Path(folder) / path.name
            yield temporary
            with temporary.open("rb+") as stream:
                os.fsync(stream.fileno())
            temporary.replace(path)
        sync_folder(parent)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError("files.unwritable", path=str(path), reason=reason) from error


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can."""
    if os.name == "nt":  # folders cannot be opened there
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _replace(path: Path, mode: str, *, durable: bool, **options: str) -> Iterator[Any]:
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
        temporary = Path(name)
        with os.fdopen(handle, mode, **options) as stream:  # type: ignore[call-overload]
            yield stream
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        # mkstemp creates private files; give results the permissions of any new file.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
        if durable:
            sync_folder(path.parent)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError("files.unwritable", path=str(path), reason=reason) from error
    except UnicodeEncodeError as error:
        raise OutputError("files.half_character", path=str(path)) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
