"""A sentence-like piece of a text: the unit that is searched, compared and cited."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LocusMark", "Segment"]


class LocusMark(NamedTuple):
    """Where in a segment's text a locus begins."""

    locus: str
    offset: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence-like piece of a text, with its address.

    Attributes
    ----------
    id
        Unique within a document: ``verg. aen. 6.847.1``.
    text
        The words as the edition prints them; verse lines are joined with `` / ``.
    author, work
        Their names in the file or the catalogue; empty if unknown.
    locus
        The locus of the segment, or a range of loci: ``6.847``, ``6.847-6.850``.
    loci
        Every locus of that range, and the offset in `text` at which it begins.
    meta
        Further columns of the input.

    Examples
    --------
    >>> segment = Segment("verg. aen. 2.774.1", "obstipui, steteruntque comae")
    >>> segment.id, segment.author
    ('verg. aen. 2.774.1', '')
    """

    id: str
    text: str
    author: str = ""
    work: str = ""
    locus: str = ""
    loci: tuple[LocusMark, ...] = ()
    meta: Mapping[str, str] = field(default_factory=dict, hash=False)

    def locus_at(self, offset: int) -> str:
        """Return the locus that covers the character at `offset` of the text.

        Examples
        --------
        >>> marks = (LocusMark("1.1", 0), LocusMark("1.2", 12))
        >>> Segment("a", "Arma uirum / Italiam", locus="1.1-1.2", loci=marks).locus_at(15)
        '1.2'
        """
        if not self.loci:
            return self.locus
        position = bisect.bisect_right(self.loci, offset, key=lambda mark: mark.offset)
        return self.loci[max(position - 1, 0)].locus
