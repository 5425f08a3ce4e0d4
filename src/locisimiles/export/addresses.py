"""Addresses of passages and of single words: CTS URNs with sub-references."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from locisimiles.corpus.library.dates import work_of
from locisimiles.corpus.lines import with_lines
from locisimiles.corpus.loci import CtsUrn
from locisimiles.corpus.segmenter import VERSE_SEPARATOR
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from locisimiles.corpus import Document, Segment

__all__ = ["WordAddresses", "passage_urn"]

_NAMESPACE = "latinLit"
_SAFE = ".-:@[]+"


def passage_urn(segment: Segment) -> CtsUrn | None:
    """Return the CTS URN of the passage that a segment covers; None if its work has none.

    The URN of the edition (the column ``urn``) takes precedence over the catalogue's URN of the
    work with exactly this author and title.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> str(passage_urn(Segment("a", "uox", author="Virgil", work="Aeneis", locus="2.774")))
    'urn:cts:latinLit:phi0690.phi003:2.774'
    >>> passage_urn(Segment("a", "uox")) is None
    True
    """
    try:
        return CtsUrn.parse(segment.meta.get("urn", ""))
    except ParameterError:
        pass
    work = work_of(segment)
    if work is None or not work.urn or not segment.locus:
        return None
    return CtsUrn(_NAMESPACE, work.urn, passage=segment.locus)


class WordAddresses:
    """Finds the CTS URNs of words in a document.

    A sub-reference counts the occurrences of a word in its passage (``2.774@uox[1]``). A passage
    may begin in an earlier segment, so the whole document is needed.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> line = Segment("a", "et uox faucibus haesit", author="Virgil", work="Aeneis", locus="2.774")
    >>> WordAddresses(Document.from_segments([line])).of_word(line, (3, 6))
    'urn:cts:latinLit:phi0690.phi003:2.774@uox[1]'
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._urn = lru_cache(maxsize=4096)(self._find_urn)

    def of_segment(self, segment: Segment) -> str | None:
        """Return the URN of the whole segment."""
        urn = self._urn(segment.id)
        return None if urn is None else _written(urn)

    def of_word(self, segment: Segment, span: tuple[int, int]) -> str | None:
        """Return the URN of a word, or of its passage if its line is unknown."""
        urn = self._urn(segment.id)
        if urn is None:
            return None
        segment = with_lines(segment)
        locus = segment.locus_at(span[0])
        # The word's line is unknown: a single locus is that of the first line.
        after_first = VERSE_SEPARATOR in segment.text[: span[0]]
        if not segment.loci and ("-" in urn.passage or after_first):
            return _written(urn)
        word = segment.text[slice(*span)]
        begin = _begin_of(segment, locus)
        before = self._earlier_text(segment, locus) if begin == 0 else ""
        number = before.count(word) + segment.text.count(word, begin, span[0]) + 1
        passage = locus if segment.loci else urn.passage
        return f"{_written(urn.at(passage))}@{quote(word, safe='')}[{number}]"

    def _find_urn(self, segment_id: str) -> CtsUrn | None:
        return passage_urn(self._document[segment_id])

    def _earlier_text(self, segment: Segment, locus: str) -> str:
        """Return the part of a passage that is in earlier segments."""
        parts: list[str] = []
        position = self._document.index(segment.id) - 1
        while position >= 0:
            earlier = with_lines(self._document[position])
            last = earlier.locus_at(len(earlier.text))
            if (earlier.author, earlier.work, last) != (segment.author, segment.work, locus):
                break
            begin = _begin_of(earlier, locus)
            parts.append(earlier.text[begin:])
            if begin:
                break
            position -= 1
        return "\n".join(reversed(parts))


def _begin_of(segment: Segment, locus: str) -> int:
    return next((mark.offset for mark in segment.loci if mark.locus == locus), 0)


def _written(urn: CtsUrn) -> str:
    return quote(str(urn), safe=_SAFE)
