"""The audit log of a server: who came in, who was refused, who changed what."""

from __future__ import annotations

import json
import logging
import os
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from locisimiles.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Audit"]

_PRIVATE = 0o600
_LARGEST = 10 * 1024**2
_LONGEST = 300
_log = logging.getLogger(__name__)


class Audit:
    r"""Appends a line of JSON for each event to a file that only its owner can read.

    A file of ten megabytes is renamed to ``….1``, over the one before. No line holds a token, nor
    what follows the question mark of an address.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "audit.log")
    >>> Audit(path).write("login", user="ann", address="10.0.0.7")
    >>> path.read_text().partition('"event"')[2]
    ': "login", "user": "ann", "address": "10.0.0.7"}\n'
    >>> folder.cleanup()
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()

    def write(self, event: str, **facts: str | int) -> None:
        """Write an event with what is known of it; a full disk stops no request."""
        short = {k: v[:_LONGEST] if isinstance(v, str) else v for k, v in facts.items()}
        when = datetime.now(UTC).isoformat(timespec="milliseconds")
        # In ASCII, so that no character of an address makes a line of its own.
        line = json.dumps({"time": when, "event": event, **short}) + "\n"
        with self._lock:
            try:
                self._append(line.encode())
            except OSError as error:
                _log.warning("%s", Message("app.no_audit", {"reason": error.strerror or ""}))

    def _append(self, line: bytes) -> None:
        if self._path.exists() and self._path.stat().st_size > _LARGEST:
            self._path.replace(self._path.with_name(f"{self._path.name}.1"))
        number = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _PRIVATE)
        try:
            os.write(number, line)
        finally:
            os.close(number)
