"""What a worker of a cluster does: blocks of jobs, one at a time.

Only a folder, a number and a hash travel to it, and the number back. Its index, query and models
stay open for the next block.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from threading import Lock

from locisimiles.errors import InputError
from locisimiles.jobs.blocks import block_is_done
from locisimiles.jobs.plan import Job
from locisimiles.jobs.searcher import JobSearcher

__all__ = ["do_block"]

_one_at_a_time = Lock()  # a worker may have several threads


def do_block(folder: str, number: int, block: str) -> int:
    """Do a block of a job unless it is done, and return its number.

    Parameters
    ----------
    folder
        The folder of the job, which the worker must be able to read and write.
    number
        The number of the block.
    block
        Its id. It differs if the job was planned anew, or if the folder is another one here.

    Raises
    ------
    InputError
        If the folder holds no job, or another one.
    """
    with _one_at_a_time:
        searcher = _searcher(folder, Job.open(Path(folder)).blocks)
        blocks = searcher.job.blocks
        if number >= len(blocks) or blocks[number] != block:
            raise InputError("jobs.other_job", folder=folder)
        if not block_is_done(searcher.job, number):
            searcher.run(number)
    return number


@lru_cache(maxsize=1)
def _searcher(folder: str, _blocks: tuple[str, ...]) -> JobSearcher:
    return JobSearcher(Job.open(Path(folder)))
