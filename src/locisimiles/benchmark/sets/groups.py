"""The groups of references that are measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_choice
from locisimiles.classify.labels import TYPES, Label

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.references import References

__all__ = ["GROUPS", "in_group", "of_group"]

GROUPS = ("cit", "cf", "pooled")
"""Verbatim references, allusions, and both together."""


def in_group(label: NDArray[np.uint8], group: str) -> NDArray[np.bool_]:
    """Return which labels belong to a group.

    Examples
    --------
    >>> labels = np.array([Label.NONE, Label.CIT, Label.CF], np.uint8)
    >>> in_group(labels, "cf").tolist(), in_group(labels, "pooled").tolist()
    ([False, False, True], [False, True, True])
    """
    check_choice(GROUPS, group=group)
    wanted = TYPES if group == "pooled" else (Label[group.upper()],)
    return np.isin(label, wanted)


def of_group(references: References, group: str) -> References:
    """Return the references of a group."""
    return references.select(in_group(references.label, group))
