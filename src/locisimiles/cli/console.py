"""How the command line speaks: results to standard output, all else to standard error."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from locisimiles.display import printable
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from locisimiles.corpus import Document

__all__ = ["ProgressBar", "report_reading", "run_safely", "say"]

_PATIENCE = 2.0
_MESSAGES_SHOWN = 10
_INTERRUPTED = 130


def say(message: str, *, kind: str = "") -> None:
    """Print a message for the user, never mixed with results."""
    from rich.console import Console
    from rich.text import Text

    styles = {"error": "bold red", "note": "yellow"}
    text = Text(printable(message), style="")
    if kind:
        text = Text.assemble((f"{kind}: ", styles[kind]), text)
    Console(stderr=True, highlight=False, soft_wrap=True).print(text)


def run_safely(app: Callable[[], object]) -> int:
    """Run a program so that no mistake of the user's ends in a traceback.

    Returns
    -------
    int
        The exit code.
    """
    try:
        app()
    except LocisimilesError as error:
        say(str(error), kind="error")
        return 1
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough. Python would complain again
        # when it flushes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        say("stopped", kind="error")
        return _INTERRUPTED
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else int(bool(exit_.code))
    return 0


def report_reading(*documents: Document) -> None:
    """Tell what was skipped or guessed when documents were read."""
    messages = [message for document in documents for message in document.report.messages()]
    for message in messages[:_MESSAGES_SHOWN]:
        say(message, kind="note")
    if len(messages) > _MESSAGES_SHOWN:
        say(f"{len(messages) - _MESSAGES_SHOWN} more notes of this kind", kind="note")


class ProgressBar:
    """A progress bar that appears only when the work takes more than two seconds.

    Used as a context manager; the object itself is what long-running functions call.
    """

    def __init__(self) -> None:
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}
        self._started = time.monotonic()

    def __enter__(self) -> Self:
        self._started = time.monotonic()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, task: str, done: int, total: int) -> None:
        """Show how far a task is."""
        if self._bar is None:
            if time.monotonic() - self._started < _PATIENCE or not sys.stderr.isatty():
                return
            self._bar = _make_bar()
            self._bar.start()
        if task not in self._tasks:
            self._tasks[task] = self._bar.add_task(task, total=total)
        self._bar.update(self._tasks[task], completed=done, total=total)


def _make_bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeLeft(),
        console=Console(stderr=True),
        transient=True,
    )
