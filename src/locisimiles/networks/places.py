"""Places in works: which segments stand for the same one, and references that are really one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.networks.choosing import choose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.corpus import Segment
    from locisimiles.results import Reference, Results

__all__ = ["MergedReference", "Stretch", "merge_references", "overlap", "stretch_of", "touch"]

Stretch = tuple[tuple[int, ...], tuple[int, ...]]
"""Where a segment begins and ends, as numbers: ``6.847-6.850`` is ((6, 847), (6, 850))."""

_NUMBERS = re.compile(r"\d+(\.\d+)*")


@dataclass(frozen=True, slots=True)
class MergedReference:
    """References of one query segment to neighbouring segments of one work, taken as one.

    Attributes
    ----------
    best
        The one that ranks highest.
    source_ids
        All the source segments, in the order of the work.
    """

    best: Reference
    source_ids: tuple[str, ...]


def stretch_of(segment: Segment) -> Stretch | None:
    """Return where a segment begins and ends; None if its locus is not made of numbers.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> stretch_of(Segment("a", "arma", locus="6.847-6.850"))
    ((6, 847), (6, 850))
    >>> stretch_of(Segment("a", "arma", locus="0667b")) is None
    True
    """
    first, _, last = segment.locus.partition("-")
    if not _NUMBERS.fullmatch(first) or not _NUMBERS.fullmatch(last or first):
        return None
    return _numbers(first), _numbers(last or first)


def _numbers(locus: str) -> tuple[int, ...]:
    return tuple(int(part) for part in locus.split("."))


def overlap(one: Segment, other: Segment) -> bool:
    """Tell whether two segments share a place: the same id, or the same lines of the same work.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> one = Segment("a", "", author="Virgil", work="Aeneis", locus="1.1-1.7")
    >>> overlap(one, Segment("b", "", author="Virgil", work="Aeneis", locus="1.5"))
    True
    """
    if one.id == other.id:
        return True
    stretches = _in_one_work(one, other)
    if stretches is None:
        return False
    (first, last), (other_first, other_last) = stretches
    return first <= other_last and other_first <= last


def touch(one: Segment, other: Segment) -> bool:
    """Tell whether two segments overlap, or one begins in the line after the other.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> one = Segment("a", "", author="Virgil", work="Aeneis", locus="1.1-1.7")
    >>> touch(one, Segment("b", "", author="Virgil", work="Aeneis", locus="1.8"))
    True
    >>> touch(one, Segment("c", "", author="Virgil", work="Aeneis", locus="2.8"))
    False
    """
    if overlap(one, other):
        return True
    stretches = _in_one_work(one, other)
    if stretches is None:
        return False
    (first, last), (other_first, other_last) = stretches
    return _follows(last, other_first) or _follows(other_last, first)


def _in_one_work(one: Segment, other: Segment) -> tuple[Stretch, Stretch] | None:
    if not one.work or (one.author, one.work) != (other.author, other.work):
        return None
    stretch, other_stretch = stretch_of(one), stretch_of(other)
    return None if stretch is None or other_stretch is None else (stretch, other_stretch)


def _follows(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return one[:-1] == other[:-1] and len(one) == len(other) and other[-1] == one[-1] + 1


def merge_references(
    results: Results, *, minimum: float | None = None, best: int | None = None
) -> tuple[MergedReference, ...]:
    """Take references of a query segment as one if their sources overlap or follow each other.

    That sources are neighbours is seen from their loci, as ``6.847`` and ``6.848``; where loci
    are no numbers, only the same segment is the same.

    Parameters
    ----------
    results
        What was found.
    minimum, best
        Which candidates count; see `choose`.

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
    references = list(results)
    rows = choose(results, minimum=minimum, best=best).tolist()
    for chosen in _by_query([references[row] for row in rows]):
        for group in _groups(chosen):
            ordered = sorted(group, key=lambda one: results.source.index(one.source.id))
            leading = min(group, key=lambda one: one.rank)
            merged.append(MergedReference(leading, tuple(one.source.id for one in ordered)))
    return tuple(merged)


def _by_query(references: Sequence[Reference]) -> Iterator[list[Reference]]:
    of_query: dict[str, list[Reference]] = {}
    for reference in references:
        of_query.setdefault(reference.query.id, []).append(reference)
    yield from of_query.values()


def _groups(references: Sequence[Reference]) -> list[list[Reference]]:
    groups: list[list[Reference]] = []
    for reference in references:
        near = [g for g in groups if any(touch(one.source, reference.source) for one in g)]
        apart = [g for g in groups if g not in near]
        groups = [*apart, [reference, *(one for g in near for one in g)]]
    return sorted(groups, key=lambda group: min(one.rank for one in group))
