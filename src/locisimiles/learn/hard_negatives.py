"""Hard negatives: sources that a retriever finds, but that are not references."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.candidates import Candidates
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Retriever

__all__ = ["hard_candidates", "search_queries"]


def hard_candidates(
    benchmark: Benchmark, retriever: Retriever, depth: int, ratio: int, progress: Progress
) -> Candidates:
    """Search all queries with references, deep enough to leave `depth` negatives for each.

    A query with many references needs `ratio` negatives for each, and is searched deeper; so are
    all others.
    """
    references = benchmark.references
    most = int(np.unique(references.query, return_counts=True)[1].max())
    k = max(depth, most * ratio) + most
    return search_queries(benchmark, retriever, references.queries, k, progress)


def search_queries(
    benchmark: Benchmark,
    retriever: Retriever,
    queries: NDArray[np.int32],
    k: int,
    progress: Progress,
) -> Candidates:
    """Search some queries of a benchmark; `queries` are positions in it, here and in the result."""
    index = retriever.index(benchmark.source, progress=progress)
    found = index.search(benchmark.query.select(queries.tolist()), k, progress=progress)
    return replace(found, query=queries[found.query])
