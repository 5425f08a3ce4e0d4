"""The segments before and after a segment."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.checks import check_at_least
from locisimiles.errors import SegmentIdError
from locisimiles.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus import Document, Segment

__all__ = ["Context", "context_at", "context_of", "row_of"]


@dataclass(frozen=True, slots=True)
class Context:
    """The neighbours of a segment that belong to the same work, in the order of the document."""

    before: tuple[Segment, ...]
    after: tuple[Segment, ...]

    def as_dict(self) -> dict[str, object]:
        """Return ids and texts as JSON can hold them."""
        return {
            side: [{"id": segment.id, "text": segment.text} for segment in getattr(self, side)]
            for side in ("before", "after")
        }


def context_of(document: Document, segment_id: str, size: int = 1) -> Context:
    """Return up to `size` segments on each side of a segment.

    Raises
    ------
    SegmentIdError
        If the document has no such segment.

    Examples
    --------
    >>> from locisimiles import load_example_source
    >>> context_of(load_example_source(), "verg. aen. 2.774.1").after[0].id
    'verg. aen. 3.47.1'
    """
    check_at_least(0, size=size)
    row = row_of(document, segment_id, Message("evidence.the_document"))
    return context_at(document, row, size)


def context_at(document: Document, row: int, size: int) -> Context:
    """Return up to `size` segments on each side of the segment in a row."""
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


def row_of(document: Document, segment_id: str, name: Message) -> int:
    """Return the row of a segment, or raise an error that calls the document by `name`."""
    if segment_id in document:
        return document.index(segment_id)
    advice = Message("evidence.document_is_empty")
    if similar := difflib.get_close_matches(segment_id, document.ids, n=3, cutoff=0.6):
        advice = Message("evidence.did_you_mean", {"ids": similar})
    elif len(document):
        advice = Message("evidence.ids_look_like", {"id": document.ids[0]})
    raise SegmentIdError("evidence.unknown_segment", document=name, id=segment_id, advice=advice)
