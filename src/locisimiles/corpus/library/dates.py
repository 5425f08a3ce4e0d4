"""Dates of works, as far as known; nothing is guessed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import numpy as np

from locisimiles.corpus.library.catalogue import Catalogue

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.corpus.document import Document
    from locisimiles.corpus.library.catalogue import Work
    from locisimiles.corpus.segment import Segment

__all__ = ["Chronology", "chronology", "id_tag", "work_of", "works_of", "year_of", "years_of"]

_LOCUS = re.compile(r"\s+\d.*$", re.DOTALL)
_YEAR = re.compile(r"\s*(-?[0-9]{1,4})\s*")

Chronology = Literal["in order", "out of order", "unknown"]


def work_of(segment: Segment) -> Work | None:
    """Return the work of the catalogue with this author and title, by any of their names.

    The abbreviation of a work at the beginning of the id also counts, unless author or title
    contradict it.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> work_of(Segment("a", "arma", author="Virgil", work="Aeneis")).urn
    'phi0690.phi003'
    >>> work_of(Segment("a", "arma", author="Vergilius", work="Aeneid")).urn
    'phi0690.phi003'
    >>> work_of(Segment("verg. aen. 1.1.1", "arma")).title
    'Aeneis'
    >>> work_of(Segment("a", "arma", author="Virgil"))
    """
    return _work(segment.author, segment.work, id_tag(segment.id))


def works_of(document: Document) -> list[Work | None]:
    """Return the work of each segment as `work_of` does."""
    keys = list(zip(document.authors, document.works, map(id_tag, document.ids), strict=True))
    known = {key: _work(*key) for key in dict.fromkeys(keys)}
    return [known[key] for key in keys]


def year_of(segment: Segment) -> int | None:
    """Return the approximate year in which the work of a segment was finished; None if unknown.

    A column ``year`` of the input comes first, then the catalogue. Years before our era are
    negative. The author alone gives no year.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> year_of(Segment("a", "arma", author="Virgil", work="Aeneis"))
    -19
    >>> year_of(Segment("a", "arma", author="Virgil")) is None
    True
    """
    return _year(segment.meta.get("year", ""), work_of(segment))


def years_of(document: Document) -> NDArray[np.float64]:
    """Return the year of each segment as `year_of` does; infinity if unknown.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> segments = [Segment("verg. aen. 1.1.1", "arma"), Segment("b", "arma")]
    >>> years_of(Document.from_segments(segments)).tolist()
    [-19.0, inf]
    """
    columns = document.meta.get("year", ("",) * len(document))
    years = map(_year, columns, works_of(document))
    return np.array([np.inf if year is None else year for year in years], np.float64)


def chronology(citing: int | None, cited: int | None) -> Chronology:
    """Return whether a text of one year can cite a text of another.

    Years of works are approximate: a year or two out of order may still be right.

    Examples
    --------
    >>> chronology(419, -19), chronology(-19, 419), chronology(419, None)
    ('in order', 'out of order', 'unknown')
    """
    if citing is None or cited is None:
        return "unknown"
    return "in order" if cited <= citing else "out of order"


def id_tag(segment_id: str) -> str:
    """Return the part of an id before its numbers; empty without numbers.

    Examples
    --------
    >>> id_tag("verg. aen. 1.1.1"), id_tag("a")
    ('verg. aen.', '')
    """
    tag = _LOCUS.sub("", segment_id)
    return "" if tag == segment_id else tag


def _year(text: str, work: Work | None) -> int | None:
    if match := _YEAR.fullmatch(text):
        return int(match[1])
    return work.year if work else None


def _work(author: str, title: str, tag: str) -> Work | None:
    names = Catalogue.shipped().names
    named = names.work_of(author, title)
    if named is not None:
        return named
    tagged = Catalogue.shipped().work_tagged(tag) if tag else None
    if tagged is None:
        return None
    if title:
        return tagged if names.work_of(author or tagged.author, title) == tagged else None
    return tagged if not author or tagged in names.find(author) else None
