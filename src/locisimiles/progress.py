"""How long-running work reports progress."""

from __future__ import annotations

import math
from typing import Protocol

__all__ = ["Progress", "duration", "silent"]

_MINUTE, _HOUR = 60, 3600
_MOST_SECONDS, _STEP = 90, 5


class Progress(Protocol):
    """Called from time to time with the task, the work done, and the total."""

    def __call__(self, task: str, done: int, total: int) -> None:
        """Report."""


def silent(task: str, done: int, total: int) -> None:
    """Report nothing."""


def duration(seconds: float) -> str:
    """Return an estimated duration, no more exact than an estimate can be.

    Examples
    --------
    >>> duration(7.2), duration(200), duration(5000)
    ('10 s', '4 min', '1 h 24 min')
    """
    if seconds <= _MOST_SECONDS:
        return f"{max(math.ceil(seconds / _STEP), 1) * _STEP} s"
    minutes = math.ceil(seconds / _MINUTE)
    if minutes < _HOUR // _MINUTE:
        return f"{minutes} min"
    return "{} h {} min".format(*divmod(minutes, _HOUR // _MINUTE))
