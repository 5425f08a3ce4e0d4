"""Merge the blocks of a job: the same results as of a search in one process, byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_between
from locisimiles.errors import InputError, MalformedInputError
from locisimiles.jobs.blocks import read_block
from locisimiles.jobs.running import present_blocks
from locisimiles.jobs.searcher import open_index
from locisimiles.progress import silent
from locisimiles.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.classify.selection import Selection
    from locisimiles.jobs.plan import Job
    from locisimiles.pipeline import Pipeline
    from locisimiles.progress import Progress

__all__ = ["merged_blocks", "merging_pipeline", "read_blocks"]


def merging_pipeline(
    job: Job, *, k: int | None = None, selection: Selection | None = None
) -> Pipeline:
    """Return the search whose results the blocks of a job have, with a selection among them.

    Raises
    ------
    ParameterError
        If blocks have fewer than `k` candidates per query segment, or were not judged.
    """
    check_between(1, job.settings.wide_pipeline().k, k=k)
    return job.settings.pipeline(k=k, selection=selection)


def merged_blocks(
    job: Job, pipeline: Pipeline, *, progress: Progress = silent
) -> Iterator[Results]:
    """Yield the results of a job block by block, as `Searcher.blocks` does.

    Parameters
    ----------
    job
        The job; all its blocks must be done.
    pipeline
        From `merging_pipeline`.
    progress
        Called to report progress.

    Raises
    ------
    InputError
        If blocks are missing or damaged, or the index is no longer that of the plan.
    """
    missing = len(job.blocks) - len(present_blocks(job))
    if missing:
        raise InputError(
            "jobs.unfinished", folder=str(job.folder), count=missing, total=len(job.blocks)
        )
    found = read_blocks(job, pipeline, _reported(len(job.blocks), progress))
    return pipeline.finished(found, job.block_size)


def _reported(count: int, progress: Progress) -> Iterator[int]:
    for number in range(count):
        progress("merging", number, count)
        yield number
    progress("merging", count, count)


def read_blocks(job: Job, pipeline: Pipeline, numbers: Iterable[int]) -> Iterator[Results]:
    """Yield the results of blocks that are done, before a selection over all of them."""
    query, source = job.query(), open_index(job)
    manifest = pipeline.manifest(len(query), query.fingerprint(), len(source), source.fingerprint())
    selection = pipeline.selection_of_a_block
    for number in numbers:
        candidates, judged = read_block(job, number)
        if candidates.source.max(initial=0) >= len(source):
            raise MalformedInputError("files.damaged", file=str(job.block_path(number)))
        kept = np.flatnonzero(candidates.rank <= pipeline.k)
        kept = kept[selection.kept(candidates.score[kept])]
        yield Results(
            query,
            source,
            candidates.select(kept),
            manifest,
            None if judged is None else judged[kept],
        )
