"""Source segments, prepared for any retriever that adds up the weights of shared terms."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
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
_PART = 32


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
        found: list[tuple[NDArray[np.intp], NDArray[np.float32]]] = []
        with ThreadPoolExecutor() as pool:  # one thread a core, a few more
            for begin in range(0, len(queries), _BATCH):
                progress("searching", begin, len(queries))
                counts, weights = self._weigh(queries.texts[begin : begin + _BATCH])
                rows = list(pairwise(counts.bounds().tolist()))
                parts = [rows[at : at + _PART] for at in range(0, len(rows), _PART)]
                for part in pool.map(partial(self._search, counts.term, weights, k), parts):
                    found += part
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)

    def _search(
        self,
        term: NDArray[np.int64],
        weights: NDArray[np.float64],
        k: int,
        rows: Sequence[tuple[int, int]],
    ) -> list[tuple[NDArray[np.intp], NDArray[np.float32]]]:
        return [
            best(self._postings.score(term[first:last], weights[first:last]), k, self._places)
            for first, last in rows
        ]
