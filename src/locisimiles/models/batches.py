"""Texts in batches, and the rows of texts in columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.checks import check_at_least

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["batches_by_length", "batches_of_one_length", "bounded_runs", "distinct_texts", "ranges"]

_PIECES_IN_A_BATCH = 2048


def distinct_texts(
    texts: Sequence[str], *, shortest_first: bool = True
) -> tuple[list[str], NDArray[np.int64]]:
    """Return the distinct texts, sorted, and the row of each text among them.

    What is computed from them depends neither on the order of the texts nor on duplicates.

    Examples
    --------
    >>> distinct_texts(["uirum", "cano", "uirum"])
    (['cano', 'uirum'], array([1, 0, 1]))
    """
    distinct = sorted(set(texts))
    if shortest_first:
        distinct.sort(key=len)
    rows = {text: row for row, text in enumerate(distinct)}
    return distinct, np.array([rows[text] for text in texts], np.int64)


def bounded_runs(
    sizes: Sequence[int] | NDArray[np.integer[Any]], room: int, most: int | None = None
) -> Iterator[slice]:
    """Yield runs of items that fit into `room` together, or single items that are too large.

    A run has at most `most` items.

    Examples
    --------
    >>> [(run.start, run.stop) for run in bounded_runs([3, 1, 9, 2, 2, 2], room=5, most=2)]
    [(0, 2), (2, 3), (3, 5), (5, 6)]
    """
    ends = np.cumsum(sizes)
    begin = 0
    while begin < len(ends):
        before = ends[begin - 1] if begin else 0
        end = max(int(np.searchsorted(ends, before + room, side="right")), begin + 1)
        if most is not None:
            end = min(end, begin + most)
        yield slice(begin, end)
        begin = end


def ranges(begin: NDArray[np.int64], count: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rows of ranges, one range after another.

    Examples
    --------
    >>> ranges(np.array([7, 0]), np.array([2, 3])).tolist()
    [7, 8, 0, 1, 2]
    """
    before = np.cumsum(count) - count
    rows: NDArray[np.int64] = np.repeat(begin - before, count) + np.arange(count.sum())
    return rows


def batches_of_one_length(
    lengths: NDArray[np.int64], threads: int, most_pieces: int | None = None
) -> list[NDArray[np.int64]]:
    """Batch rows of equal length, longest first; batches are small enough to use all threads.

    A batch has at most `most_pieces`, by default 2,048, or a single row.

    Examples
    --------
    >>> [batch.tolist() for batch in batches_of_one_length(np.array([3, 5, 3, 3]), 2)]
    [[1], [0, 2], [3]]
    """
    most = min(most_pieces or _PIECES_IN_A_BATCH, -(-int(lengths.sum()) // threads))
    order = np.argsort(-lengths, kind="stable")
    batches = []
    for rows in np.split(order, np.flatnonzero(np.diff(lengths[order])) + 1):
        step = max(1, most // int(lengths[rows[0]])) if len(rows) else 1
        batches += [rows[begin : begin + step] for begin in range(0, len(rows), step)]
    return batches


def batches_by_length(lengths: NDArray[np.int64], most_pieces: int) -> Iterator[NDArray[np.int64]]:
    """Batch rows of similar length, longest first.

    A batch has at most `most_pieces`, padding included.

    Examples
    --------
    >>> [rows.tolist() for rows in batches_by_length(np.array([3, 9, 4, 8]), 18)]
    [[1, 3], [2, 0]]
    """
    check_at_least(1, most_pieces=most_pieces)
    order = np.argsort(-lengths, kind="stable")
    begin = 0
    while begin < len(order):
        size = max(1, most_pieces // int(lengths[order[begin]]))
        yield order[begin : begin + size]
        begin += size
