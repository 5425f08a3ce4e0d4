"""Download one file through pooch: resumable, verified, and whole or not at all."""

from __future__ import annotations

import errno
import secrets
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from locisimiles.errors import DownloadError, OutputError
from locisimiles.files.hashing import file_sha256
from locisimiles.files.writing import make_folder, sync_file, sync_folder
from locisimiles.messages import Message
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from locisimiles.progress import Progress

__all__ = ["fetch"]

_CHUNK = 8 * 1024  # the most that is lost when a connection breaks
_PARTIAL_CONTENT = 206
_ERRORS = 400
_RANGE_REFUSED = 416
_SERVER_ERRORS = 500
_RETRIES = 3
_TIMEOUT = 30.0
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT)


class _TransferError(ValueError):
    """A failure after which pooch tries again."""

    def __init__(self, reason: str | Message, *, unreachable: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.unreachable = reason, unreachable


def fetch(
    address: str,
    target: Path,
    *,
    size: int,
    sha256: str,
    progress: Progress = silent,
    timeout: float = _TIMEOUT,
) -> None:
    """Download a file from the web to `target`, which it replaces when complete and verified.

    Received bytes are kept in a ``.part`` file beside the target, from which a later call resumes.
    Several threads or processes may download the same file at once; each receives it whole. If the
    download fails, or the file has another size or SHA-256, a DownloadError is raised; if it cannot
    be written, an OutputError. `timeout` is in seconds.
    """
    import pooch  # only needed for downloads

    if not address.startswith(("https://", "http://")):
        raise DownloadError("corpus.not_a_web_address", address=address)
    make_folder(target.parent)
    with _part_of(target) as part:

        def download(url: str, output: str, _: object) -> None:
            resumed = _receive(url, part, size, lambda *news: progress(target.name, *news), timeout)
            # A resumed file may have begun as another one; pooch then downloads it again.
            if not resumed and file_sha256(part) != sha256:
                part.unlink()
                raise DownloadError("corpus.other_content", address=address)
            sync_file(part)
            part.replace(output)

        pooch.get_logger().setLevel("WARNING")
        keeper = pooch.Pooch(
            target.parent,
            base_url="",
            registry={target.name: f"sha256:{sha256}"},
            urls={target.name: address},
            retry_if_failed=_RETRIES,
        )
        try:
            keeper.fetch(target.name, downloader=download)
            sync_folder(target.parent)
        except _TransferError as error:
            raise _failed(address, error) from error
        except ValueError as error:
            damaged = Message("corpus.copy_damaged")
            raise DownloadError(
                "corpus.download_interrupted", address=address, reason=damaged
            ) from error
        except OSError as error:
            raise _unwritable(target, error) from error


@contextmanager
def _part_of(target: Path) -> Iterator[Path]:
    """Give the file that bytes are received in: one that no other thread or process writes to."""
    part = target.with_name(f"{target.name}.part")
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows: a mixture of two downloads is noticed by its SHA-256
        yield part
        return
    try:
        stream = part.open("ab")
    except OSError as error:
        raise _unwritable(target, error) from error
    with stream:
        try:
            flock(stream, LOCK_EX | LOCK_NB)  # released with the file, even by a killed process
        except BlockingIOError:
            own = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
            try:
                yield own
            finally:
                own.unlink(missing_ok=True)
        else:
            try:
                yield part
            finally:
                with suppress(OSError):
                    if part.stat().st_size == 0:
                        part.unlink()


def _failed(address: str, error: _TransferError) -> DownloadError:
    if error.unreachable:
        server = address.split("/")[2]
        return DownloadError("corpus.unreachable", server=server, reason=error.reason)
    return DownloadError("corpus.download_interrupted", address=address, reason=error.reason)


def _unwritable(target: Path, error: OSError) -> OutputError:
    if error.errno in _NO_SPACE:
        return OutputError("files.no_space", path=str(target))
    return OutputError("files.unwritable", path=str(target), reason=error.strerror)


def _receive(
    address: str, part: Path, size: int, progress: Callable[[int, int], None], timeout: float
) -> bool:
    """Bring the part file up to its full size; return whether it was resumed."""
    import requests

    received = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"}  # so that bytes can be counted
    if 0 < received < size:
        headers["Range"] = f"bytes={received}-"
    try:
        answer = requests.get(address, headers=headers, stream=True, timeout=timeout)
    except requests.RequestException as error:
        unreachable = isinstance(error, requests.ConnectionError)
        raise _TransferError(_root_cause(error), unreachable=unreachable) from error
    with answer:
        code = answer.status_code
        if code >= _ERRORS:
            refusal = Message("corpus.server_answer", {"code": str(code), "reason": answer.reason})
            if code == _RANGE_REFUSED:
                part.unlink(missing_ok=True)
            elif code < _SERVER_ERRORS:  # trying again will not help
                raise DownloadError("corpus.download_refused", address=address, reason=refusal)
            raise _TransferError(refusal)
        resumed = code == _PARTIAL_CONTENT
        with part.open("ab" if resumed else "wb") as stream:
            # A connection that breaks off ends the loop; the size tells.
            with suppress(requests.RequestException):
                for chunk in answer.iter_content(_CHUNK):
                    stream.write(chunk)
                    progress(stream.tell(), size)
                    if stream.tell() > size:
                        break
            received = stream.tell()
    if received > size:
        part.unlink()
        reason = Message("corpus.too_many_bytes", {"size": size})
        raise DownloadError("corpus.download_refused", address=address, reason=reason)
    if received < size:
        raise _TransferError(Message("corpus.broken_off", {"received": received, "size": size}))
    return resumed


def _root_cause(error: BaseException) -> str:
    while error.__context__:
        error = error.__context__
    return getattr(error, "strerror", "") or str(error) or type(error).__name__
