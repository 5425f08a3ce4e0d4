"""Vectors that were computed before, kept in files.

Encoding the benchmark's 90,000 sources takes a small encoder about 20 minutes of a processor. So
it is done in blocks, and each block is a file, named after everything its content depends on: the
model's files, how it is used, and the texts. A run that was cut off goes on where it stopped; a
file that was damaged is made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.arrays import load_arrays, save_arrays
from locisimiles.errors import InputError, OutputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["EmbeddingCache", "default_cache_folder"]

_FOLDER_VARIABLE = "LOCISIMILES_CACHE"
_FORMAT = 1
_EFFORT = 1  # vectors can hardly be compressed, and trying hard takes longer than some encoders


def default_cache_folder() -> Path:
    """Return the user's cache folder, or what the variable ``LOCISIMILES_CACHE`` names."""
    import platformdirs  # only wanted when something is cached

    chosen = os.environ.get(_FOLDER_VARIABLE)
    return Path(chosen or platformdirs.user_cache_path("locisimiles")) / "embeddings"


@dataclass(frozen=True, slots=True)
class EmbeddingCache:
    """A folder with blocks of vectors.

    Parameters
    ----------
    folder
        Where they are; made when the first is written. None keeps nothing.
    """

    folder: Path | None

    def get(
        self,
        made_by: Mapping[str, object],
        texts: Sequence[str],
        compute: Callable[[], dict[str, NDArray[np.generic]]],
    ) -> dict[str, NDArray[np.generic]]:
        """Return arrays that were made by something of some texts, computing them if need be.

        Parameters
        ----------
        made_by
            All that the arrays depend on besides the texts; what JSON can write.
        texts
            Of which they are made.
        compute
            Makes them.

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
    digest = hashlib.sha256(settings.encode())
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        # Lengths keep ("ab", "c") and ("a", "bc") apart.
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()


def _write(path: Path, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    """Write a file that is there whole or not at all, whoever else writes it at the same time."""
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem[:16]}.")
        os.close(handle)
        temporary = Path(name)
        save_arrays(temporary, arrays, effort=_EFFORT)
        temporary.replace(path)
    except OSError as error:
        raise OutputError(
            f"the cache {path.parent} cannot be written: {error.strerror or error}",
            hint=f"choose another with {_FOLDER_VARIABLE}, or search without a cache",
        ) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
