"""The vectors of an index on disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from locisimiles.files.array_files import ArrayFile

__all__ = ["StoredVectors"]


@dataclass(frozen=True, slots=True, eq=False)
class StoredVectors:
    """The pieces of an index: by text in its parts, by list in its shards.

    Attributes
    ----------
    encoder
        What they were made with; see `PieceSource.describe`.
    parts, shards
        The files.
    part_begins, shard_begins
        The first segment of each, and the end of the last.
    sample
        Segments of all lengths.
    """

    encoder: Mapping[str, Any]
    parts: Sequence[ArrayFile]
    part_begins: NDArray[np.int64]
    shards: Sequence[ArrayFile]
    shard_begins: NDArray[np.int64]
    sample: NDArray[np.int64]
