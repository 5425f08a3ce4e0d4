"""Download one file over HTTP: resumable, verified, and whole or not at all."""

from __future__ import annotations

import hashlib
import http.client
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from locisimiles.errors import DownloadError
from locisimiles.messages import Message
from locisimiles.progress import silent

if TYPE_CHECKING:
    from pathlib import Path

    from locisimiles.progress import Progress

__all__ = ["fetch"]

_CHUNK = 64 * 1024
_PARTIAL_CONTENT = 206
_RANGE_REFUSED = 416
_SERVER_ERRORS = 500
_ATTEMPTS = 4
_PAUSE = 0.5
_TIMEOUT = 30.0


def fetch(
    address: str,
    target: Path,
    *,
    size: int,
    sha256: str,
    progress: Progress = silent,
    timeout: float = _TIMEOUT,
) -> None:
    """Download a file from the web and put it at `target` when it is complete and verified.

    Received bytes are kept in a ``.part`` file beside the target, from which a later call resumes.
    If the download fails, or the file has another size or fingerprint, a DownloadError is raised
    and the target untouched.

    Parameters
    ----------
    progress
        Called with the name of the file, the bytes received, and `size`.
    timeout
        Seconds of silence after which a connection is given up.
    """
    if not _is_web_address(address):
        raise DownloadError("corpus.not_a_web_address", address=address)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DownloadError(
            "files.unwritable", path=str(target.parent), reason=error.strerror
        ) from error
    part = target.with_name(f"{target.name}.part")
    problem: str | Message = ""
    for attempt in range(_ATTEMPTS):
        resumed = part.exists()
        problem = _transfer(address, part, size, progress, timeout)
        if not problem:
            if hashlib.sha256(part.read_bytes()).hexdigest() == sha256:
                part.replace(target)
                return
            part.unlink()
            if not resumed:
                raise DownloadError("corpus.other_content", address=address)
            continue  # the part we had may have been the wrong one: once more from the start
        if attempt + 1 < _ATTEMPTS:
            time.sleep(_PAUSE * 2**attempt)
    problem = problem or Message("corpus.copy_damaged")
    raise DownloadError("corpus.download_interrupted", address=address, reason=problem)


def _is_web_address(address: str) -> bool:
    try:
        return address.isascii() and urlsplit(address).scheme in ("https", "http")
    except ValueError:
        return False


def _transfer(
    address: str, part: Path, size: int, progress: Progress, timeout: float
) -> str | Message:
    """Bring the part file up to its full size; return what went wrong, if anything did."""
    if part.exists() and part.stat().st_size >= size:
        part.unlink()
    try:
        received = _receive(address, part, size, progress, timeout)
    except urllib.error.HTTPError as error:
        error.close()
        answer = Message(
            "corpus.server_answer", {"code": str(error.code), "reason": str(error.reason)}
        )
        if error.code == _RANGE_REFUSED:
            part.unlink(missing_ok=True)
        elif error.code < _SERVER_ERRORS:  # asking again will not help
            raise DownloadError(
                "corpus.download_refused", address=address, reason=answer
            ) from error
        return answer
    except (OSError, http.client.HTTPException) as error:
        return str(getattr(error, "reason", error)) or type(error).__name__
    if received > size:
        part.unlink()
        return Message("corpus.too_many_bytes", {"size": size})
    if received < size:
        return Message("corpus.broken_off", {"received": received, "size": size})
    return ""


def _receive(address: str, part: Path, size: int, progress: Progress, timeout: float) -> int:
    """Append what the server sends to the part file; return how many bytes it then has."""
    received = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(address)  # noqa: S310 - the scheme was checked
    if received:
        request.add_header("Range", f"bytes={received}-")
    with urllib.request.urlopen(request, timeout=timeout) as answer:  # noqa: S310
        if answer.status != _PARTIAL_CONTENT:
            received = 0
        with part.open("ab" if received else "wb") as stream:
            while received <= size and (chunk := answer.read(_CHUNK)):
                stream.write(chunk)
                received += len(chunk)
                progress(part.name.removesuffix(".part"), received, size)
    return received
