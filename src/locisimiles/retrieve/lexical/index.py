"""Source segments, prepared for any retriever that sums the weights of shared terms."""

from __future__ import annotations

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
    from locisimiles.index import TextPart
    from locisimiles.progress import Progress
    from locisimiles.retrieve.lexical.postings import Postings, TermCounts

__all__ = ["SparseIndex"]

_QUERY_BATCH = 256


class SparseIndex:
    """Searches an inverted index; made by `BM25.index` and `TfIdf.index`.

    Parameters
    ----------
    postings
        The weights of terms in source segments.
    ties
        The place of each source segment in the tie order.
    weigh
        Returns the terms of query texts, and the weight of each.
    """

    def __init__(
        self,
        postings: Postings,
        ties: NDArray[np.int64],
        weigh: Callable[[TextPart], tuple[TermCounts, NDArray[np.float64]]],
    ) -> None:
        self._postings = postings
        self._ties = ties
        self._weigh = weigh

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        found: list[Found] = []
        for part in queries.parts(_QUERY_BATCH):
            progress("searching", len(found), len(queries))
            counts, weights = self._weigh(part)
            for begin, end in pairwise(counts.bounds().tolist()):
                scores = self._postings.score(counts.term[begin:end], weights[begin:end])
                found.append(best(scores, k, self._ties))
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)
