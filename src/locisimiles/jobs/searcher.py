"""A job opened for searching."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.errors import InputError, ParameterError
from locisimiles.index import Index, is_index
from locisimiles.jobs.blocks import write_block
from locisimiles.jobs.plan import index_sha256
from locisimiles.pipeline import Searcher
from locisimiles.progress import silent

if TYPE_CHECKING:
    from locisimiles.jobs.comparing import Comparing
    from locisimiles.jobs.plan import Job
    from locisimiles.progress import Progress
    from locisimiles.results import Results

__all__ = ["JobSearcher", "open_index"]


def open_index(job: Job) -> Index:
    """Open the index of a job.

    Raises
    ------
    InputError
        If it is no longer that of the plan.
    """
    if not is_index(job.index_folder):  # its name comes from the plan, and may be anything
        raise InputError("index.none", folder=str(job.index_folder))
    index = Index.open(job.index_folder)
    if index_sha256(index.manifest) != job.index_sha256:
        raise InputError("jobs.other_index", index=str(job.index_folder), folder=str(job.folder))
    return index


class JobSearcher:
    """A job opened for searching: its index, query and models are loaded once.

    Parameters
    ----------
    job
        The job.
    progress
        Called to report progress.

    Raises
    ------
    InputError
        If the index is no longer that of the plan.
    ParameterError
        If versions or models are not those of the plan.
    """

    def __init__(self, job: Job, *, progress: Progress = silent) -> None:
        self.job = job
        index = open_index(job)
        self._query = query = job.query()
        pipeline = job.settings.wide_pipeline()
        found = pipeline.manifest(len(query), query.fingerprint(), len(index), index.fingerprint())
        if changed := [name for name, value in job.search.items() if found.get(name) != value]:
            raise ParameterError("jobs.other_search", folder=str(job.folder), names=changed)
        self._searcher = Searcher(pipeline, index, progress=progress)

    def block(self, number: int) -> Results:
        """Search a block."""
        return self._searcher.block(self._query, *self.job.rows(number))

    def run(self, number: int, comparing: Comparing | None = None) -> None:
        """Search a block, and write what is found, perhaps after comparing its words."""
        found = self.block(number)
        if comparing is not None:
            comparing.write(self.job, number, found)
        write_block(self.job, number, found.candidates, found.probabilities)
