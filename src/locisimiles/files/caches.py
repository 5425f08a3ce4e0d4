"""Where things are kept that can be computed again, and how much of them."""

from __future__ import annotations

import os
from pathlib import Path

from locisimiles.checks import size_in_bytes

__all__ = ["FOLDER_VARIABLE", "cache_folder", "cache_limit"]

FOLDER_VARIABLE = "LOCISIMILES_CACHE"
_SIZE_VARIABLE = "LOCISIMILES_CACHE_SIZE"
_DEFAULT_SIZE = "5 GB"


def cache_folder(kind: str) -> Path:
    """Return a folder in the user's cache folder, or in the one ``LOCISIMILES_CACHE`` names."""
    import platformdirs  # only needed when something is cached

    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen or platformdirs.user_cache_path("locisimiles")) / kind


def cache_limit() -> int:
    """Return the size in bytes above which a cache forgets what was used least recently.

    It is 5 GB, or what ``LOCISIMILES_CACHE_SIZE`` says, such as ``800 MB``.
    """
    return size_in_bytes(_SIZE_VARIABLE, os.environ.get(_SIZE_VARIABLE) or _DEFAULT_SIZE)
