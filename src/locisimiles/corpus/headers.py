"""Recognise works of the catalogue in files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from locisimiles.corpus.library.catalogue import Catalogue
from locisimiles.corpus.loci import CtsUrn, join_locus
from locisimiles.corpus.segmenter import WorkHeader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.corpus.library.catalogue import Work
    from locisimiles.corpus.segmenter import Passage

__all__ = ["Recognised", "recognise"]


@dataclass(frozen=True, slots=True)
class Recognised:
    """A work of the catalogue that a file contains."""

    work: Work
    locus_prefix: str = ""

    def prefixed(self, passages: Iterable[Passage]) -> Iterator[Passage]:
        """Yield passages with their loci in the whole work, of which the file may be a part."""
        for passage in passages:
            yield replace(passage, locus=join_locus(self.locus_prefix, passage.locus))

    def header(self, *, urn: CtsUrn | None = None, edition: str = "") -> WorkHeader:
        """Return what the segments of the work have in common."""
        if urn is None and self.work.urn:
            urn = CtsUrn("latinLit", self.work.urn)
        return WorkHeader(
            self.work.abbreviation,
            author=self.work.author,
            title=self.work.title,
            verse=self.work.verse,
            urn=urn,
            edition=edition,
            meta=_facts(self.work),
        )


def recognise(
    *, stem: str = "", tags: tuple[str, ...] = (), urn: CtsUrn | None = None
) -> Recognised | None:
    """Find the work that a file contains by its name, its URN, or the tags in it.

    Examples
    --------
    >>> recognise(tags=("verg. g.",)).work.title
    'Georgica'
    >>> recognise(stem="cicero.lucullus").locus_prefix
    '2'
    >>> recognise(stem="letters of my aunt") is None
    True
    """
    catalogue = Catalogue.shipped()
    edition = catalogue.file_called(stem)
    if edition:
        return Recognised(catalogue.works[edition.work], edition.locus_prefix)
    work = catalogue.work_with_urn(urn) if urn else None
    work = work or next(filter(None, map(catalogue.work_tagged, tags)), None)
    return Recognised(work) if work else None


def _facts(work: Work) -> dict[str, str]:
    """Return the columns that segments of a work have besides author and title."""
    year = {} if work.year is None else {"year": str(work.year)}
    return {"genre": work.form} | year
