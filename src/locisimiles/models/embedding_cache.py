"""A cache of vectors in files.

Encoding the benchmark's 90,000 sources takes a small encoder about 20 minutes of a processor. So
it is done in blocks, and each block is a file, named after everything its content depends on: the
model's files, its settings, and the texts. An interrupted run resumes where it stopped; a damaged
file is written again.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, OutputError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.files.hashing import framed, sha256_of
from locisimiles.files.writing import make_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["EmbeddingCache", "default_cache_folder"]

_FOLDER_VARIABLE = "LOCISIMILES_CACHE"
_FORMAT = 1
_EFFORT = 1  # vectors can hardly be compressed, and trying hard takes longer than some encoders


def default_cache_folder() -> Path:
    """Return the user's cache folder, or the one that ``LOCISIMILES_CACHE`` names."""
    import platformdirs  # only needed when something is cached

    chosen = os.environ.get(_FOLDER_VARIABLE)
    return Path(chosen or platformdirs.user_cache_path("locisimiles")) / "embeddings"


@dataclass(frozen=True, slots=True)
class EmbeddingCache:
    """A folder with blocks of vectors, made when the first is written; None keeps nothing."""

    folder: Path | None

    def get(
        self,
        made_by: Mapping[str, object],
        texts: Sequence[str],
        compute: Callable[[], dict[str, NDArray[np.generic]]],
    ) -> dict[str, NDArray[np.generic]]:
        """Return the arrays for some texts from the cache, or compute and keep them.

        `made_by` is all that they depend on besides the texts, as JSON can write it.

        Raises
        ------
        OutputError
            If they cannot be written.
        """
        if self.folder is None:
            return compute()
        path = self.folder / f"{_key(made_by, texts)}.npz"
        try:
            return load_arrays(path)
        except InputError:
            # Not there yet, cut short or damaged: zip files carry checksums.
            arrays = compute()
        _write(path, arrays)
        return arrays


def _key(made_by: Mapping[str, object], texts: Sequence[str]) -> str:
    settings = json.dumps({"format": _FORMAT, **made_by}, sort_keys=True, ensure_ascii=True)
    return sha256_of(chain([settings], framed(texts)))


def _write(path: Path, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    try:
        make_folder(path.parent)
        save_arrays(path, arrays, effort=_EFFORT)
    except OutputError as error:
        raise OutputError(
            "models.cache_not_writable",
            folder=str(path.parent),
            reason=error.message.values["reason"],
            variable=_FOLDER_VARIABLE,
        ) from error
