"""Messages, output, progress and exit codes. Only results go to standard output.

Everything that commands write passes through here or through `display`, so no text can command the
terminal that shows it.
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Self

import typer

from locisimiles.display import printable
from locisimiles.errors import LocisimilesError, OutputError
from locisimiles.messages import Message
from locisimiles.progress import duration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

__all__ = [
    "ProgressBar",
    "ProgressLog",
    "be_quiet",
    "harmless_rows",
    "run_safely",
    "say",
    "write_json",
    "write_line",
    "write_text",
]

_PATIENCE = 2.0
_FIRST_LINE_S, _LINE_EVERY_S = 30.0, 60.0  # where there is no terminal
_MEASURED_SHARE = 0.02
_INTERRUPTED = 130
# What may stand in a table that is written to a pipe: all but what commands a terminal.
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EINVAL}
_USAGE_WORDS = ("message", "option_name", "param_hint")


class _Loudness:
    """What a run writes besides its results."""

    quiet = False


def be_quiet(*, wanted: bool) -> None:
    """Write no messages or progress from now on, only results and errors; or write them again."""
    _Loudness.quiet = wanted


def say(message: str, *, kind: str = "", needed: bool = False) -> None:
    """Print a message to standard error; of a quiet run, only errors and what is `needed`."""
    if _Loudness.quiet and not needed and kind != "error":
        return
    from rich.console import Console
    from rich.text import Text

    styles = {"error": "bold red", "note": "yellow"}
    text = Text(printable(message), style="")
    if kind:
        text = Text.assemble((f"{kind}: ", styles[kind]), text)
    with suppress(OSError):  # nobody can read it
        Console(stderr=True, highlight=False, soft_wrap=True).print(text)


def write_line(*cells: object) -> None:
    """Write a line to standard output, with tabs between its cells."""
    print(*(printable(str(cell)) for cell in cells), sep="\t")


def write_text(text: str) -> None:
    """Write lines to standard output; what commands a terminal is shown as text."""
    print("\n".join(map(printable, text.splitlines())))


def write_json(content: object) -> None:
    """Write JSON to standard output; what commands a terminal is escaped."""
    text = json.dumps(content, ensure_ascii=False, indent=1)
    print(_COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def harmless_rows(rows: Iterable[Sequence[object]]) -> Iterator[list[str]]:
    """Return rows for standard output, without what commands a terminal.

    A pipe gets the lines and tabs of its texts, a terminal spaces in their place.
    """
    on_terminal = sys.stdout.isatty()
    for row in rows:
        cells = map(str, row)
        yield [printable(cell) if on_terminal else _COMMANDS.sub("�", cell) for cell in cells]


def run_safely(program: Callable[[], object]) -> int:  # noqa: PLR0911 - an exit code per case
    """Run a program and return its exit code; report users' mistakes without a traceback."""
    _open_missing_streams()
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
    except OSError as error:
        return _output_error(error)
    except MemoryError:
        say("there is not enough memory; use shorter texts, or close other programs", kind="error")
        return 1
    except (KeyboardInterrupt, typer.Abort):
        say("stopped", kind="error")
        return _INTERRUPTED
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # typer caught it first
            return _discard_output()
        return end.code if isinstance(end.code, int) else int(bool(end.code))
    except Exception as error:  # noqa: BLE001 - raised again if it is a bug
        return _wrong_usage(error)
    return code if isinstance(code, int) else 0


def _wrong_usage(error: Exception) -> int:
    """Show what was wrong with the arguments; raise any other error.

    Some releases of typer bundle click, so the exception has no class that we could import; it is
    known by its attributes.
    """
    show, exit_code = getattr(error, "show", None), getattr(error, "exit_code", None)
    if show is None or not isinstance(exit_code, int):
        raise error
    for name in _USAGE_WORDS:
        if isinstance(words := getattr(error, name, None), str):
            setattr(error, name, printable(words))
    show()
    return exit_code


def _output_error(error: OSError) -> int:
    """End after standard output could not be written; raise any other error."""
    if isinstance(error, BrokenPipeError):
        return _discard_output()
    # Errors of files name them, and are errors of ours before they get here.
    if error.filename is not None or error.errno not in _UNWRITABLE:
        raise error
    reason = Message("cli.output_closed") if error.errno == errno.EBADF else error.strerror
    say(str(OutputError("cli.output_unwritable", reason=reason)), kind="error")
    return _discard_output(1)


class _ClosedOutput(io.TextIOBase):
    """Takes the place of a standard output that was closed before we began."""

    def write(self, _text: str, /) -> int:
        """Refuse to write."""
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def _open_missing_streams() -> None:
    """Give closed standard streams a place, or the next file we open would get it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - for good
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - for good


def _discard_output(code: int = 0) -> int:
    """Exit quietly after head or less has closed our output.

    Python flushes standard output at exit and would complain, so discard it.
    """
    with suppress(OSError):  # it has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


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
        if _Loudness.quiet:
            return
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
