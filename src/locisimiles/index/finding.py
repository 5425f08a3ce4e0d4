"""The best of scored source segments, without those that are excluded."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from locisimiles.candidates import Found
    from locisimiles.index.documents import PreparedDocument

__all__ = ["best_of_texts", "without"]

_Scored = TypeVar("_Scored")


def without(scores: NDArray[np.float32], excluded: NDArray[np.bool_] | None) -> NDArray[np.float32]:
    """Return scores with 0, which is no candidate, for what is excluded."""
    return scores if excluded is None else np.where(excluded, np.float32(0), scores)


def best_of_texts(
    queries: PreparedDocument,
    rows: Sequence[int],
    scored: Iterable[_Scored],
    best: Callable[[_Scored, NDArray[np.bool_] | None], Found],
) -> list[Found]:
    """Return what each query segment finds, where each distinct text is scored once.

    Parameters
    ----------
    queries, rows
        The query segments, and the distinct text of each.
    scored
        For each distinct text what is needed to find the best; the first may be another's room.
    best
        Returns the best, given what is excluded.
    """
    asking: dict[int, list[int]] = {}
    for segment, row in enumerate(rows):
        asking.setdefault(row, []).append(segment)
    found: dict[int, Found] = {}
    for row, scores in enumerate(scored):
        known: dict[Hashable, Found] = {}
        for segment in asking[row]:
            key = queries.exclusion_key(segment)
            if key not in known:
                known[key] = best(scores, queries.excluded(segment))
            found[segment] = known[key]
    return [found[segment] for segment in range(len(rows))]
