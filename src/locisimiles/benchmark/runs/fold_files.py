"""The results of single folds on disk, from which an interrupted run resumes."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.errors import InputError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.files.hashing import sha256_of
from locisimiles.files.writing import make_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FoldFiles"]


@dataclass(frozen=True, slots=True)
class FoldFiles:
    """The files of one method, one per fold.

    Attributes
    ----------
    folder
        Their folder; created when the first is written.
    key
        Everything the content depends on. Files with another key are ignored.
    """

    folder: Path
    key: Mapping[str, object]

    def read(self, fold: int) -> dict[str, NDArray[np.generic]] | None:
        """Return the arrays of a fold; None if they are missing or incomplete."""
        path = self._path(fold)
        try:
            return load_arrays(path) if zipfile.is_zipfile(path) else None
        except InputError:
            return None

    def write(self, fold: int, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        """Save the arrays of a fold, or raise an OutputError."""
        make_folder(self.folder)
        save_arrays(self._path(fold), arrays)

    def _path(self, fold: int) -> Path:
        written = json.dumps(self.key, sort_keys=True, ensure_ascii=False, default=str)
        return self.folder / f"fold{fold}-{sha256_of(written)[:12]}.npz"
