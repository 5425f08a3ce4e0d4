"""Compare query vectors with source vectors: with all of them, or with the likely ones only.

A search gives a score for each pair of a query and a source; 0 where it did not look. So exact and
approximate search differ in nothing but how many sources they look at.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "IVF",
    "ExactSearch",
    "InvertedLists",
    "VectorSearch",
    "nearest_centres",
    "queries_at_a_time",
    "spherical_centres",
]

_SCORES_AT_A_TIME = 1 << 24  # 64 MiB
_ROWS_AT_A_TIME = 1 << 13
_TRAINING_ROWS = 64  # of each list
_ROUNDS = 10
_SHORTEST = np.float32(1e-12)


class VectorSearch(Protocol):
    """Source vectors, prepared for comparison."""

    def scores(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a row of scores for each query, 0 for sources that were not looked at."""


def queries_at_a_time(sources: int) -> int:
    """Return how many queries can be compared with all sources in bounded memory.

    Examples
    --------
    >>> queries_at_a_time(90_000), queries_at_a_time(0)
    (186, 4096)
    """
    return min(max(_SCORES_AT_A_TIME // max(sources, 1), 1), 1 << 12)


class ExactSearch:
    """Look at every source.

    Parameters
    ----------
    vectors
        A row a source.
    """

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self._vectors = vectors

    def scores(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the products of all queries with all sources."""
        product: NDArray[np.float32] = queries @ self._vectors.T
        return product


@dataclass(frozen=True, slots=True)
class IVF:
    """Approximate search by inverted lists (Jégou et al. 2011, without their quantisation).

    Sources are sorted into lists by k-means; a query looks at those lists whose centres are nearest
    to it. What it finds there is scored exactly.

    Parameters
    ----------
    lists
        How many; by default the square root of the number of sources.
    probes
        How many of them a query looks at; by default a fifth, at least 8. With all of them, the
        search is exact.
    seed
        For the first centres.

    Examples
    --------
    >>> IVF().sizes(90_000)
    (300, 60)
    """

    lists: int | None = None
    probes: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value in (("lists", self.lists), ("probes", self.probes)):
            if value is not None and value < 1:
                raise ParameterError(f"{name}={value} finds nothing", hint="1 is the least")

    def sizes(self, sources: int) -> tuple[int, int]:
        """Return how many lists there are for so many sources, and how many a query looks at."""
        lists = min(self.lists or max(math.isqrt(sources), 1), max(sources, 1))
        probes = self.probes or max(math.ceil(lists / 5), 8)
        return lists, min(probes, lists)

    def build(self, vectors: NDArray[np.float32]) -> InvertedLists:
        """Sort source vectors into lists."""
        lists, probes = self.sizes(len(vectors))
        centres = spherical_centres(vectors, lists, np.random.default_rng(self.seed))
        return InvertedLists(vectors, centres, probes)


class InvertedLists:
    """Look at sources that are near the same centres as the query; made by `IVF.build`."""

    def __init__(
        self, vectors: NDArray[np.float32], centres: NDArray[np.float32], probes: int
    ) -> None:
        nearest = nearest_centres(vectors, centres)
        # The sources of a list stand together, so that a list is one matrix.
        self._order = np.argsort(nearest, kind="stable")
        self._vectors = vectors[self._order]
        self._bounds = np.searchsorted(nearest[self._order], np.arange(len(centres) + 1))
        self._centres = centres
        self._probes = probes

    def scores(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the products of queries with the sources of their nearest lists."""
        scores = np.zeros((len(queries), len(self._vectors)), np.float32)
        near = queries @ self._centres.T
        probed = np.argpartition(-near, self._probes - 1, axis=1)[:, : self._probes]
        # List by list: the queries that look at one are compared with it in one product.
        by_list = np.argsort(probed, axis=None, kind="stable")
        asking = by_list // self._probes
        begins = np.searchsorted(probed.ravel()[by_list], np.arange(len(self._centres) + 1))
        for number in range(len(self._centres)):
            rows = asking[begins[number] : begins[number + 1]]
            members = slice(self._bounds[number], self._bounds[number + 1])
            product = queries[rows] @ self._vectors[members].T
            scores[rows[:, None], self._order[members]] = product
        return scores


def spherical_centres(
    vectors: NDArray[np.float32] | NDArray[np.int8],
    count: int,
    random: np.random.Generator,
    *,
    rounds: int = _ROUNDS,
) -> NDArray[np.float32]:
    """Return the centres that spherical k-means finds in a sample."""
    if not len(vectors):
        return np.zeros((1, vectors.shape[1]), np.float32)
    sample = random.permutation(len(vectors))[: count * _TRAINING_ROWS]
    rows = vectors[np.sort(sample)].astype(np.float32, copy=False)
    centres: NDArray[np.float32] = vectors[sample[:count]].astype(np.float32)
    # All of one length: a longer one that nobody is near at first would then attract everything.
    centres /= np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), _SHORTEST)
    for _ in range(rounds):
        nearest = nearest_centres(rows, centres)
        order = np.argsort(nearest, kind="stable")
        used, begins = np.unique(nearest[order], return_index=True)
        sums = np.add.reduceat(rows[order], begins, axis=0)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        # A centre that nobody is near, or that nothing but zeros is, stays where it was.
        real = lengths[:, 0] > 0
        centres = centres.copy()
        centres[used[real]] = sums[real] / lengths[real]
    return centres


def nearest_centres(
    vectors: NDArray[np.float32] | NDArray[np.int8], centres: NDArray[np.float32]
) -> NDArray[np.int64]:
    """Return the number of the centre that each vector is nearest to."""
    nearest = np.empty(len(vectors), np.int64)
    for begin in range(0, len(vectors), _ROWS_AT_A_TIME):
        block = vectors[begin : begin + _ROWS_AT_A_TIME].astype(np.float32, copy=False)
        nearest[begin : begin + _ROWS_AT_A_TIME] = (block @ centres.T).argmax(axis=1)
    return nearest
