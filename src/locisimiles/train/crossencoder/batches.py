"""Pairs to train on in batches of like lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["training_batches"]

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
