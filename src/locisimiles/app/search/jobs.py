"""Searches in processes of their own: started, stopped, and taken up again after a crash."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from locisimiles.app.search.status import LOST_EXIT, Searches, SearchParameters
from locisimiles.errors import DatabaseError, LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.projects.project import Project

__all__ = ["Jobs"]

_ENDED = "the search ended unexpectedly; what it found is kept, and it can go on"
_GRACE_S = 5.0
_PAUSE_S = 3.0


@dataclass(frozen=True, slots=True)
class _Job:
    """A search of a project, which may have been opened more than once."""

    project: Project = field(compare=False)
    number: int
    place: str


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
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._stopped: set[subprocess.Popen[bytes]] = set()
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
            self._line_up(_Job(project, number, project.database.place))
        self._start_waiting()
        return number

    def resume(self, project: Project) -> bool:
        """Go on with a search that stopped; return whether there is one."""
        with self._lock:  # so that nobody gives it up between being asked for and waiting
            number = Searches(project).resume()
            if number is not None:
                self._line_up(_Job(project, number, project.database.place))
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
            process = self._running.get(project.database.place)
            if process is not None:
                self._stopped.add(process)
        if process is not None:
            _end(process)

    def close(self) -> None:
        """Stop all processes; their searches go on when the app is started again."""
        with self._lock:
            self._closed = True
            processes = list(self._running.values())
        for process in processes:
            _end(process)

    def _line_up(self, job: _Job) -> None:
        # Also where a process of the project still runs: it may be about to end. If it ends well,
        # the next one finds nothing left to do.
        if job not in self._waiting:
            self._waiting.append(job)

    def _start_waiting(self) -> None:
        with self._lock:
            for job in list(self._waiting):
                if self._closed or len(self._running) >= self._most:
                    return
                if job.place in self._running:
                    continue
                self._waiting.remove(job)
                database = job.project.database
                process = subprocess.Popen(  # noqa: S603 - our own module
                    [sys.executable, "-m", "locisimiles.app.search.worker",
                     database.user, database.id, str(job.number)],
                    # Not as an argument: the address of a database may have a password.
                    env={**os.environ, **database.storage.environment()},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                )  # fmt: skip
                self._running[job.place] = process
                threading.Thread(target=self._watch, args=(job, process), daemon=True).start()

    def _watch(self, job: _Job, process: subprocess.Popen[bytes]) -> None:
        process.wait()
        if process.stdin is not None:
            process.stdin.close()
        with self._lock:
            del self._running[job.place]
            # One that ended well, or was cancelled, has said so already, and one that was lost is
            # another's now.
            told = process in self._stopped or process.returncode in (0, LOST_EXIT)
            self._stopped.discard(process)
        if not told:
            self._give_up(job)
        self._start_waiting()

    def _give_up(self, job: _Job) -> None:
        """Say that a search has ended, as soon as anybody can be told."""
        while not self._closed:
            try:
                with self._lock:
                    if job not in self._waiting and job.project.exists():
                        Searches(job.project).give_up(job.number, _ENDED)
            except DatabaseError:
                # Perhaps the search has ended because it is away; it will come back.
                time.sleep(_PAUSE_S)
            except LocisimilesError:
                return  # somebody has deleted the project
            else:
                return


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
