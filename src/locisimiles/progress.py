"""How long-running work tells how far it is, without knowing who listens."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Progress", "silent"]


class Progress(Protocol):
    """Called now and then with what is done, how much of it, and how much there is."""

    def __call__(self, task: str, done: int, total: int) -> None:
        """Report."""


def silent(task: str, done: int, total: int) -> None:
    """Report to nobody."""
