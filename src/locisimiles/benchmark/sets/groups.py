"""The groups of references that figures are given for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.classify.labels import TYPES, Label
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.references import References

__all__ = ["GROUPS", "TYPES", "in_group", "of_group"]

GROUPS = ("cit", "cf", "pooled")
"""Verbatim references, allusions, and both as one."""


def in_group(label: NDArray[np.uint8], group: str) -> NDArray[np.bool_]:
    """Return which labels make a pair a reference of the group.

    Examples
    --------
    >>> labels = np.array([Label.NONE, Label.CIT, Label.CF], np.uint8)
    >>> in_group(labels, "cf").tolist(), in_group(labels, "pooled").tolist()
    ([False, False, True], [False, True, True])
    """
    if group not in GROUPS:
        raise ParameterError(
            f"there is no group {group!r} of references", hint=f"choose among {', '.join(GROUPS)}"
        )
    wanted = TYPES if group == "pooled" else (Label[group.upper()],)
    return np.isin(label, wanted)


def of_group(references: References, group: str) -> References:
    """Return the references of a group."""
    return references.select(in_group(references.label, group))
