"""Spherical k-means, and which queries probe which clusters."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["nearest_centres", "probes_by_list", "spherical_centres"]

_ROWS_AT_A_TIME = 1 << 13
_TRAINING_ROWS = 64  # per centre
_ROUNDS = 10
_SHORTEST = np.float32(1e-12)


def spherical_centres(
    vectors: NDArray[np.float32] | NDArray[np.int8],
    count: int,
    random: np.random.Generator,
    *,
    rounds: int = _ROUNDS,
) -> NDArray[np.float32]:
    """Return the centres of spherical k-means over a sample of vectors."""
    if not len(vectors):
        return np.zeros((1, vectors.shape[1]), np.float32)
    sample = random.permutation(len(vectors))[: count * _TRAINING_ROWS]
    rows = vectors[np.sort(sample)].astype(np.float32, copy=False)
    centres: NDArray[np.float32] = vectors[sample[:count]].astype(np.float32)
    # All of one length: a longer centre with no vectors near it would attract everything.
    centres /= np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), _SHORTEST)
    for _ in range(rounds):
        nearest = nearest_centres(rows, centres)
        order = np.argsort(nearest, kind="stable")
        used, begins = np.unique(nearest[order], return_index=True)
        sums = np.add.reduceat(rows[order], begins, axis=0)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        # A centre with no vectors near it, or only zeros, stays where it was.
        real = lengths[:, 0] > 0
        centres = centres.copy()
        centres[used[real]] = sums[real] / lengths[real]
    return centres


def nearest_centres(
    vectors: NDArray[np.float32] | NDArray[np.int8], centres: NDArray[np.float32]
) -> NDArray[np.int64]:
    """Return the centre that each vector is nearest to."""
    nearest = np.empty(len(vectors), np.int64)
    for begin in range(0, len(vectors), _ROWS_AT_A_TIME):
        block = vectors[begin : begin + _ROWS_AT_A_TIME].astype(np.float32, copy=False)
        nearest[begin : begin + _ROWS_AT_A_TIME] = (block @ centres.T).argmax(axis=1)
    return nearest


def probes_by_list(
    products: NDArray[np.float32], probes: int
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield each probed list with the queries that probe it.

    A query (row) probes the lists (columns) with the highest products. List by list, all queries
    of a list can be compared with its members in one product.

    Examples
    --------
    >>> products = np.array([[3, 2, 1], [1, 2, 3]], np.float32)
    >>> [(number, rows.tolist()) for number, rows in probes_by_list(products, 2)]
    [(0, [0]), (1, [0, 1]), (2, [1])]
    """
    lists = products.shape[1]
    probed = np.broadcast_to(np.arange(lists), products.shape)
    if probes < lists:
        probed = np.argpartition(-products, probes - 1, axis=1)[:, :probes]
    by_list = np.argsort(probed, axis=None, kind="stable")
    queries = by_list // probed.shape[1]
    begins = np.searchsorted(probed.ravel()[by_list], np.arange(lists + 1)).tolist()
    for number, (begin, end) in enumerate(pairwise(begins)):
        if begin < end:
            yield number, queries[begin:end]
