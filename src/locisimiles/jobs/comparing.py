"""Words of pairs compared where these were found: processes leave less to the one that writes.

A block of a search in processes gets a file beside it, with the groups of parallel sources and the
lemmas that pairs share, as `Results.compared` finds them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import MalformedInputError
from locisimiles.files.array_files import ArrayFile, write_array_file
from locisimiles.files.writing import make_folder
from locisimiles.index.columns import packed, unpacked

if TYPE_CHECKING:
    from pathlib import Path

    from locisimiles.jobs.plan import Job
    from locisimiles.results import Results

__all__ = ["Comparing"]


@dataclass(frozen=True, slots=True)
class Comparing:
    """What is compared of each block.

    Attributes
    ----------
    k
        The number of candidates of each query segment.
    group
        Whether parallel sources are grouped.
    """

    k: int
    group: bool

    def write(self, job: Job, number: int, found: Results) -> None:
        """Compare the words of the pairs of a block, and write the file."""
        first = np.flatnonzero(found.candidates.rank <= self.k)
        chosen = replace(found, candidates=found.candidates.select(first), probabilities=None)
        chosen = chosen.compared(group=self.group)
        arrays = {**packed("shared", chosen.shared or ()), "source": chosen.candidates.source}
        if chosen.best is not None:
            arrays["best"] = chosen.best
        path = _path(job, number)
        make_folder(path.parent)
        write_array_file(path, arrays)

    def read(self, job: Job, number: int, block: Results) -> Results:
        """Return a block with what was found of its words.

        Raises
        ------
        MalformedInputError
            If the file is damaged, or of other pairs.
        """
        path = _path(job, number)
        arrays = ArrayFile.open(path)
        if not np.array_equal(arrays.array("source"), block.candidates.source):
            raise MalformedInputError("files.damaged", file=str(path))
        best = arrays.array("best") if self.group else None
        return replace(block, best=best, shared=unpacked(arrays, "shared"))


def _path(job: Job, number: int) -> Path:
    return job.folder / "compared" / f"{number}.arrays"
