"""What stands before and after a segment, for reading on."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError, SegmentIdError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus import Document, Segment

__all__ = ["Context", "context_at", "context_of", "row_of"]


@dataclass(frozen=True, slots=True)
class Context:
    """The segments around one in its document, as far as they are of the same work.

    Attributes
    ----------
    before, after
        In the order of the document. Where it has only parts of a work, they need not follow each
        other in the work itself.
    """

    before: tuple[Segment, ...]
    after: tuple[Segment, ...]

    def as_dict(self) -> dict[str, object]:
        """Return what a JSON file can hold."""
        sides = {"before": self.before, "after": self.after}
        return {
            side: [{"id": segment.id, "text": segment.text} for segment in segments]
            for side, segments in sides.items()
        }


def context_of(document: Document, segment_id: str, size: int = 1) -> Context:
    """Return up to `size` segments on each side of a segment.

    Raises
    ------
    SegmentIdError
        If the document has no such segment.
    ParameterError
        If the size is negative.

    Examples
    --------
    >>> from locisimiles import load_example_source
    >>> context_of(load_example_source(), "verg. aen. 2.774.1").after[0].id
    'verg. aen. 3.47.1'
    """
    if size < 0:
        raise ParameterError(f"size={size} is no number of segments")
    return context_at(document, row_of(document, segment_id, "document"), size)


def context_at(document: Document, row: int, size: int) -> Context:
    """Return the same, of the segment at a position."""
    before = tuple(_beside(document, row, -1, size))
    return Context(before[::-1], tuple(_beside(document, row, 1, size)))


def _beside(document: Document, row: int, step: int, size: int) -> Iterator[Segment]:
    work = document.authors[row], document.works[row]
    for other in range(row + step, row + step * (size + 1), step):
        if not 0 <= other < len(document):
            return
        if (document.authors[other], document.works[other]) != work:
            return
        yield document[other]


def row_of(document: Document, segment_id: str, side: str) -> int:
    """Return the position of a segment, or say which ids are similar.

    Raises
    ------
    SegmentIdError
        If there is none; `side` is what the message calls the document.
    """
    if segment_id in document:
        return document.index(segment_id)
    similar = difflib.get_close_matches(segment_id, document.ids, n=3, cutoff=0.6)
    raise SegmentIdError(
        f"the {side} has no segment {segment_id!r}",
        hint=f"did you mean {', '.join(map(repr, similar))}?"
        if similar
        else f"its ids look like {document.ids[0]!r}"
        if len(document)
        else "it is empty",
    )
