"""How long-running work reports progress."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Progress", "silent"]


class Progress(Protocol):
    """Called from time to time with the task, the work done, and the total."""

    def __call__(self, task: str, done: int, total: int) -> None:
        """Report."""


def silent(task: str, done: int, total: int) -> None:
    """Report nothing."""
