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
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from locisimiles.errors import InputError, OutputError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.files.hashing import framed, sha256_of
from locisimiles.files.writing import make_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["Arrays", "EmbeddingCache", "default_cache_folder"]

Arrays = dict[str, NDArray[np.generic]]

_FOLDER_VARIABLE = "LOCISIMILES_CACHE"
_FORMAT = 1
_EFFORT = 1  # vectors hardly compress, and trying hard takes longer than some encoders


def default_cache_folder() -> Path:
    """Return the user's cache folder, or the one that ``LOCISIMILES_CACHE`` names."""
    import platformdirs  # only needed when something is cached

    chosen = os.environ.get(_FOLDER_VARIABLE)
    return Path(chosen or platformdirs.user_cache_path("locisimiles")) / "embeddings"


@dataclass(frozen=True, slots=True)
class EmbeddingCache:
    """A folder with blocks of vectors, created with the first block; None caches nothing."""

    folder: str | os.PathLike[str] | None

    def get(
        self, settings: Mapping[str, object], texts: Sequence[str], compute: Callable[[], Arrays]
    ) -> Arrays:
        """Return the arrays of some texts from the cache, or compute and cache them.

        `settings` are all that the arrays depend on besides the texts; they must fit into JSON.

        Raises
        ------
        OutputError
            If the folder cannot be written.
        """
        if self.folder is None:
            return compute()
        path = Path(self.folder) / f"{_key(settings, texts)}.npz"
        try:
            return load_arrays(path)
        except InputError:
            # Not there yet, cut short or damaged: zip files carry checksums.
            arrays = compute()
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
        return arrays

    def blocks(
        self,
        settings: Mapping[str, object],
        texts: Sequence[str],
        size: int,
        compute: Callable[[Sequence[str]], Arrays],
        report: Callable[[int, int], None],
    ) -> Iterator[Arrays]:
        """Yield the arrays of `size` texts at a time, reporting done and total; see `get`."""
        for begin in range(0, len(texts), size):
            report(begin, len(texts))
            block = texts[begin : begin + size]
            yield self.get(settings, block, partial(compute, block))
        report(len(texts), len(texts))


def _key(settings: Mapping[str, object], texts: Sequence[str]) -> str:
    content = json.dumps({"format": _FORMAT, **settings}, sort_keys=True, ensure_ascii=True)
    return sha256_of(chain([content], framed(texts)))
