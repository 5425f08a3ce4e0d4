"""Run blocks of a job, in one process or in several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError
from locisimiles.files.writing import remove_abandoned
from locisimiles.jobs.blocks import block_is_done
from locisimiles.jobs.processes import done_in_processes
from locisimiles.jobs.searcher import JobSearcher
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from locisimiles.jobs.cluster import Cluster
    from locisimiles.jobs.plan import Job
    from locisimiles.progress import Progress

__all__ = ["missing_blocks", "numbers_of", "present_blocks", "run_blocks", "slice_of"]


def run_blocks(
    job: Job,
    numbers: Iterable[int] | None = None,
    *,
    processes: int = 1,
    cluster: Cluster | None = None,
    progress: Progress = silent,
) -> int:
    """Do blocks that are not done yet, and return how many these were.

    Parameters
    ----------
    job
        The job.
    numbers
        Some of its blocks; by default all.
    processes
        How many processes to use; results do not depend on it.
    cluster
        Workers that do the blocks instead; see `locisimiles.jobs.open_cluster`.
    progress
        Called to report progress.
    """
    remove_abandoned(job.blocks_folder)
    missing = missing_blocks(job, numbers, progress=progress)
    processes = min(processes, len(missing))
    done: Iterable[object]
    if cluster is not None and missing:
        progress("searching blocks", 0, len(missing))
        done = cluster.done(job, missing)
    elif processes > 1:
        done = done_in_processes(job.folder, missing, processes)
    else:
        done = _done_here(job, missing, progress)
    for count, _ in enumerate(done):
        progress("searching blocks", count + 1, len(missing))
    return len(missing)


def _done_here(job: Job, numbers: Sequence[int], progress: Progress) -> Iterator[int]:
    if numbers:
        progress("searching blocks", 0, len(numbers))
        searcher = JobSearcher(job, progress=progress)
        for number in numbers:
            searcher.run(number)
            yield number


def missing_blocks(
    job: Job, numbers: Iterable[int] | None = None, *, progress: Progress = silent
) -> list[int]:
    """Return the blocks that are not done, or whose files are damaged."""
    asked = range(len(job.blocks)) if numbers is None else list(numbers)
    missing = []
    for done, number in enumerate(asked):
        progress("checking", done, len(asked))
        if not block_is_done(job, number):
            missing.append(number)
    progress("checking", len(asked), len(asked))
    return missing


def present_blocks(job: Job) -> list[int]:
    """Return the blocks whose files are there, which they are when they are whole.

    They are not read, so damage is not noticed.
    """
    there = {path.stem for path in job.blocks_folder.glob("*.parquet")}
    return [number for number, block in enumerate(job.blocks) if block in there]


def slice_of(job: Job, part: str) -> list[int]:
    """Return the blocks of a part of a job, such as ``17/64``: the 17th of 64 parts.

    Parts are of equal size, up to one block, and take turns, so that no part has all long texts.

    Raises
    ------
    ParameterError
        If it names no part.
    """
    which, many = numbers_of(part)
    return list(range(which - 1, len(job.blocks), many))


def numbers_of(part: str) -> tuple[int, int]:
    """Return the numbers of a part such as ``17/64``, or raise a ParameterError.

    Examples
    --------
    >>> numbers_of("17/64")
    (17, 64)
    """
    number, _, parts = part.partition("/")
    try:
        which, many = int(number), int(parts)
    except ValueError:
        which, many = 0, 0
    if not 1 <= which <= many:
        raise ParameterError("jobs.bad_part", part=part)
    return which, many
