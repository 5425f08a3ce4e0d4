"""SHA-256 of contents and files."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["file_chunks", "file_sha256", "framed", "sha256_of"]

_CHUNK = 1 << 20


def sha256_of(content: str | bytes | Iterable[str | bytes | memoryview]) -> str:
    """Return the SHA-256 of a content, or of several parts of it joined.

    Examples
    --------
    >>> sha256_of("arma uirumque") == sha256_of([b"arma ", "uirumque"])
    True
    """
    digest = hashlib.sha256()
    for part in [content] if isinstance(content, str | bytes) else content:
        digest.update(_encoded(part) if isinstance(part, str) else part)
    return digest.hexdigest()


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return sha256_of(file_chunks(path))


def file_chunks(path: Path) -> Iterator[bytes]:
    """Yield the content of a file chunk by chunk; raise an InputError if it cannot be read."""
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                yield chunk
    except OSError as error:
        raise InputError("files.unreadable", file=str(path), reason=error.strerror) from error


def framed(texts: Iterable[str]) -> Iterator[bytes]:
    """Yield texts with their lengths, which keep ("ab", "c") and ("a", "bc") apart."""
    for text in texts:
        encoded = _encoded(text)
        yield len(encoded).to_bytes(8, "big")
        yield encoded


def _encoded(text: str) -> bytes:
    # Strings made in Python may hold lone surrogates, which no file can.
    return text.encode("utf-8", "surrogatepass")
