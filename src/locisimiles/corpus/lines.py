"""The lines of a segment in verse, and its sections in prose."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.corpus.loci import numeric_range
from locisimiles.corpus.segment import LocusMark
from locisimiles.corpus.segmenter import VERSE_SEPARATOR

if TYPE_CHECKING:
    from locisimiles.corpus.segment import Segment

__all__ = ["Line", "lines_of", "with_lines"]


class Line(NamedTuple):
    """A line or section: its locus (empty if unknown), and where its words begin and end."""

    locus: str
    start: int
    end: int


def lines_of(segment: Segment) -> tuple[Line, ...]:
    """Return the lines of a segment in verse, or the sections that a segment in prose touches.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> lines_of(Segment("a", "arma / Italiam", locus="1.1-1.2"))
    (Line(locus='1.1', start=0, end=4), Line(locus='1.2', start=7, end=14))
    """
    text = segment.text
    marks = with_lines(segment).loci or _unnumbered(segment)
    ends = [mark.offset for mark in marks[1:]]
    return tuple(
        Line(mark.locus, mark.offset, mark.offset + len(_without_end(text[mark.offset : end])))
        for mark, end in zip(marks, [*ends, len(text)], strict=True)
    )


def with_lines(segment: Segment) -> Segment:
    """Mark the beginning of each line, if the text has as many lines as loci.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> with_lines(Segment("a", "arma / Italiam", locus="1.1-1.2")).locus_at(8)
    '1.2'
    """
    loci = None if segment.loci else numeric_range(segment.locus)
    if loci is None:
        return segment
    first, last = loci
    lines = segment.text.split(VERSE_SEPARATOR)
    if first[:-1] != last[:-1] or len(first) != len(last) or last[-1] - first[-1] + 1 != len(lines):
        return segment
    marks, offset = [], 0
    for number, line in enumerate(lines, start=first[-1]):
        marks.append(LocusMark(".".join(map(str, (*first[:-1], number))), offset))
        offset += len(line) + len(VERSE_SEPARATOR)
    return replace(segment, loci=tuple(marks))


def _unnumbered(segment: Segment) -> tuple[LocusMark, ...]:
    """Return the beginnings of lines of which only the first may have a known locus."""
    lines = segment.text.split(VERSE_SEPARATOR)
    marks, offset = [], 0
    for line in lines:
        marks.append(LocusMark("" if len(lines) > 1 else segment.locus, offset))
        offset += len(line) + len(VERSE_SEPARATOR)
    return tuple(marks)


def _without_end(line: str) -> str:
    return line.rstrip().removesuffix(VERSE_SEPARATOR.strip()).rstrip()
