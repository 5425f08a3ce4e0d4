"""Pairs in batches of like lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["batches_by_length", "training_batches"]

_TOGETHER = 50  # batches among whose pairs those of like length are looked for


def training_batches(
    order: NDArray[np.int64], lengths: NDArray[np.int64], size: int, random: np.random.Generator
) -> list[NDArray[np.int64]]:
    """Cut drawn pairs into batches of like lengths, which come in random order.

    Only neighbours are sorted, so that batches are not the same in each epoch.

    Parameters
    ----------
    order
        The pairs that are shown, in random order.
    lengths
        Of all pairs.
    size
        How many pairs a batch has; one of them may have fewer.
    random
        Says in which order they come.
    """
    block = np.arange(len(order)) // (size * _TOGETHER)
    by_length = order[np.lexsort((lengths[order], block))]
    cut = [by_length[begin : begin + size] for begin in range(0, len(order), size)]
    return [cut[place] for place in random.permutation(len(cut))]


def batches_by_length(lengths: NDArray[np.int64], most_pieces: int) -> Iterator[NDArray[np.int64]]:
    """Yield pairs of like lengths together, the longest first.

    Parameters
    ----------
    lengths
        Of all pairs.
    most_pieces
        How many pieces a batch has at most, with what it is filled up with.

    Raises
    ------
    ParameterError
        If not even one pair is allowed.

    Examples
    --------
    >>> [rows.tolist() for rows in batches_by_length(np.array([3, 9, 4, 8]), 18)]
    [[1, 3], [2, 0]]
    """
    if most_pieces < 1:
        raise ParameterError(f"most_pieces={most_pieces} has no room for a pair")
    order = np.argsort(-lengths, kind="stable")
    begin = 0
    while begin < len(order):
        size = max(1, most_pieces // int(lengths[order[begin]]))
        yield order[begin : begin + size]
        begin += size
