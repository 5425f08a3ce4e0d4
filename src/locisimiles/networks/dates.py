"""When works were written, as far as it is known; nothing is guessed."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from locisimiles.corpus.library import Catalogue

if TYPE_CHECKING:
    from locisimiles.corpus import Segment
    from locisimiles.corpus.library import Work

__all__ = ["Chronology", "chronology", "work_of", "year_of"]

_LOCUS = re.compile(r"\s+\d.*$", re.DOTALL)

Chronology = Literal["in order", "out of order", "unknown"]


def work_of(segment: Segment) -> Work | None:
    """Return the work of the catalogue that has exactly this author and title.

    If a segment has neither, its id may begin with the abbreviation of a work.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> work_of(Segment("a", "arma", author="Virgil", work="Aeneis")).urn
    'phi0690.phi003'
    >>> work_of(Segment("verg. aen. 1.1.1", "arma")).title
    'Aeneis'
    >>> work_of(Segment("a", "arma", author="Virgil"))
    """
    if segment.author or segment.work:
        return _works().get((segment.author, segment.work))
    tag = _LOCUS.sub("", segment.id)
    return Catalogue.shipped().work_tagged(tag) if tag != segment.id else None


def year_of(segment: Segment) -> int | None:
    """Return when the work of a segment was finished, roughly; None if that is not known.

    A column ``year`` of the input counts first, then the catalogue. Years before our era are
    negative.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> year_of(Segment("a", "arma", author="Virgil", work="Aeneis"))
    -19
    >>> year_of(Segment("a", "arma", author="Nemo")) is None
    True
    """
    given = segment.meta.get("year", "").strip()
    try:
        return int(given)
    except ValueError:
        work = work_of(segment)
        return work.year if work else None


def chronology(citing: int | None, cited: int | None) -> Chronology:
    """Say whether a text of one year can have cited one of another.

    Years of works are rough: what is out of order by a year or two may still be right.

    Examples
    --------
    >>> chronology(419, -19), chronology(-19, 419), chronology(419, None)
    ('in order', 'out of order', 'unknown')
    """
    if citing is None or cited is None:
        return "unknown"
    return "in order" if cited <= citing else "out of order"


@lru_cache(maxsize=1)
def _works() -> dict[tuple[str, str], Work]:
    return {(work.author, work.title): work for work in Catalogue.shipped().works.values()}
