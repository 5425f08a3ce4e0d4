"""When the work of a segment was finished, as far as the catalogue knows it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.corpus import Document

__all__ = ["years_of"]

_YEAR = re.compile(r"-?[0-9]{1,4}")
_LOCUS = re.compile(r"\s+[\d].*$")


def years_of(document: Document) -> NDArray[np.float64]:
    """Return the year of each segment, infinity where it is unknown.

    A column ``year`` of the document counts first, then work, id and author of a segment. Where
    only the author is known, it is the year of the earliest of the author's works.

    Examples
    --------
    >>> from locisimiles import Segment, Document
    >>> segments = [
    ...     Segment("verg. aen. 1.1.1", "arma"),
    ...     Segment("a", "arma", author="Lucan", work="Pharsalia"),
    ...     Segment("b", "arma"),
    ... ]
    >>> years_of(Document.from_segments(segments)).tolist()
    [-19.0, 65.0, inf]
    """
    given = document.meta.get("year", ("",) * len(document))
    known: dict[tuple[str, str, str], float] = {}
    keys = [
        (author, work, _LOCUS.sub("", segment_id))
        for author, work, segment_id in zip(
            document.authors, document.works, document.ids, strict=True
        )
    ]
    for key in dict.fromkeys(keys):
        known[key] = _year(*key)
    return np.array(
        [
            float(year) if _YEAR.fullmatch(year) else known[key]
            for year, key in zip(given, keys, strict=True)
        ],
        np.float64,
    )


def _year(author: str, work: str, tag: str) -> float:
    by_title, by_author, by_tag = _tables()
    for table, key in ((by_title, f"{author}: {work}"), (by_tag, tag), (by_author, author)):
        if key.lower() in table:
            return table[key.lower()]
    return np.inf


@lru_cache(maxsize=1)
def _tables() -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    from locisimiles.corpus.library import Catalogue

    by_title: dict[str, float] = {}
    by_author: dict[str, float] = {}
    by_tag: dict[str, float] = {}
    for work in Catalogue.shipped().works.values():
        year = float(work.year)
        by_title[f"{work.author}: {work.title}".lower()] = year
        author = work.author.lower()
        by_author[author] = min(year, by_author.get(author, np.inf))
        by_tag[work.abbreviation.lower()] = year
    return by_title, by_author, by_tag
