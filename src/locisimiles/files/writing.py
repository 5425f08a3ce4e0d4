"""Write files atomically and durably, and never over another file by accident.

A file is written under a hidden name beside its own, synced to the disk, renamed, and its folder is
synced: what we call written survives a power failure. A hidden file that a killed program left
behind is deleted by the next program that writes the same file.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import tempfile
from contextlib import contextmanager, suppress
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
    "remove_abandoned",
    "sync_file",
    "sync_folder",
    "unfinished",
]

_UNFINISHED = ".locisimiles-part"
_LONGEST_NAME = 50
_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EACCES}  # of folders, where a file system cannot


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


def atomic(path: Path) -> AbstractContextManager[TextIO]:
    """Open a text file that replaces an existing one only when it is complete and on the disk.

    If it cannot be written, an OutputError is raised and the existing file left untouched.
    """
    return _replace(path, "w", encoding="utf-8", newline="")


def atomic_binary(path: Path) -> AbstractContextManager[BinaryIO]:
    """Open a binary file that replaces an existing one only when complete; see `atomic`."""
    return _replace(path, "wb")


@contextmanager
def unfinished(path: Path, *, replace: bool = True) -> Iterator[Path]:
    """Give the path of an empty private file, which gets the name `path` at the end of the block.

    Without `replace`, an OutputError is raised if there is a file of that name by then.
    """
    handle: int | None = None
    # Named before it is created, so that an interruption at any moment leaves nothing behind.
    temporary = path.with_name(f"{_hidden(path)}{secrets.token_hex(8)}{_UNFINISHED}")
    try:
        _remove_abandoned(path)
        handle = _create(temporary)
        yield temporary
        sync_file(temporary)
        if os.name == "nt":  # nothing can rename an open file there
            os.close(handle)
            handle = None
        if replace:
            temporary.replace(path)
        else:
            _link(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError("files.unwritable", path=str(path), reason=reason) from error
    finally:
        with suppress(OSError):  # the folder may be none, or the name too long
            temporary.unlink(missing_ok=True)
        if handle is not None:
            os.close(handle)


def sync_file(path: Path) -> None:
    """Wait until the bytes of a file are on the disk."""
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Return the path of a new file for a library that opens files itself.

    When the block ends, it is durable and replaces an existing file; see `atomic`. The file is in a
    private folder, which a killed program leaves behind; see `remove_abandoned`.
    """
    try:
        parent = path.parent
        with _private_folder(path) as folder:
            temporary = folder / path.name
            yield temporary
            sync_file(temporary)
            temporary.replace(path)
        sync_folder(parent)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError("files.unwritable", path=str(path), reason=reason) from error


@contextmanager
def _private_folder(path: Path) -> Iterator[Path]:
    """Create a hidden folder beside a file, locked as long as it is used, and delete it."""
    while True:
        folder = tempfile.TemporaryDirectory(_UNFINISHED, _hidden(path), path.parent)
        handle = _open_folder(Path(folder.name))
        # Another program may have taken it for an abandoned one before it was locked.
        is_ours = None if handle is None else _lock(handle)
        if handle is None or is_ours is None or (is_ours and os.fstat(handle).st_nlink):
            break
        os.close(handle)
    try:
        with folder as name:
            yield Path(name)
    finally:
        if handle is not None:
            os.close(handle)


def remove_abandoned(folder: Path) -> None:
    """Delete the private folders that killed programs have left in a folder; see `atomic_path`."""
    with suppress(OSError):  # we may not list it
        for other in folder.glob(f".*{_UNFINISHED}"):
            handle = _open_folder(other)
            if handle is None:
                continue
            try:
                if _lock(handle):
                    shutil.rmtree(other, ignore_errors=True)
            finally:
                os.close(handle)


def _open_folder(path: Path) -> int | None:
    try:
        return os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError:  # it is gone, or a file; on Windows, folders cannot be opened
        return None


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can."""
    if os.name == "nt":  # folders cannot be opened there
        return
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:  # we may write in it, but not list it
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(handle)


@contextmanager
def _replace(path: Path, mode: str, **options: str) -> Iterator[Any]:
    try:
        with unfinished(path) as temporary:
            with temporary.open(mode, **options) as stream:  # type: ignore[call-overload]
                yield stream
            # The file is private so far; give it the permissions of any new file.
            umask = os.umask(0)
            os.umask(umask)
            temporary.chmod(0o666 & ~umask)
    except UnicodeEncodeError as error:
        raise OutputError("files.half_character", path=str(path)) from error


def _create(path: Path) -> int:
    """Create a private file, locked as long as the handle that is returned is open."""
    while True:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(path, flags, 0o600)
        # Another program may have taken it for an abandoned one before it was locked.
        is_ours = _lock(handle)
        if is_ours is None or (is_ours and os.fstat(handle).st_nlink):
            return handle
        os.close(handle)
        path.unlink(missing_ok=True)


def _remove_abandoned(path: Path) -> None:
    """Delete what killed programs have left of a file: nobody holds a lock on it any more."""
    with suppress(OSError):  # we may not list the folder
        for other in path.parent.iterdir():
            if other.name.startswith(_hidden(path)) and other.name.endswith(_UNFINISHED):
                _remove_if_abandoned(other)


def _remove_if_abandoned(path: Path) -> None:
    with suppress(OSError):  # it is gone, or somebody else's
        handle = os.open(path, os.O_RDWR)
        try:
            if _lock(handle):
                path.unlink()
        finally:
            os.close(handle)


def _hidden(path: Path) -> str:
    return f".{path.name[:_LONGEST_NAME]}."


def _lock(handle: int) -> bool | None:
    """Lock a file until it is closed; tell whether that succeeded, None if locks are unknown."""
    try:
        import fcntl
    except ImportError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _link(temporary: Path, path: Path) -> None:
    try:
        os.link(temporary, path)
    except FileExistsError as error:
        raise OutputError("files.exists", path=str(path)) from error
    temporary.unlink()
