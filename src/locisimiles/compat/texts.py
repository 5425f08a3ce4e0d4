"""Documents of the paper's package as documents of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.corpus import Document as OurDocument
from locisimiles.corpus import Segment
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.compat.document import ID, Document, TextSegment

__all__ = ["Texts", "prepared"]


def prepared(segments: Sequence[TextSegment], author: str | None) -> PreparedDocument:
    """Return segments as a prepared document of ours, in the same order."""
    names = [str(segment.id) for segment in segments]
    if len(set(names)) < len(names):  # 1 and "1"
        names = [f"{name} ({number})" for number, name in enumerate(names)]
    return PreparedDocument(
        OurDocument.from_segments(
            Segment(name, segment.text, author=author or "")
            for name, segment in zip(names, segments, strict=True)
        )
    )


class Texts:
    """Prepares documents, and keeps the last one until its texts change."""

    def __init__(self) -> None:
        self._known: tuple[list[tuple[ID, str]], str | None] | None = None
        self._prepared: PreparedDocument | None = None

    def of(self, document: Document) -> tuple[list[TextSegment], PreparedDocument]:
        """Return the segments in order, and the prepared document."""
        if not hasattr(document, "segments"):
            raise ParameterError("compat.not_a_document", kind=type(document).__name__)
        segments = list(document)
        content = [(one.id, one.text) for one in segments], document.author
        if self._prepared is None or self._known != content:
            self._known, self._prepared = content, prepared(segments, document.author)
        return segments, self._prepared
