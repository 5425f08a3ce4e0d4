"""Places in works: overlapping segments, and references to the same place."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from locisimiles.corpus.loci import numeric_range
from locisimiles.networks.references import counted_references

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.corpus import Segment
    from locisimiles.corpus.loci import LocusRange
    from locisimiles.results import Reference, Results

__all__ = ["MergedReference", "Places", "merge_references", "overlap", "parse_loci", "touch"]


@dataclass(frozen=True, slots=True)
class MergedReference:
    """References of a query segment to neighbouring segments of one work.

    Attributes
    ----------
    best
        The highest-ranked reference.
    source_ids
        All source segments, in the order of the work.
    """

    best: Reference
    source_ids: tuple[str, ...]


def parse_loci(segment: Segment) -> LocusRange | None:
    """Return the first and the last locus of a segment; None if they are not numeric.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> parse_loci(Segment("a", "arma", locus="6.847-6.850"))
    ((6, 847), (6, 850))
    >>> parse_loci(Segment("a", "arma", locus="0667b")) is None
    True
    """
    return numeric_range(segment.locus)


def overlap(one: Segment, other: Segment) -> bool:
    """Tell whether two segments have the same id, or share lines of the same work.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> one = Segment("a", "", author="Virgil", work="Aeneis", locus="1.1-1.7")
    >>> overlap(one, Segment("b", "", author="Virgil", work="Aeneis", locus="1.5"))
    True
    """
    if one.id == other.id:
        return True
    ranges = _in_one_work(one, other)
    return ranges is not None and ranges[0][0] <= ranges[1][1] and ranges[1][0] <= ranges[0][1]


class Places:
    """Many segments, among which those that overlap another are found without comparing all.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> lines = [
    ...     Segment(str(n), "", author="Virgil", work="Aeneis", locus=f"1.{n}") for n in range(9)
    ... ]
    >>> places = Places(lines)
    >>> places.overlapping(Segment("a", "", author="Virgil", work="Aeneis", locus="1.3-1.5"))
    [3, 4, 5]
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._by_id: dict[str, list[int]] = defaultdict(list)
        ranges: dict[tuple[str, str], list[tuple[LocusRange, int]]] = defaultdict(list)
        for number, segment in enumerate(segments):
            self._by_id[segment.id].append(number)
            known = parse_loci(segment) if segment.work else None
            if known is not None:
                ranges[segment.author, segment.work].append((known, number))
        self._works = {work: _Ranges(found) for work, found in ranges.items()}

    def same(self, segment: Segment) -> list[int]:
        """Return the positions of the segments that have the same id."""
        return self._by_id.get(segment.id, [])

    def overlapping(self, segment: Segment) -> list[int]:
        """Return the positions of the segments that share lines with another, in order."""
        work = self._works.get((segment.author, segment.work))
        known = parse_loci(segment) if work else None
        return [] if work is None or known is None else work.overlapping(known)

    def __contains__(self, segment: Segment) -> bool:
        """Tell whether a segment overlaps any of them."""
        return bool(self.same(segment) or self.overlapping(segment))


class _Ranges:
    """Numbered ranges of one work, by their beginnings."""

    def __init__(self, ranges: list[tuple[LocusRange, int]]) -> None:
        self._ranges = sorted(ranges)
        self._first = [first for (first, _), _ in self._ranges]
        # How far the ranges up to each one reach.
        self._reach = list(accumulate((last for (_, last), _ in self._ranges), max))

    def overlapping(self, known: LocusRange) -> list[int]:
        found = []
        for at in range(bisect_right(self._first, known[1]) - 1, -1, -1):
            if self._reach[at] < known[0]:
                break
            (_, last), number = self._ranges[at]
            if last >= known[0]:
                found.append(number)
        return sorted(found)


def touch(one: Segment, other: Segment) -> bool:
    """Tell whether two segments overlap or are adjacent."""
    if overlap(one, other):
        return True
    ranges = _in_one_work(one, other)
    return ranges is not None and (_follows(*ranges) or _follows(*ranges[::-1]))


def _in_one_work(one: Segment, other: Segment) -> tuple[LocusRange, LocusRange] | None:
    if not one.work or (one.author, one.work) != (other.author, other.work):
        return None
    ranges = parse_loci(one), parse_loci(other)
    return None if ranges[0] is None or ranges[1] is None else (ranges[0], ranges[1])


def _follows(one: LocusRange, other: LocusRange) -> bool:
    last, first = one[1], other[0]
    return last[:-1] == first[:-1] and len(last) == len(first) and first[-1] == last[-1] + 1


def merge_references(
    results: Results, *, minimum: float | None = None, best: int | None = None
) -> tuple[MergedReference, ...]:
    """Merge references of a query segment whose sources overlap or are adjacent.

    Adjacent segments have consecutive loci, such as ``6.847`` and ``6.848``; segments whose loci
    are not numeric are never merged.

    Parameters
    ----------
    results
        The results of a search.
    minimum, best
        Which candidates count; see `reference_rows`.

    Examples
    --------
    >>> from locisimiles import BM25, Document, Pipeline, Segment
    >>> lines = [
    ...     Segment("v1", "arma uirumque cano", author="Virgil", work="Aeneis", locus="1.1"),
    ...     Segment("v2", "arma uirum tabulaeque", author="Virgil", work="Aeneis", locus="1.2"),
    ...     Segment("v9", "arma diu", author="Virgil", work="Aeneis", locus="1.9"),
    ... ]
    >>> query = Document.from_segments([Segment("q", "arma uirumque")])
    >>> results = Pipeline(BM25()).run(query=query, source=Document.from_segments(lines))
    >>> [merged.source_ids for merged in merge_references(results, best=3)]
    [('v1', 'v2'), ('v9',)]
    """
    merged: list[MergedReference] = []
    references = counted_references(results, minimum=minimum, best=best)
    for _, of_query in groupby(references, key=lambda reference: reference.query.id):
        for group in _groups(list(of_query)):
            ids = sorted((one.source.id for one in group), key=results.source.index)
            leading = min(group, key=lambda one: one.rank)
            merged.append(MergedReference(leading, tuple(ids)))
    return tuple(merged)


def _groups(references: Sequence[Reference]) -> list[list[Reference]]:
    groups: list[list[Reference]] = []
    for reference in references:
        near = [g for g in groups if any(touch(one.source, reference.source) for one in g)]
        apart = [g for g in groups if g not in near]
        groups = [*apart, [reference, *(one for g in near for one in g)]]
    return sorted(groups, key=lambda group: min(one.rank for one in group))
