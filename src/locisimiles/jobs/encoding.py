"""Parts of an index made by many processes or machines, which a build then joins.

Each reads all texts and makes the parts of some works, in files whose names are hashes of all that
they depend on. So a build afterwards finds them, and makes what is missing.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.corpus import Document, ReadOptions
from locisimiles.index.changes import write_parts
from locisimiles.late import IndexEncoder
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.jobs.cluster import Cluster
    from locisimiles.progress import Progress

__all__ = ["IndexPlan", "make_parts", "make_parts_in_cluster"]


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What an index is made of, as names and paths.

    Attributes
    ----------
    folder
        Where it is built.
    texts
        Files, folders and texts of the library.
    model
        The encoder: ``latin``, a folder, or None for lexical search.
    format, options
        How to read the texts.
    """

    folder: str
    texts: tuple[str, ...]
    model: str | None
    format: str | None = None
    options: ReadOptions = field(default_factory=ReadOptions)

    def resolved(self) -> IndexPlan:
        """Return the same plan for any working directory."""
        found = (str(Path(name).resolve()) if Path(name).exists() else name for name in self.texts)
        model = self.model
        if model is not None and Path(model).exists():
            model = str(Path(model).resolve())
        folder = str(Path(self.folder).resolve())
        return IndexPlan(folder, tuple(found), model, self.format, self.options)

    def encoder(self) -> IndexEncoder | None:
        """Return the encoder."""
        return None if self.model is None else IndexEncoder(self.model)


def make_parts(plan: IndexPlan, share: tuple[int, int], *, progress: Progress = silent) -> int:
    """Make the parts of a share of the works, such as the 3rd of 8; return how many were new."""
    return write_parts(Path(plan.folder), _document(plan), plan.encoder(), share, progress=progress)


def make_parts_in_cluster(
    plan: IndexPlan, cluster: Cluster, *, shares: int, progress: Progress = silent
) -> int:
    """Let the workers of a cluster make the parts of an index; return how many were new.

    Parameters
    ----------
    plan
        What the index is made of. All workers must see its texts and its folder under the same
        paths.
    cluster
        From `locisimiles.jobs.open_cluster`.
    shares
        How many tasks to make of the works.
    progress
        Called to report progress.
    """
    plan = plan.resolved()
    content = asdict(plan)
    tasks = {f"parts {number}/{shares} of {plan}": (content, number, shares)
             for number in range(1, shares + 1)}  # fmt: skip
    new = 0
    progress("encoding", 0, shares)
    for done, count in enumerate(cluster.results(_make_share, tasks), start=1):
        new += count
        progress("encoding", done, shares)
    return new


def _make_share(content: Mapping[str, Any], number: int, shares: int) -> int:
    """As a worker: make a share, whose texts are read once for all shares."""
    plan = IndexPlan(**{**content, "options": ReadOptions(**content["options"])})
    return make_parts(plan, (number, shares))


@lru_cache(maxsize=1)
def _document(plan: IndexPlan) -> Document:
    return Document(*plan.texts, format=plan.format, options=plan.options)
