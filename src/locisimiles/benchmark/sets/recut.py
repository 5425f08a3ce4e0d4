"""Recut a work, so that given passages are segments of their own.

Words, spelling and punctuation stay as in our edition, each word in one segment; only the bounds of
segments change. Segments are then renumbered, so that ids do not give away which ones were recut.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from locisimiles.corpus.loci import join_locus, locus_range
from locisimiles.corpus.segment import LocusMark
from locisimiles.corpus.segmenter import VERSE_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from locisimiles.benchmark.sets.words import WorkWords
    from locisimiles.corpus import Segment

__all__ = ["RecutWork", "first_locus", "recut", "renumber"]

_PADDING = " \t\n\r/"
# The gap between two words is cut at its first space, or after a closing mark that follows it.
_CUT = re.compile(r"\S*\s*(?:[»”’\])]\S*)?")
_OPENING = re.compile(r"[\[({<‘“«]+$")


@dataclass(frozen=True, slots=True)
class RecutWork:
    """A recut work, its segments not yet renumbered.

    Attributes
    ----------
    segments
        Its segments now.
    begins
        The word at which each begins.
    touched
        The loci at which a segment that was recut began before, or begins now.
    """

    segments: tuple[Segment, ...]
    begins: tuple[int, ...]
    touched: frozenset[str]


def recut(work: WorkWords, passages: Iterable[tuple[int, int]]) -> RecutWork:
    """Make each passage a segment of its own; passages are runs of words that do not overlap.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> from locisimiles.benchmark.sets.words import WorkWords
    >>> lines = [
    ...     Segment("verg. ecl. 1.1.1", "Tum ait: ‘O mores!’", locus="1.1"),
    ...     Segment("verg. ecl. 1.1.2", "Tityre", locus="1.1"),
    ... ]
    >>> [segment.text for segment in recut(WorkWords.of(lines), [(2, 4)]).segments]
    ['Tum ait:', '‘O mores!’', 'Tityre']
    """
    old = set(work.begins)
    begins = set(old)
    for begin, end in passages:
        begins.difference_update(range(begin + 1, end))
        begins |= {begin, end}
    ordered = sorted(begins)
    segments: list[Segment] = []
    touched: set[str] = set()
    for begin, end in pairwise(ordered):
        first, last = work.segment_at(begin), work.segment_at(end - 1)
        if first == last and {begin, end} <= old:
            segments.append(work.segments[first])
        else:
            segments.append(_cut_out(work, begin, end))
            touched.add(first_locus(segments[-1]))
            touched |= {first_locus(segment) for segment in work.segments[first : last + 1]}
    return RecutWork(tuple(segments), tuple(ordered[:-1]), frozenset(touched))


def renumber(
    segments: Sequence[Segment], touched: Collection[str], abbreviation: str
) -> Iterator[Segment]:
    """Renumber the segments that begin at the touched loci.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> lines = [Segment("verg. ecl. 1.1.1", text, locus="1.1") for text in ("Tum ait:", "O!")]
    >>> [segment.id for segment in renumber(lines, ["1.1"], "verg. ecl.")]
    ['verg. ecl. 1.1.1', 'verg. ecl. 1.1.2']
    """
    beginning_here: Counter[str] = Counter()
    for segment in segments:
        locus = first_locus(segment)
        if locus in touched:
            beginning_here[locus] += 1
            number = join_locus(locus, str(beginning_here[locus]))
            yield replace(segment, id=f"{abbreviation} {number}")
        else:
            yield segment


def first_locus(segment: Segment) -> str:
    """Return the locus at which a segment begins.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> first_locus(Segment("verg. ecl. 1.1.1", "Tityre", locus="1.1-1.2"))
    '1.1'
    """
    return segment.loci[0].locus if segment.loci else segment.locus.partition("-")[0]


def _cut_out(work: WorkWords, begin: int, end: int) -> Segment:
    """Return a segment of the words from `begin` to `end`."""
    first, last = work.segment_at(begin), work.segment_at(end - 1)
    parts: list[Segment] = []
    for number in range(first, last + 1):
        segment = work.segments[number]
        start = _offset(work, begin) if number == first else 0
        stop = _offset(work, end) if number == last else len(segment.text)
        parts.append(_slice(segment, start, stop or len(segment.text)))
    joined = parts[0]
    for part in parts[1:]:
        joined = _join(joined, part)
    return joined


def _offset(work: WorkWords, position: int) -> int:
    """Return the offset in its segment at which to cut before a word; 0 if the segment begins."""
    number = work.segment_at(position) if position < len(work.words) else len(work.segments)
    if position == work.begins[number]:
        return 0
    text = work.segments[number].text
    after, before = work.offsets[position - 1][1], work.offsets[position][0]
    gap = text[after:before]
    cut = _CUT.match(gap)
    end = cut.end() if cut else 0
    opening = _OPENING.search(gap[:end])
    return after + (opening.start() if opening else end)


def _slice(segment: Segment, start: int, stop: int) -> Segment:
    while start < stop and segment.text[start] in _PADDING:
        start += 1
    text = segment.text[start:stop].rstrip(_PADDING)
    if not segment.loci:
        return replace(segment, text=text)
    inside = [
        LocusMark(mark.locus, mark.offset - start)
        for mark in segment.loci
        if start < mark.offset < start + len(text)
    ]
    marks = (LocusMark(segment.locus_at(start), 0), *inside)
    return replace(
        segment, text=text, loci=marks, locus=locus_range(marks[0].locus, marks[-1].locus)
    )


def _join(first: Segment, second: Segment) -> Segment:
    new_line = first_locus(second) != (first.loci[-1].locus if first.loci else first.locus)
    verse = first.meta.get("genre") == "verse"
    text = first.text + (VERSE_SEPARATOR if verse and new_line else " ")
    shifted = (LocusMark(mark.locus, mark.offset + len(text)) for mark in second.loci)
    marks = (*first.loci, *(mark for mark in shifted if mark.locus != first.loci[-1].locus))
    last = second.locus.rpartition("-")[2]
    return replace(
        first, text=text + second.text, loci=marks, locus=locus_range(first_locus(first), last)
    )
