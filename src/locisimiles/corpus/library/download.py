"""Download one file through pooch: resumable, verified, and whole or not at all."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from locisimiles.errors import DownloadError, OutputError
from locisimiles.files.hashing import file_sha256
from locisimiles.files.writing import make_folder
from locisimiles.messages import Message
from locisimiles.progress import silent

if TYPE_CHECKING:
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


class _TransferError(ValueError):
    """A failure after which pooch tries again."""

    def __init__(self, reason: str | Message) -> None:
        super().__init__(reason)
        self.reason = reason


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
    If the download fails, or the file has another size or SHA-256, a DownloadError is raised; if
    it cannot be written, an OutputError. `timeout` is in seconds.
    """
    import pooch  # only needed for downloads

    if not address.startswith(("https://", "http://")):
        raise DownloadError("corpus.not_a_web_address", address=address)
    make_folder(target.parent)
    part = target.with_name(f"{target.name}.part")

    def download(url: str, output: str, _: object) -> None:
        resumed = _receive(url, part, size, progress, timeout)
        # A resumed file may have begun as another one; pooch then downloads it again.
        if not resumed and file_sha256(part) != sha256:
            part.unlink()
            raise DownloadError("corpus.other_content", address=address)
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
    except ValueError as error:
        reason = getattr(error, "reason", Message("corpus.copy_damaged"))
        raise DownloadError(
            "corpus.download_interrupted", address=address, reason=reason
        ) from error
    except OSError as error:
        raise OutputError("files.unwritable", path=str(target), reason=error.strerror) from error


def _receive(address: str, part: Path, size: int, progress: Progress, timeout: float) -> bool:
    """Bring the part file up to its full size; return whether it was resumed."""
    import requests

    received = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"}  # so that bytes can be counted
    if 0 < received < size:
        headers["Range"] = f"bytes={received}-"
    try:
        answer = requests.get(address, headers=headers, stream=True, timeout=timeout)
    except requests.RequestException as error:
        raise _TransferError(_root_cause(error)) from error
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
                    progress(part.stem, stream.tell(), size)
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
    return str(error) or type(error).__name__
