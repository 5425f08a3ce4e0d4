"""Whether segments are verse or prose, as far as one can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus.library.dates import works_of
from locisimiles.retrieve.habits import verse_works, work_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.corpus import Document

__all__ = ["PROSE", "UNKNOWN", "VERSE", "forms_of"]

UNKNOWN, PROSE, VERSE = range(3)

_LONGER_THAN_A_LINE = 120  # characters


def forms_of(document: Document) -> NDArray[np.int8]:
    """Tell for each segment whether it is `PROSE`, `VERSE` or `UNKNOWN`.

    The catalogue knows it of its works. Of others, those with ends of lines (`` / ``) are verse,
    and those that have a segment longer than any line are prose. Lines that stand alone may be
    either.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> segments = [Segment("verg. aen. 1.1", "arma uirumque cano"), Segment("b", "arma")]
    >>> forms_of(Document.from_segments(segments)).tolist() == [VERSE, UNKNOWN]
    True
    """
    keys = [work_key(*names) for names in zip(document.authors, document.works, strict=True)]
    long = {
        key
        for key, text in zip(keys, document.texts, strict=True)
        if len(text) > _LONGER_THAN_A_LINE
    }
    forms = np.array([PROSE if key in long else UNKNOWN for key in keys], np.int8)
    forms[verse_works(document)] = VERSE
    for row, work in enumerate(works_of(document)):
        if work is not None:
            forms[row] = VERSE if work.verse else PROSE
    return forms
