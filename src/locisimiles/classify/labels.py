"""The three classes of the task."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["TYPES", "Label"]


class Label(IntEnum):
    """The class of a pair of segments."""

    NONE = 0
    CIT = 1
    CF = 2

    @property
    def text(self) -> str:
        """The label as files and tables write it."""
        return self.name.lower()


TYPES = (Label.CIT, Label.CF)
"""The two types of references, in the order of their axes."""
