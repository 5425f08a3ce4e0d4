"""References with what is parallel to them beneath, for readers."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.corpus.citations import cite
from locisimiles.results.highlights import aligned_references
from locisimiles.results.passages import is_biblical, source_passages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from locisimiles.evidence.alignment import Alignment
    from locisimiles.results.base import ResultColumns
    from locisimiles.results.reference import Reference

__all__ = ["Grouped", "best_rows", "grouped_references"]


class Grouped(NamedTuple):
    """A reference as it is shown, and those of the same query whose sources are parallel.

    Attributes
    ----------
    reference
        The best of its group.
    alignment
        Its aligned words.
    explanation
        Why it may be a reference; empty if not explained.
    parallels
        The others, best first; none if parallel sources are not grouped.
    passage
        How the source is cited; consecutive verses of the Bible are joined.
    """

    reference: Reference
    alignment: Alignment
    explanation: str
    parallels: tuple[Reference, ...]
    passage: str


def best_rows(rows: Iterable[tuple[int, str, str]]) -> NDArray[np.int64]:
    """Return the best row of each group, given the cells of a table.

    Parameters
    ----------
    rows
        The position of the query segment, the id of the source, and that of the source which stands
        for it; empty if it stands for itself. If that is not in the table, the first one is best.

    Examples
    --------
    >>> best_rows([(0, "Matth. 5.3", ""), (0, "Luc. 6.20", "Matth. 5.3")]).tolist()
    [0, 0]
    """
    first: dict[tuple[int, str], int] = {}
    return np.array(
        [first.setdefault((query, best or own), at) for at, (query, own, best) in enumerate(rows)],
        np.int64,
    )


def grouped_references(results: ResultColumns) -> Iterator[Grouped]:
    """Yield the best reference of each group, in the order of the results.

    Examples
    --------
    >>> from locisimiles import Document, Pipeline, Segment
    >>> texts = {
    ...     "Matth. 5.3": "beati pauperes spiritu, quoniam ipsorum est regnum caelorum",
    ...     "Luc. 6.20": "beati pauperes spiritu quia ipsorum est regnum caelorum",
    ... }
    >>> source = Document.from_segments([Segment(name, text) for name, text in texts.items()])
    >>> query = Document.from_segments([Segment("q", "beati, inquit, pauperes spiritu")])
    >>> (one,) = grouped_references(Pipeline("bm25", group=True).run(query, source))
    >>> one.reference.rank, len(one.parallels)
    (1, 1)
    """
    best = range(len(results)) if results.best is None else results.best.tolist()
    biblical = is_biblical(results.source)
    passages = source_passages(results) if biblical else []
    rows = zip(range(len(results)), best, aligned_references(results), strict=True)
    for _, of_query in groupby(rows, key=lambda row: row[2][0].query.id):
        listed = list(of_query)
        beneath: dict[int, list[Reference]] = {}
        for row, first, (reference, *_) in listed:
            if first != row:
                beneath.setdefault(first, []).append(reference)
        for row, first, found in listed:
            if first == row:
                passage = passages[row] if biblical else cite(found[0].source)
                yield Grouped(*found, tuple(beneath.get(row, ())), passage)
