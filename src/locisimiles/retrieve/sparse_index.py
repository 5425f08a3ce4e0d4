"""Source segments, prepared for any retriever that adds up the weights of shared terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.retrieve.candidates import Candidates
from locisimiles.retrieve.search_workers import QueryBlock, SearchWorkers, search_block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.lexical.postings import Postings, TermCounts
    from locisimiles.retrieve.search_workers import Found

__all__ = ["SparseIndex", "check_workers"]

_BATCH = 256
_SHARED_BATCH = 512
# With fewer queries, a process is not worth its start.
_FEWEST_A_WORKER = 2048


def check_workers(workers: int) -> None:
    """Raise a ParameterError if there cannot be so many processes."""
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        raise ParameterError(
            f"workers={workers!r} is no number of processes", hint="1 is the least"
        )


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
    workers
        How many processes search many queries together, this one included.
    """

    def __init__(
        self,
        postings: Postings,
        places: NDArray[np.int64],
        weigh: Callable[[Sequence[str]], tuple[TermCounts, NDArray[np.float64]]],
        workers: int = 1,
    ) -> None:
        self._postings = postings
        self._places = places
        self._weigh = weigh
        self._workers = workers

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        if k < 1:
            raise ParameterError(f"k={k} asks for no candidates", hint="1 is the least")
        helpers = min(self._workers, len(queries) // _FEWEST_A_WORKER) - 1
        if helpers < 1:
            blocks = self._blocks(queries, _BATCH, progress)
            found = [search_block(self._postings, self._places, k, own) for own in blocks]
        else:
            found = self._search_together(queries, k, helpers, progress)
        progress("searching", len(queries), len(queries))
        return Candidates.join([own for block in found for own in block])

    def _search_together(
        self, queries: Document, k: int, helpers: int, progress: Progress
    ) -> list[Found]:
        """Search with the help of other processes: what they do not take is done here."""
        found: dict[int, Found] = {}
        with SearchWorkers(self._postings, self._places, k, helpers) as workers:
            for number, block in enumerate(self._blocks(queries, _SHARED_BATCH, progress)):
                if not workers.take(number, block):
                    found[number] = search_block(self._postings, self._places, k, block)
            found |= workers.results()
        return [found[number] for number in sorted(found)]

    def _blocks(self, queries: Document, size: int, progress: Progress) -> Iterator[QueryBlock]:
        for begin in range(0, len(queries), size):
            progress("searching", begin, len(queries))
            counts, weights = self._weigh(queries.texts[begin : begin + size])
            yield QueryBlock(counts.term, weights, counts.bounds())
