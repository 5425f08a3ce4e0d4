"""Overlapping windows of words, for finding a short echo in a long sentence."""

from __future__ import annotations

import bisect
import re
from operator import attrgetter
from typing import TYPE_CHECKING

from locisimiles.checks import check_at_least, check_between
from locisimiles.corpus.document import Document
from locisimiles.corpus.loci import locus_range
from locisimiles.corpus.segment import LocusMark, Segment

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["cut_windows"]

_WORD = re.compile(r"\S+")
_VERSE_MARK = "/"


def cut_windows(document: Document, words: int, step: int | None = None) -> Document:
    """Cut every segment into overlapping windows of words.

    Parameters
    ----------
    document
        The segments. Those no longer than a window stay whole.
    words
        The number of words in a window.
    step
        The number of words from the start of one window to the next; by default half a window.

    Returns
    -------
    Document
        The windows. Their ids are those of the segments with ``~1``, ``~2`` …; ``meta["segment"]``
        is the id of the segment, and ``meta["offset"]`` the start of the window in its text.

    Examples
    --------
    >>> sentence = Segment("hier. 1", "te ipsum intellege uenerationi mihi semper fuit")
    >>> windows = cut_windows(Document.from_segments([sentence]), words=4)
    >>> windows.texts
    ('te ipsum intellege uenerationi', 'intellege uenerationi mihi semper', 'mihi semper fuit')
    >>> windows["hier. 1~2"].meta
    {'segment': 'hier. 1', 'offset': '9'}
    """
    step = max(words // 2, 1) if step is None else step
    check_at_least(1, words=words)
    check_between(1, words, step=step)
    return Document.from_segments(
        window for segment in document for window in _windows(segment, words, step)
    )


def _windows(segment: Segment, words: int, step: int) -> Iterator[Segment]:
    places = [m.span() for m in _WORD.finditer(segment.text) if m.group() != _VERSE_MARK]
    last_start = max(len(places) - words, 0)
    starts = [*range(0, last_start, step), last_start]
    if len(starts) > 1 and starts[-1] - starts[-2] < step:
        starts[-1] = starts[-2] + step
    for number, start in enumerate(starts, start=1):
        begin = places[start][0] if places else 0
        end = places[min(start + words, len(places)) - 1][1] if places else len(segment.text)
        loci = _marks_between(segment, begin, end)
        yield Segment(
            id=f"{segment.id}~{number}",
            text=segment.text[begin:end],
            author=segment.author,
            work=segment.work,
            locus=locus_range(loci[0].locus, loci[-1].locus) if loci else segment.locus,
            loci=loci,
            meta={**segment.meta, "segment": segment.id, "offset": str(begin)},
        )


def _marks_between(segment: Segment, begin: int, end: int) -> tuple[LocusMark, ...]:
    # A poem without stops is one segment with thousands of marks, and has thousands of windows.
    after = bisect.bisect_right(segment.loci, begin, key=attrgetter("offset"))
    inside = segment.loci[after : bisect.bisect_left(segment.loci, end, key=attrgetter("offset"))]
    first = [LocusMark(segment.locus_at(begin), 0)] if segment.loci else []
    return (*first, *(LocusMark(mark.locus, mark.offset - begin) for mark in inside))
