"""Fetch one file over HTTP: resumable, verified, and whole or not at all."""

from __future__ import annotations

import hashlib
import http.client
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from locisimiles.errors import DownloadError
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
    """Download a file and put it at `target` when it is complete and verified.

    What arrives is kept in a ``.part`` file beside the target, from which a later call goes on.

    Parameters
    ----------
    address
        An ``https`` (or ``http``) address.
    target
        Where the file shall be.
    size, sha256
        What it must be.
    progress
        Called with the file's name, the bytes that are here, and `size`.
    timeout
        Seconds without any byte after which a connection is given up.

    Raises
    ------
    DownloadError
        If it cannot be had, or is not what was announced. The target is then untouched.
    """
    if not _is_web_address(address):
        raise DownloadError(f"{address} is no web address")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DownloadError(f"{target.parent} cannot be made: {error.strerror}") from error
    part = target.with_name(f"{target.name}.part")
    for attempt in range(_ATTEMPTS):
        resumed = part.exists()
        problem = _transfer(address, part, size, progress, timeout)
        if problem is None:
            if _sha256(part) == sha256:
                part.replace(target)
                return
            part.unlink()
            if not resumed:
                raise DownloadError(
                    f"what came from {address} is not the file in the catalogue",
                    hint="it may have been changed there; take a copy with --from FOLDER",
                )
            continue  # the part we had may have been the wrong one: once more from the start
        if attempt + 1 < _ATTEMPTS:
            time.sleep(_PAUSE * 2**attempt)
    raise DownloadError(
        f"{address} could not be fetched ({problem or 'the copy was damaged'})",
        hint="try again later: what has arrived is kept; or take a copy with --from FOLDER",
    )


def _is_web_address(address: str) -> bool:
    try:
        return address.isascii() and urlsplit(address).scheme in ("https", "http")
    except ValueError:
        return False


def _transfer(address: str, part: Path, size: int, tell: Progress, timeout: float) -> str | None:
    """Bring the part file up to its full size; return what went wrong, if anything did."""
    if part.exists() and part.stat().st_size >= size:
        part.unlink()
    try:
        have = _receive(address, part, size, tell, timeout)
    except urllib.error.HTTPError as error:
        error.close()
        answer = f"the server says {error.code} {error.reason}"
        if error.code == _RANGE_REFUSED:
            part.unlink(missing_ok=True)
        elif error.code < _SERVER_ERRORS:  # asking again will not help
            raise DownloadError(
                f"{address} could not be fetched ({answer})", hint="take a copy with --from FOLDER"
            ) from error
        return answer
    except (OSError, http.client.HTTPException) as error:
        return str(getattr(error, "reason", error)) or type(error).__name__
    if have > size:
        part.unlink()
        return f"more than the {size:,} bytes announced"
    return None if have == size else f"the connection broke off after {have:,} of {size:,} bytes"


def _receive(address: str, part: Path, size: int, tell: Progress, timeout: float) -> int:
    """Add to the part file what the server sends; return how many bytes it then has."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(address)  # noqa: S310 - the scheme was checked
    if have:
        request.add_header("Range", f"bytes={have}-")
    with urllib.request.urlopen(request, timeout=timeout) as answer:  # noqa: S310
        if answer.status != _PARTIAL_CONTENT:
            have = 0
        with part.open("ab" if have else "wb") as stream:
            while have <= size and (chunk := answer.read(_CHUNK)):
                stream.write(chunk)
                have += len(chunk)
                tell(part.name.removesuffix(".part"), have, size)
    return have


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
