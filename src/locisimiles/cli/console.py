"""How the command line speaks: results to standard output, all else to standard error."""

from __future__ import annotations

import io
import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

import typer

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


def run_safely(program: Callable[[], object]) -> int:  # noqa: PLR0911 - one for each end
    """Run a program so that no mistake of the user's ends in a traceback.

    Returns
    -------
    int
        The exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a letter shows a question mark.
            stream.reconfigure(errors="replace")
    try:
        code = program()
        sys.stdout.flush()
    except LocisimilesError as error:
        say(str(error), kind="error")
        return 1
    except BrokenPipeError:
        return _reader_has_left()
    except (KeyboardInterrupt, typer.Abort):
        say("stopped", kind="error")
        return _INTERRUPTED
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # typer noticed it first
            return _reader_has_left()
        return end.code if isinstance(end.code, int) else int(bool(end.code))
    except Exception as error:
        # Wrong usage. Newer releases of typer carry a click of their own, so the class of these
        # exceptions has no name that always holds; what they can do has.
        show, exit_code = getattr(error, "show", None), getattr(error, "exit_code", None)
        if show is None or not isinstance(exit_code, int):
            raise
        show()
        return exit_code
    return code if isinstance(code, int) else 0


def _reader_has_left() -> int:
    """End well although the reader of our output (head, less) has seen enough.

    Python would complain when it flushes standard output at exit, so that is sent nowhere.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
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
