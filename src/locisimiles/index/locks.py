"""One writer, many readers: locks that end with the program that holds them, however it ends."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from locisimiles.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["ReaderLock", "no_readers", "waiting", "writing"]

_WRITER, _READERS = "writer.lock", "readers.lock"


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Hold the lock of the only writer.

    Raises
    ------
    OutputError
        If another program holds it, or the folder cannot be written.
    """
    try:
        handle = os.open(folder / _WRITER, os.O_RDWR | os.O_CREAT, 0o666)
        # Made now, so that readers who may not write can lock it.
        os.close(os.open(folder / _READERS, os.O_RDWR | os.O_CREAT, 0o666))
    except OSError as error:
        raise OutputError("files.unwritable", path=str(folder), reason=error.strerror) from error
    try:
        if not _lock(handle, exclusive=True, wait=False):
            raise OutputError("index.busy", folder=str(folder))
        yield
    finally:
        os.close(handle)


@contextmanager
def waiting(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold the lock of a file, which stays; wait until nobody else holds it.

    Raises
    ------
    OutputError
        If it cannot be written, or another program holds it and we do not wait.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise OutputError("files.unwritable", path=str(path), reason=error.strerror) from error
    try:
        if not _lock(handle, exclusive=True, wait=wait):
            raise OutputError("index.busy", folder=str(path.with_suffix("")))
        yield
    finally:
        os.close(handle)


class ReaderLock:
    """Keeps the files of a generation from being deleted; held until closed or forgotten."""

    def __init__(self, folder: Path) -> None:
        self._handle: int | None = None
        # Without the file, nobody has ever written here, or nobody can.
        with suppress(OSError):
            self._handle = os.open(folder / _READERS, os.O_RDONLY)
            _lock(self._handle, exclusive=False, wait=True)

    def close(self) -> None:
        """Release the lock."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __del__(self) -> None:
        self.close()


@contextmanager
def no_readers(folder: Path) -> Iterator[bool]:
    """Tell whether nobody reads; new readers wait for the end of the block."""
    handle = os.open(folder / _READERS, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        yield _lock(handle, exclusive=True, wait=False)
    finally:
        os.close(handle)


def _lock(handle: int, *, exclusive: bool, wait: bool) -> bool:
    """Lock a file, and tell whether that succeeded; closing it, or the program's end, unlocks."""
    try:
        import fcntl
    except ImportError:  # Windows has no shared locks: there, files in use cannot be deleted
        return _lock_on_windows(handle) if exclusive else True
    kind = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
    try:
        fcntl.flock(handle, kind if wait else kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lock_on_windows(handle: int) -> bool:
    import msvcrt

    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    return True
