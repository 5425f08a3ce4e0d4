"""Run a function in a process of its own, and tell its time, memory and end."""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Measured", "measured"]

_MB = 1000**2
_LONGEST = 4000
_PATIENCE = 6  # other programs may keep the processor busy; what waits is killed in the end


@dataclass(frozen=True)
class Measured:
    """What a call took, and how it ended.

    Attributes
    ----------
    seconds
        Time of the processor.
    megabytes
        Memory at its peak, beyond that of the process before.
    end
        ``result``, ``error`` (one of ours), ``foreign`` (an exception of others) or ``killed``.
    said
        The error.
    """

    seconds: float
    megabytes: float
    end: str
    said: str = ""


def measured(call: Callable[[], object], *, seconds: int, megabytes: int) -> Measured:
    """Call a function in a child process that is killed beyond a time; memory is limited, too."""
    gc.collect()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os._exit(_in_child(call, writing, seconds, megabytes))
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    if not told:
        return Measured(seconds, megabytes, "killed")
    return Measured(*pickle.loads(told))  # written by our own child


def _in_child(call: Callable[[], object], pipe: int, seconds: int, megabytes: int) -> int:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    before = _status("VmRSS")
    size = _status("VmSize")
    limit = size + 4 * megabytes * _MB  # of addresses, of which libraries reserve many
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    signal.alarm(_PATIENCE * seconds)
    try:
        call()
        end, said = "result", ""
    except LocisimilesError as error:
        end, said = "error", f"{type(error).__name__}: {error}"
    except BaseException:  # noqa: BLE001 - all that it may raise is told
        end, said = "foreign", traceback.format_exc()
    signal.alarm(0)
    peak = (_status("VmHWM") - before) / _MB
    os.write(pipe, pickle.dumps((time.process_time(), peak, end, said[-_LONGEST:])))
    return 0


def _status(name: str) -> int:
    with open("/proc/self/status", encoding="ascii") as lines:  # noqa: PTH123
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))
