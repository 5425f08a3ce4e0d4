"""Citations as scholars print them: *Verg. Aen. 3.192–195*.

The running number at the end of an id counts sentences and is no locus, so it is never shown.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from locisimiles.corpus.library.sigla import Siglum, siglum_of, siglum_of_tag
from locisimiles.corpus.lines import lines_of
from locisimiles.corpus.loci import locus_range

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from locisimiles.corpus.segment import Segment

__all__ = ["Citable", "cite", "cite_words", "cited_work", "printed_locus"]

_ID = re.compile(r"(?P<tag>\S.*?)\s+(?P<numbers>\d[\w.]*)(?:[@~].*)?", re.DOTALL)
_RANGE = re.compile(r"([\w.]*\d[\w.]*)-([\w.]*\d[\w.]*)")
_ZEROS = re.compile(r"(?<![\w.])0+(?=\d)|(?<=\.)0+(?=\d)")
_TO = "–"


class Citable(Protocol):
    """What a citation needs: a segment, or a row that describes one."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def author(self) -> str:
        """Its author; empty if unknown."""

    @property
    def work(self) -> str:
        """Its work; empty if unknown."""

    @property
    def locus(self) -> str:
        """Its locus, or a range of loci; empty if unknown."""


def cite(segment: Citable) -> str:
    """Return the citation of a segment.

    Author and work are abbreviated as in the *Thesaurus linguae Latinae* where they are known, and
    stay as they are where not. A missing locus is taken from an id that is made like ours; other
    ids are shown in brackets.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> cite(Segment("a", "uox", author="Virgil", work="Aeneis", locus="3.192-3.195"))
    'Verg. Aen. 3.192–195'
    >>> cite(Segment("verg. aen. 6.847.1", "Excudent alii"))
    'Verg. Aen. 6.847'
    >>> cite(Segment("q7", "uox", author="Petrarca", work="Africa"))
    'Petrarca, Africa [q7]'
    """
    return _cite(segment, segment.locus)


def cite_words(segment: Segment, spans: Iterable[Sequence[int]]) -> str:
    """Return the citation of the lines in which words stand; of the segment if they are unknown.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> verse = Segment("lucan. 1.1.1", "Bella per Emathios / iusque datum", locus="1.1-1.2")
    >>> cite_words(verse, [(25, 30)])
    'Lucan. 1.2'
    """
    words = [span[0] for span in spans]
    touched = [
        line.locus
        for line in lines_of(segment)
        if any(line.start <= start < max(line.end, line.start + 1) for start in words)
    ]
    if not touched or not all(touched):
        return cite(segment)
    return _cite(segment, locus_range(touched[0], touched[-1]))


def cited_work(segment: Citable) -> str:
    """Return author and work as they are cited; empty if neither is known.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> cited_work(Segment("val. fl. 1.849.1", "uox")), cited_work(Segment("q7", "uox"))
    ('Val. Fl.', '')
    """
    return _siglum(segment.author, segment.work, _parts(segment.id)[0]).printed


def printed_locus(locus: str) -> str:
    """Return a locus as it is printed: a range does not repeat the book.

    Examples
    --------
    >>> printed_locus("6.847-6.850"), printed_locus("130.5.5-130.6.1"), printed_locus("0667b")
    ('6.847–850', '130.5.5–6.1', '667b')
    """
    plain = _ZEROS.sub("", locus.replace("_", " "))
    matched = _RANGE.fullmatch(plain)
    if matched is None:
        return plain
    first, last = (side.split(".") for side in matched.groups())
    if len(first) == len(last):
        while len(last) > 1 and first[len(first) - len(last)] == last[0]:
            last = last[1:]
    return f"{matched[1]}{_TO}{'.'.join(last)}"


def _cite(segment: Citable, locus: str) -> str:
    tag, numbers = _parts(segment.id)
    siglum = _siglum(segment.author, segment.work, tag)
    if locus:
        return f"{siglum.printed} {printed_locus(locus)}".lstrip()
    if not siglum.printed:
        return segment.id
    if not numbers or siglum.printed == tag:
        return segment.id if siglum.printed == tag else f"{siglum.printed} [{segment.id}]"
    return f"{siglum.printed} {printed_locus(_without_sentence(numbers, siglum.levels))}"


def _parts(segment_id: str) -> tuple[str, str]:
    """Return what stands before the numbers of an id, and the numbers."""
    matched = _ID.fullmatch(segment_id)
    return (matched["tag"], matched["numbers"]) if matched else ("", "")


def _without_sentence(numbers: str, levels: int) -> str:
    parts = numbers.split(".")
    if len(parts) > 1 and len(parts) != levels:
        parts = parts[: levels or -1]
    return ".".join(parts)


@lru_cache(maxsize=4096)
def _siglum(author: str, work: str, tag: str) -> Siglum:
    if author or not tag:
        named = siglum_of(author, work)
        # An author's name alone says less than an id that begins with the same author's work.
        tagged = siglum_of_tag(tag) if tag and not work else named
        return tagged if tagged.printed.startswith(f"{named.printed} ") else named
    tagged = siglum_of_tag(tag)
    return Siglum(work) if work and tagged.printed == tag else tagged
