"""Messages, progress and exit codes. Only results go to standard output."""

from __future__ import annotations

import io
import os
import sys
import time
from typing import TYPE_CHECKING, Self

import typer

from locisimiles.display import printable
from locisimiles.errors import LocisimilesError
from locisimiles.progress import duration

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

__all__ = ["ProgressBar", "ProgressLog", "run_safely", "say"]

_PATIENCE = 2.0
_FIRST_LINE_S, _LINE_EVERY_S = 30.0, 60.0  # where there is no terminal
_MEASURED_SHARE = 0.02
_INTERRUPTED = 130


def say(message: str, *, kind: str = "") -> None:
    """Print a message to standard error."""
    from rich.console import Console
    from rich.text import Text

    styles = {"error": "bold red", "note": "yellow"}
    text = Text(printable(message), style="")
    if kind:
        text = Text.assemble((f"{kind}: ", styles[kind]), text)
    Console(stderr=True, highlight=False, soft_wrap=True).print(text)


def run_safely(program: Callable[[], object]) -> int:  # noqa: PLR0911 - an exit code per case
    """Run a program and return its exit code; report users' mistakes without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character shows a question mark.
            stream.reconfigure(errors="replace")
    try:
        code = program()
        sys.stdout.flush()
    except LocisimilesError as error:
        say(str(error), kind="error")
        return 1
    except BrokenPipeError:
        return _ignore_closed_output()
    except (KeyboardInterrupt, typer.Abort):
        say("stopped", kind="error")
        return _INTERRUPTED
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # typer caught it first
            return _ignore_closed_output()
        return end.code if isinstance(end.code, int) else int(bool(end.code))
    except Exception as error:
        # Wrong usage. Some releases of typer bundle click, so the exception has no class that we
        # could import; it is known by its attributes.
        show, exit_code = getattr(error, "show", None), getattr(error, "exit_code", None)
        if show is None or not isinstance(exit_code, int):
            raise
        show()
        return exit_code
    return code if isinstance(code, int) else 0


def _ignore_closed_output() -> int:
    """Exit quietly after head or less has closed our output.

    Python flushes standard output at exit and would complain, so discard it.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


class ProgressBar:
    """A progress bar that appears after two seconds of work; without a terminal, a line a minute.

    A context manager, and a `locisimiles.progress.Progress`.
    """

    def __init__(self) -> None:
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}
        self._log = ProgressLog()
        self._started = time.monotonic()

    def __enter__(self) -> Self:
        self._started = time.monotonic()
        self._log = ProgressLog()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, task: str, done: int, total: int) -> None:
        """Show progress."""
        if self._bar is None:
            if not sys.stderr.isatty():
                self._log(task, done, total)
                return
            if time.monotonic() - self._started < _PATIENCE:
                return
            self._bar = _make_bar()
            self._bar.start()
        if task not in self._tasks:
            self._tasks[task] = self._bar.add_task(task, total=total)
        self._bar.update(self._tasks[task], completed=done, total=total)


class ProgressLog:
    """Progress as lines of a log: of long work only, one a minute, with the time left."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _FIRST_LINE_S
        self._task, self._begun, self._before, self._last = "", 0.0, 0, 0

    def __call__(self, task: str, done: int, total: int) -> None:
        """Write a line if it is time for one."""
        now = time.monotonic()
        if task != self._task or done < self._last:  # another part may do the same task
            self._task, self._begun, self._before = task, now, done
        self._last = done
        if now >= self._next:
            self._next = now + _LINE_EVERY_S
            share = f" ({100 * done // total} %)" if total else ""
            say(f"{task}: {done:,} of {total:,}{share}{self._left(done, total, now)}")

    def _left(self, done: int, total: int, now: float) -> str:
        gained = done - self._before
        if gained <= 0 or gained < _MEASURED_SHARE * total or done >= total:
            return ""
        seconds = (now - self._begun) / gained * (total - done)
        return f", about {duration(seconds)} left"


def _make_bar() -> Bar:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
