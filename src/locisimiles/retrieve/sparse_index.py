"""Source segments, prepared for any retriever that adds up the weights of shared terms."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.retrieve.candidates import Candidates, best

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.postings import Postings, TermCounts

__all__ = ["SparseIndex"]

_BATCH = 256


class SparseIndex:
    """Searches an inverted index; made by `BM25.index` and `TfIdf.index`.

    Parameters
    ----------
    postings
        The weights of terms in source segments.
    places
        The order of source segments with equal scores (`tie_break`).
    weigh
        Gives for texts of queries their terms, and what each weighs.
    """

    def __init__(
        self,
        postings: Postings,
        places: NDArray[np.int64],
        weigh: Callable[[Sequence[str]], tuple[TermCounts, NDArray[np.float64]]],
    ) -> None:
        self._postings = postings
        self._places = places
        self._weigh = weigh

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        if k < 1:
            raise ParameterError(f"k={k} asks for no candidates", hint="1 is the least")
        found = []
        for begin in range(0, len(queries), _BATCH):
            progress("searching", begin, len(queries))
            counts, weights = self._weigh(queries.texts[begin : begin + _BATCH])
            # Threads were tried: they wait for each other and double the work of the processor.
            for first, last in pairwise(counts.bounds().tolist()):
                scores = self._postings.score(counts.term[first:last], weights[first:last])
                found.append(best(scores, k, self._places))
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)
