"""Several processes on one machine, each with a block at a time; one that dies is replaced.

Each runs its libraries in a single thread: many processes with many threads each would wait for one
another. They are started afresh, not forked, since onnxruntime does not survive that.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections import Counter, deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.errors import LocisimilesError, OutputError
from locisimiles.jobs.plan import Job
from locisimiles.jobs.searcher import JobSearcher

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from locisimiles.jobs.comparing import Comparing

__all__ = ["done_in_processes", "physical_cores", "single_threads"]

THREADS = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
    "RAYON_NUM_THREADS",  # of tokenizers
)  # fmt: skip
"""The variables that tell libraries how many threads to use."""
_CPUS = Path("/sys/devices/system/cpu")
_MOST_DEATHS = 3  # over one block; then it is the block's fault


@dataclass(slots=True, eq=False)
class _Worker:
    process: BaseProcess
    pipe: Connection
    number: int

    def end(self) -> None:
        """End it at once; what it had not finished is done again."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def done_in_processes(
    folder: Path,
    numbers: Sequence[int],
    processes: int,
    comparing: Comparing | None = None,
) -> Iterator[int]:
    """Do blocks of a job in several processes, and yield each when it is done.

    With `comparing`, they compare the words of the pairs they find, too.

    Raises
    ------
    LocisimilesError
        What was raised in a process, or an OutputError if processes keep dying over a block.
    """
    waiting, deaths = deque(numbers), Counter[int]()
    workers: list[_Worker] = []
    try:
        workers += [
            _started(folder, waiting.popleft(), comparing)
            for _ in range(min(processes, len(waiting)))
        ]
        while workers:
            ready = wait([worker.pipe for worker in workers])
            for worker in [one for one in workers if one.pipe in ready]:
                number = worker.number
                if _answer(worker):
                    yield number
                    if waiting:
                        worker.number = waiting.popleft()
                        with suppress(OSError):  # it died; its pipe says so next
                            worker.pipe.send(worker.number)
                        continue
                else:
                    deaths[number] += 1
                    if deaths[number] == _MOST_DEATHS:
                        raise OutputError("jobs.process_died", folder=str(folder))
                    waiting.appendleft(number)
                workers.remove(worker)
                worker.end()
                if waiting and len(workers) < processes:
                    workers.append(_started(folder, waiting.popleft(), comparing))
    finally:
        for worker in workers:
            worker.end()


def _answer(worker: _Worker) -> bool:
    """Tell whether a worker has done its block, or died; raise what was raised in it."""
    try:
        answer: Any = worker.pipe.recv()
    except (EOFError, OSError):
        return False
    if isinstance(answer, Exception):
        raise answer
    return True


def _started(folder: Path, number: int, comparing: Comparing | None) -> _Worker:
    """Start a process, with its first block."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, folder, comparing), daemon=True)
    with single_threads():
        process.start()
    theirs.close()
    with suppress(OSError):
        ours.send(number)
    return _Worker(process, ours, number)


def physical_cores() -> int:
    """Return the number of cores that this process may use, not counting threads of the same core.

    Examples
    --------
    >>> physical_cores() >= 1
    True
    """
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count() or 1
    usable = os.sched_getaffinity(0)
    siblings = [_CPUS / f"cpu{number}" / "topology" / "thread_siblings_list" for number in usable]
    try:
        return len({path.read_text(encoding="ascii") for path in siblings})
    except OSError:  # another system
        return len(usable)


@contextmanager
def single_threads() -> Iterator[None]:
    """Let processes that are started now run their libraries in a single thread."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _serve(pipe: Connection, folder: Path, comparing: Comparing | None) -> None:
    """Do blocks until there are no more; in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this one ends it
    searcher = None
    with suppress(EOFError, OSError):
        while True:
            number = pipe.recv()
            try:
                if searcher is None:
                    searcher = JobSearcher(Job.open(folder))
                searcher.run(number, comparing)
            except LocisimilesError as error:
                pipe.send(error)
            except Exception:  # noqa: BLE001 - raised again where it is read
                pipe.send(RuntimeError(traceback.format_exc()))
            else:
                pipe.send(number)
