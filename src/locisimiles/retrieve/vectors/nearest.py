"""Compare query vectors with all source vectors, or only with likely ones.

A search returns a score for each pair of query and source; 0 for sources it did not visit. So exact
and approximate search differ only in how many sources they visit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from locisimiles.checks import check_at_least
from locisimiles.models.clustering import nearest_centres, probes_by_list, spherical_centres

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "IVF",
    "ExactSearch",
    "InvertedLists",
    "VectorSearch",
    "queries_at_a_time",
]

_SCORES_AT_A_TIME = 1 << 24  # 64 MiB


class VectorSearch(Protocol):
    """Source vectors, prepared for comparison."""

    def scores(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a row of scores for each query; 0 for sources that were not visited."""


def queries_at_a_time(sources: int) -> int:
    """Return the number of queries that can be compared with all sources in bounded memory.

    Examples
    --------
    >>> queries_at_a_time(90_000), queries_at_a_time(0)
    (186, 4096)
    """
    return min(max(_SCORES_AT_A_TIME // max(sources, 1), 1), 1 << 12)


@dataclass(frozen=True, slots=True, eq=False)
class ExactSearch:
    """Visits every source; `vectors` has a row per source."""

    vectors: NDArray[np.float32]

    def scores(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the products of all queries with all sources."""
        product: NDArray[np.float32] = queries @ self.vectors.T
        return product


@dataclass(frozen=True, slots=True)
class IVF:
    """Approximate search by inverted lists (Jégou et al. 2011, without their quantisation).

    Sources are sorted into lists by k-means; a query probes the lists whose centres are nearest.
    Their sources are scored exactly.

    Parameters
    ----------
    lists
        The number of lists; by default the square root of the number of sources.
    probes
        The number of lists a query probes; by default a fifth, at least 8. With all of them, the
        search is exact.
    seed
        Draws the first centres.

    Examples
    --------
    >>> IVF().sizes(90_000)
    (300, 60)
    """

    lists: int | None = None
    probes: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_at_least(1, lists=self.lists, probes=self.probes)

    def sizes(self, sources: int) -> tuple[int, int]:
        """Return the number of lists for a number of sources, and the number of probes."""
        lists = min(self.lists or max(math.isqrt(sources), 1), max(sources, 1))
        probes = self.probes or max(math.ceil(lists / 5), 8)
        return lists, min(probes, lists)

    def build(self, vectors: NDArray[np.float32]) -> InvertedLists:
        """Sort source vectors into lists."""
        lists, probes = self.sizes(len(vectors))
        centres = spherical_centres(vectors, lists, np.random.default_rng(self.seed))
        return InvertedLists(vectors, centres, probes)


class InvertedLists:
    """Visits the sources of the lists nearest to a query; returned by `IVF.build`."""

    def __init__(
        self, vectors: NDArray[np.float32], centres: NDArray[np.float32], probes: int
    ) -> None:
        nearest = nearest_centres(vectors, centres)
        # Sources are ordered by list, so a list is one matrix.
        self._order = np.argsort(nearest, kind="stable")
        self._vectors = vectors[self._order]
        self._bounds = np.searchsorted(nearest[self._order], np.arange(len(centres) + 1))
        self._centres = centres
        self._probes = probes

    def scores(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the products of queries with the sources of their nearest lists."""
        scores = np.zeros((len(queries), len(self._vectors)), np.float32)
        for number, rows in probes_by_list(queries @ self._centres.T, self._probes):
            members = slice(self._bounds[number], self._bounds[number + 1])
            product = queries[rows] @ self._vectors[members].T
            scores[rows[:, None], self._order[members]] = product
        return scores
