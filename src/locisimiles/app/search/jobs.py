"""Searches in processes of their own: started, stopped, and resumed after a crash."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from locisimiles.app.search import status
from locisimiles.errors import DatabaseError, LocisimilesError
from locisimiles.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.projects.project import Project
    from locisimiles.app.search.parameters import SearchParameters

__all__ = ["LOST_EXIT", "Jobs"]

LOST_EXIT = 3
"""Exit code of a process whose search was cancelled, or taken over by another process."""
_GRACE_S = 5.0
_PAUSE_S = 3.0


@dataclass(frozen=True, slots=True)
class _Job:
    """A search. Two objects of one project are equal by its key."""

    project: Project = field(compare=False)
    number: int
    key: str


class Jobs:
    """Runs the searches of all projects, at most `most` at the same time; the others wait."""

    def __init__(self, most: int = 1) -> None:
        self._most = most
        self._waiting: deque[_Job] = deque()
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._stopped: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._closed = False

    def start(
        self, project: Project, parameters: SearchParameters, *, name: str = "", reuse: bool = True
    ) -> int:
        """Start a search; return its number."""
        number = status.request_search(project, parameters, name=name, reuse=reuse)
        with self._lock:
            self._line_up(project, number)
        self._start_waiting()
        return number

    def resume(self, project: Project, number: int | None = None) -> bool:
        """Resume a search that stopped, by default the newest; return whether there is one."""
        with self._lock:  # it must not be given up between the request and waiting
            number = status.resume_search(project, number)
            if number is not None:
                self._line_up(project, number)
        self._start_waiting()
        return number is not None

    def resume_interrupted(self, projects: Iterable[Project]) -> int:
        """Resume the searches that were running when the app ended; return their number.

        Those that were not requested here wait until a user resumes them.
        """
        count = 0
        for project in projects:
            with suppress(LocisimilesError):  # a damaged project must not keep the others
                for number in status.searches_to_resume(project):
                    count += self.resume(project, number)
        return count

    def cancel(self, project: Project) -> None:
        """Stop the search of a project; its results so far are kept."""
        status.cancel_search(project)
        with self._lock:
            process = self._running.get(project.database.key)
            if process is not None:
                self._stopped.add(process)
        if process is not None:
            _end(process)

    def close(self) -> None:
        """Stop all processes; their searches resume when the app starts again."""
        with self._lock:
            self._closed = True
            processes = list(self._running.values())
        for process in processes:
            _end(process)

    def _line_up(self, project: Project, number: int) -> None:
        # Also if a process of the project still runs: it may be about to end. If it succeeds, the
        # next one finds nothing left to do.
        job = _Job(project, number, project.database.key)
        if job not in self._waiting:
            self._waiting.append(job)

    def _start_waiting(self) -> None:
        with self._lock:
            for job in list(self._waiting):
                if self._closed or len(self._running) >= self._most:
                    return
                if job.key in self._running:
                    continue
                self._waiting.remove(job)
                database = job.project.database
                process = subprocess.Popen(  # noqa: S603 - our own module
                    [sys.executable, "-m", "locisimiles.app.search.worker",
                     database.user, database.id, str(job.number)],
                    # Not as an argument: the address of a database may contain a password.
                    env={**os.environ, **database.storage.environment()},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                )  # fmt: skip
                self._running[job.key] = process
                threading.Thread(target=self._watch, args=(job, process), daemon=True).start()

    def _watch(self, job: _Job, process: subprocess.Popen[bytes]) -> None:
        process.wait()
        if process.stdin is not None:
            process.stdin.close()
        with self._lock:
            del self._running[job.key]
            # A search that succeeded or was cancelled has its state already, and one that was lost
            # belongs to another process.
            settled = process in self._stopped or process.returncode in (0, LOST_EXIT)
            self._stopped.discard(process)
        if not settled:
            self._give_up(job)
        self._start_waiting()

    def _give_up(self, job: _Job) -> None:
        """Mark a search as failed, as soon as the database can be reached."""
        ended = Message("app.search_ended")
        while not self._closed:
            try:
                with self._lock:
                    if job not in self._waiting and job.project.exists():
                        status.fail_search(job.project, job.number, ended)
            except DatabaseError:
                time.sleep(_PAUSE_S)  # its absence may be what ended the search
            except LocisimilesError:
                return  # the project was deleted
            else:
                return


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
