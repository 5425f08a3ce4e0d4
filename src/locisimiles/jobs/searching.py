"""A search in several processes: a job in a folder of its own, which is deleted with the search."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from locisimiles.classify.methods import DEFAULT_CLASSIFIER
from locisimiles.errors import OutputError
from locisimiles.jobs.comparing import Comparing
from locisimiles.jobs.merging import read_blocks
from locisimiles.jobs.planning import plan_job
from locisimiles.jobs.processes import done_in_processes
from locisimiles.pipeline import AUTO, BLOCK
from locisimiles.progress import silent
from locisimiles.retrieve.methods import late_search

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from locisimiles.classify.selection import Selection
    from locisimiles.corpus import Document
    from locisimiles.index import Index
    from locisimiles.jobs.plan import Job
    from locisimiles.jobs.settings import SearchSettings
    from locisimiles.progress import Progress
    from locisimiles.results import Results

__all__ = ["can_share", "search_in_processes"]


def can_share(settings: SearchSettings, index: Index) -> bool:
    """Tell whether processes find in an index all that the method needs of the sources.

    Otherwise each of them would have to encode all sources.
    """
    late = late_search(settings.pipeline().retriever)
    return late is None or late.finds_vectors(index)


def search_in_processes(
    query: Document,
    index: Index,
    settings: SearchSettings,
    *,
    processes: int,
    selection: Selection | None = None,
    size: int = BLOCK,
    progress: Progress = silent,
) -> Iterator[Results]:
    """Yield the same results, block by block, as `Searcher.blocks` of the same settings.

    Parameters
    ----------
    query
        The later text.
    index
        The earlier texts, which processes share by mapping them into memory.
    settings
        How to search.
    processes
        The number of processes; results do not depend on it.
    selection
        Which judged pairs to keep.
    size
        The number of query segments that a process searches together.
    progress
        Called to report progress.

    Raises
    ------
    ParameterError
        If the index lacks the vectors that the method needs; see `can_share`.
    OutputError
        If processes keep dying, or the folder for temporary files is full.
    """
    pipeline = settings.pipeline(selection=selection)
    if settings.classifier == AUTO and pipeline.classifier is not None:
        settings = replace(settings, classifier=DEFAULT_CLASSIFIER)
    # Windows deletes no files that are mapped.
    with TemporaryDirectory(prefix="locisimiles-", ignore_cleanup_errors=True) as folder:
        job = plan_job(Path(folder), query, index, settings, block_size=size)
        # Processes end before their folder is removed, also where a search is given up.
        # Of pairs among which some are selected, only these are compared, and later.
        compares = not pipeline.selection.is_needed
        comparing = Comparing(pipeline.k, pipeline.group) if compares else None
        compared = None if comparing is None else partial(comparing.read, job)
        with closing(_done(job, processes, comparing)) as done:
            found = read_blocks(job, pipeline, _in_order(job, done, progress))
            for block in pipeline.finished(found, size, compared):
                yield replace(block, query=query)  # which outlives the folder


def _done(job: Job, processes: int, comparing: Comparing | None) -> Generator[int, None, None]:
    try:
        yield from done_in_processes(job.folder, range(len(job.blocks)), processes, comparing)
    except OutputError as error:
        if error.message.code == "jobs.process_died":
            raise OutputError("jobs.search_died") from error
        raise


def _in_order(job: Job, done: Iterable[int], progress: Progress) -> Iterator[int]:
    """Yield blocks in the order of the query, as soon as those before them are done."""
    progress("searching", 0, job.segments)
    ready: set[int] = set()
    following = count = 0
    for number in done:
        begin, end = job.rows(number)
        count += end - begin
        progress("searching", count, job.segments)
        ready.add(number)
        while following in ready:
            yield following
            following += 1
