"""The index of retrievers that sum the weights of shared terms."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from locisimiles.candidates import Candidates, Found, best
from locisimiles.checks import check_at_least
from locisimiles.index import PreparedDocument
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.lexical.counting import TermCounter
    from locisimiles.retrieve.lexical.postings import Postings, TermCounts

__all__ = ["SparseIndex"]

_QUERY_BATCH = 256


@dataclass(frozen=True, slots=True, eq=False)
class SparseIndex:
    """Searches an inverted index; returned by `BM25.index` and `TfIdf.index`.

    Attributes
    ----------
    postings
        The weights of terms in source segments.
    ties
        The place of each source segment in the tie order.
    counter
        Counts the terms of query texts.
    weigh
        Returns the weight of each term of query texts.
    """

    postings: Postings
    ties: NDArray[np.int64]
    counter: TermCounter
    weigh: Callable[[TermCounts], NDArray[np.float64]]

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        found: list[Found] = []
        for part in queries.parts(_QUERY_BATCH):
            progress("searching", len(found), len(queries))
            counts = self.counter.count(part)
            weights = self.weigh(counts)
            for begin, end in pairwise(counts.bounds().tolist()):
                scores = self.postings.score(counts.term[begin:end], weights[begin:end])
                found.append(best(scores, k, self.ties))
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)
