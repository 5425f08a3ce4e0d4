"""What a method did with a fold, kept so that a run that was cut off need not do it again."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, OutputError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.files.hashing import sha256_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FoldFiles"]


@dataclass(frozen=True, slots=True)
class FoldFiles:
    """The files of one method, one a fold.

    Attributes
    ----------
    folder
        Where they are; made when the first is written.
    key
        All that the content depends on. Files of another key are not read.
    """

    folder: Path
    key: Mapping[str, object]

    def read(self, fold: int) -> dict[str, NDArray[np.generic]] | None:
        """Return the arrays of a fold; None if they are not there, or were not written whole."""
        path = self._path(fold)
        try:
            return load_arrays(path) if zipfile.is_zipfile(path) else None
        except InputError:
            return None

    def write(self, fold: int, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        """Keep the arrays of a fold.

        Raises
        ------
        OutputError
            If they cannot be written.
        """
        path = self._path(fold)
        unfinished = path.with_suffix(".part")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            save_arrays(unfinished, arrays)
            unfinished.replace(path)
        except OSError as error:
            raise OutputError(f"{path} cannot be written: {error.strerror}") from error

    def _path(self, fold: int) -> Path:
        written = json.dumps(self.key, sort_keys=True, ensure_ascii=False, default=str)
        return self.folder / f"fold{fold}-{sha256_of(written)[:12]}.npz"
