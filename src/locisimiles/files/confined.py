"""Work in a process of its own, with limited memory and time.

The limits of `files.limits` are counted by our parsers, but XML, workbooks and Parquet are read by
libraries that count nothing. So a server reads what it received in a process that the system ends
when it takes too much; the server lives on. Small files ask for most memory, so their size tells
nothing. The processes are forks of one that has loaded the parsers (multiprocessing's forkserver),
so they start in milliseconds; where there is none (Windows), the work is done on the spot.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import traceback
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from locisimiles.errors import UnsafeInputError
from locisimiles.files.limits import VARIABLE, Limits, limited

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

__all__ = ["confined"]

T = TypeVar("T")

_IS_POSSIBLE = "forkserver" in multiprocessing.get_all_start_methods()
_LOADED = (
    "__main__",
    "numpy",
    "lxml.etree",
    "locisimiles.corpus.reading",
    "locisimiles.corpus.formats",
    "locisimiles.export",
)
"""What the process loads whose forks do the work; names only, since this room knows no parsers."""
_MB = 10**6
_PATIENCE = 5  # seconds on the clock, for each that the work may compute


def confined(
    work: Callable[..., T], *arguments: object, limits: Limits, file: str, **named: object
) -> T:
    """Return what a function returns in a process that may take ``limits.memory`` bytes.

    The function is one of a module, so that the other process finds it; it reads with the limits.
    What it raises is raised here. If the process needs more memory or time, or crashes, an
    UnsafeInputError names the file.

    Examples
    --------
    >>> confined(len, "arma", limits=Limits(), file="arma.txt")
    4
    """
    if not _IS_POSSIBLE:
        with limited(limits):
            return work(*arguments, **named)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_LOADED])
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(
        target=_serve, args=(theirs, partial(work, *arguments, **named), limits, file), daemon=True
    )
    process.start()
    theirs.close()
    try:
        answer = _answer(ours, limits, file)
    except EOFError:
        process.join()
        raise _ended(process.exitcode or 0, limits, file) from None
    finally:
        ours.close()
        process.kill()
        process.join()
        process.close()
    if isinstance(answer, BaseException):
        raise answer
    return cast("tuple[T]", answer)[0]


def _answer(ours: Connection, limits: Limits, file: str) -> object:
    most = _PATIENCE * limits.seconds
    if not ours.poll(most):
        raise UnsafeInputError("files.too_slow", file=file, most=most, variable=VARIABLE)
    return ours.recv()


def _ended(code: int, limits: Limits, file: str) -> UnsafeInputError:
    """Return the error of a process that ended without an answer."""
    if -code == signal.SIGXCPU:
        return UnsafeInputError("files.too_slow", file=file, most=limits.seconds, variable=VARIABLE)
    if -code in (signal.SIGKILL, signal.SIGABRT):  # by the system, by libraries
        return _too_much_memory(limits, file)
    return UnsafeInputError("files.reading_crashed", file=file)


def _too_much_memory(limits: Limits, file: str) -> UnsafeInputError:
    most = limits.memory // _MB
    return UnsafeInputError("files.too_much_memory", file=file, most=most, variable=VARIABLE)


def _serve(theirs: Connection, work: Callable[[], object], limits: Limits, file: str) -> None:
    """Do the work in the new process, and send what it returns, alone in a tuple, or raises."""
    _limit(limits)
    answer: object
    try:
        with limited(limits):
            answer = (work(),)
            theirs.send(answer)
    except MemoryError:
        answer = None
        theirs.send(_too_much_memory(limits, file))
    except Exception as error:  # noqa: BLE001 -- raised where it was asked for
        theirs.send(error if _can_be_sent(error) else RuntimeError(traceback.format_exc()))


def _can_be_sent(error: Exception) -> bool:
    """Tell whether an error survives the way to another process; those of some libraries do not."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 -- our own bytes
    except Exception:  # noqa: BLE001 -- a class may do anything there
        return False
    return True


def _limit(limits: Limits) -> None:
    import resource

    pages = Path("/proc/self/statm")  # as it is before the work, with the libraries that are loaded
    now = int(pages.read_text().split()[0]) * resource.getpagesize() if pages.exists() else 0
    # Where the system knows no such limit, the process is one of its own all the same.
    for which, most in (
        (resource.RLIMIT_AS, now + limits.memory),
        (resource.RLIMIT_CPU, limits.seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(which, (most, most + 1))  # what lies between tells why it ended
