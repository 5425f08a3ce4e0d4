"""Results whose words are aligned: by the search that stored them, or when imported ones are shown.

A compact file of millions of pairs has no alignments. Those of a page take some hundredths of a
second, and are the same as a search would have stored.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any

from locisimiles.app.storage.pairs.connection import imported_search
from locisimiles.app.storage.tables.results import PairDetails, ResultPage
from locisimiles.app.storage.tables.results import ResultTable as StoredResultTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.app.storage.tables.filters import ResultFilter

__all__ = ["ResultTable", "aligned_words"]

Aligned = list[list[Any]]
_MOST_KEPT = 4096  # pairs of texts, which a page asks for several times
_kept: OrderedDict[tuple[str, str], Aligned] = OrderedDict()
_lock = Lock()


class ResultTable(StoredResultTable):
    """The results of a search: pages, and what stands before and after a pair."""

    def page(
        self,
        wanted: ResultFilter | None = None,
        *,
        order: str = "reading",
        backwards: bool = False,
        offset: int = 0,
        limit: int = 100,
        texts: bool = False,
    ) -> ResultPage:
        """Return some rows; `texts` adds texts and loci of both segments, and the alignment."""
        found = super().page(
            wanted, order=order, backwards=backwards, offset=offset, limit=limit, texts=texts
        )
        rows = [row for row in found.rows if texts and imported_search(row["row"])]
        words = aligned_words([(row["query_text"], row["source_text"]) for row in rows])
        for row, aligned in zip(rows, words, strict=True):
            row["alignment"] = aligned
        return found

    def pair(self, row: int) -> PairDetails:
        """Return everything known about a row, or raise an InputError."""
        found = super().pair(row)
        if not imported_search(row):
            return found
        return found._replace(alignment=aligned_words([(found.query_text, found.source_text)])[0])


def aligned_words(pairs: Sequence[tuple[str, str]]) -> list[Aligned]:
    """Return the aligned words of pairs of texts, as a search stores them.

    Examples
    --------
    >>> aligned_words([("haesit uox", "vox haesit")])
    [[[0, 6, 4, 10, 'form'], [7, 10, 0, 3, 'form']]]
    """
    with _lock:
        known = {pair: _kept[pair] for pair in pairs if pair in _kept}
    if new := [pair for pair in dict.fromkeys(pairs) if pair not in known]:
        known |= zip(new, _align(new), strict=True)
    with _lock:
        _kept.update(known)
        for pair in known:
            _kept.move_to_end(pair)
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
    return [known[pair] for pair in pairs]


def _align(pairs: Sequence[tuple[str, str]]) -> list[Aligned]:
    # Only imported pairs need the lemmatizer and word vectors.
    from locisimiles.evidence import Aligner, VectorMeanings

    found = Aligner(VectorMeanings()).align(*zip(*pairs, strict=True))
    return [[[*word.query, *word.source, word.bond] for word in one.pairs] for one in found]
