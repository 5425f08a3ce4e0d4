"""Tell verse from prose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus.library.dates import works_of
from locisimiles.retrieve.combined.priors import verse_works, work_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.corpus import Document

__all__ = ["PROSE", "UNKNOWN", "VERSE", "verse_or_prose"]

UNKNOWN, PROSE, VERSE = range(3)

_LONGER_THAN_A_LINE = 120  # characters


def verse_or_prose(document: Document) -> NDArray[np.int8]:
    """Return `VERSE`, `PROSE` or `UNKNOWN` for each segment.

    The catalogue knows the form of its works. Other works with line ends (`` / ``) are verse, and
    those with a segment longer than any line are prose. Single lines may be either.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> segments = [Segment("verg. aen. 1.1", "arma uirumque cano"), Segment("b", "arma")]
    >>> verse_or_prose(Document.from_segments(segments)).tolist() == [VERSE, UNKNOWN]
    True
    """
    keys = work_names(document)
    texts = zip(keys, document.texts, strict=True)
    long = {key for key, text in texts if len(text) > _LONGER_THAN_A_LINE}
    forms = np.array([PROSE if key in long else UNKNOWN for key in keys], np.int8)
    forms[verse_works(document)] = VERSE
    for row, work in enumerate(works_of(document)):
        if work is not None:
            forms[row] = VERSE if work.verse else PROSE
    return forms
