"""Searches in processes of their own: started, stopped, and taken up again after a crash."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.project import Project
from locisimiles.app.searches import Searches, SearchParameters

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["Jobs"]

_ENDED = "the search ended unexpectedly; what it found is kept, and it can go on"
_GRACE_S = 5.0


class _Job(NamedTuple):
    path: Path
    number: int


class Jobs:
    """Runs the searches of all projects, some at the same time.

    Parameters
    ----------
    most
        How many at the same time; the others wait.
    """

    def __init__(self, most: int = 1) -> None:
        self._most = most
        self._waiting: deque[_Job] = deque()
        self._running: dict[Path, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()
        self._closed = False

    def start(self, project: Project, parameters: SearchParameters) -> int:
        """Start a search; return its number.

        Raises
        ------
        ParameterError
            If it makes no sense.
        """
        number = Searches(project).ask(parameters)
        with self._lock:
            self._enqueue(_Job(project.path, number))
        self._start_waiting()
        return number

    def resume(self, project: Project) -> bool:
        """Go on with a search that stopped; return whether there is one."""
        with self._lock:  # so that nobody gives it up between being asked for and waiting
            number = Searches(project).resume()
            if number is not None:
                self._enqueue(_Job(project.path, number))
        self._start_waiting()
        return number is not None

    def resume_interrupted(self, projects: Iterable[Project]) -> int:
        """Go on with the searches that were under way when the app ended; return how many."""
        count = 0
        for project in projects:
            status = Searches(project).last()
            if status is not None and status.is_busy:
                count += self.resume(project)
        return count

    def cancel(self, project: Project) -> None:
        """Stop the search of a project; what it found is kept."""
        Searches(project).cancel()
        with self._lock:
            process = self._running.get(project.path)
        if process is not None:
            _end(process)

    def close(self) -> None:
        """Stop all processes; their searches go on when the app is started again."""
        with self._lock:
            self._closed = True
            processes = list(self._running.values())
        for process in processes:
            _end(process)

    def _enqueue(self, job: _Job) -> None:
        # Also where a process of the project still runs: it may be about to end. If it ends well,
        # the next one finds nothing left to do.
        if job not in self._waiting:
            self._waiting.append(job)

    def _start_waiting(self) -> None:
        with self._lock:
            for job in list(self._waiting):
                if self._closed or len(self._running) >= self._most:
                    return
                if job.path in self._running:
                    continue
                self._waiting.remove(job)
                process = subprocess.Popen(  # noqa: S603 - our own module
                    [sys.executable, "-m", "locisimiles.app.searching", str(job.path),
                     str(job.number)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                )  # fmt: skip
                self._running[job.path] = process
                threading.Thread(target=self._watch, args=(job, process), daemon=True).start()

    def _watch(self, job: _Job, process: subprocess.Popen[bytes]) -> None:
        process.wait()
        if process.stdin is not None:
            process.stdin.close()
        with self._lock:
            del self._running[job.path]
            over = not self._closed and job not in self._waiting
            if over and job.path.exists():
                # One that ended well, or was cancelled, has said so already.
                Searches(Project(job.path)).give_up(job.number, _ENDED)
        self._start_waiting()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
