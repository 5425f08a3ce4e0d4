"""A key of this installation, which tells its own requests from those in files of others."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

__all__ = ["signature"]

_FILE = "installation.key"
_VARIABLE = "LOCISIMILES_DATA"
_BYTES = 32
_PRIVATE = 0o600
# Where no file can be written, the key lives as long as the process.
_unwritten = secrets.token_bytes(_BYTES)


def signature(content: str) -> str:
    """Return what only this installation can write beside a content."""
    return hmac.new(_key(), content.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _key() -> bytes:
    import platformdirs

    folder = Path(os.environ.get(_VARIABLE) or platformdirs.user_data_path("locisimiles"))
    path = folder / _FILE
    try:
        return _read(path)
    except OSError:
        pass
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Whole under its name, or not there: another process may be making it, too.
        fresh = folder / f".{_FILE}.{secrets.token_hex(8)}"
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "wb") as stream:  # noqa: PTH123 - with a mode
            stream.write(secrets.token_bytes(_BYTES))
        try:
            os.link(fresh, path)
        finally:
            fresh.unlink()
        return _read(path)
    except FileExistsError:
        return _read(path)
    except OSError:
        return _unwritten


def _read(path: Path) -> bytes:
    key = path.read_bytes()
    if len(key) < _BYTES:
        raise OSError("the key is cut short")
    return key
