"""Citations of sources and of the examined text, as they are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.corpus.citations import cite, cited_work, printed_locus
from locisimiles.corpus.library.catalogue import SOURCES, Catalogue
from locisimiles.corpus.library.dates import work_of
from locisimiles.corpus.loci import locus_range
from locisimiles.export.addresses import passage_urn
from locisimiles.export.apparatus.model import Citation, Note, Siglum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.corpus import Document, Segment
    from locisimiles.export.apparatus.accepted import Accepted
    from locisimiles.export.apparatus.model import Reader

__all__ = ["CitationWriter", "first_locus", "section_title"]


class CitationWriter:
    """Writes citations, and remembers the sigla it used.

    Parameters
    ----------
    source
        The document that is cited.
    readers
        All readers; their sigla are written if there are several.
    """

    def __init__(self, source: Document, readers: Sequence[Reader]) -> None:
        self._source = source
        self._readers = {reader.name: reader.siglum for reader in readers}
        self._sigla: dict[str, Siglum] = {}

    @property
    def sigla(self) -> tuple[Siglum, ...]:
        """The sigla that were used, in alphabetical order."""
        return tuple(self._sigla[name] for name in sorted(self._sigla, key=str.casefold))

    def cite(self, group: Sequence[Accepted]) -> Citation:
        """Return the citation of references to neighbouring segments, in their order."""
        first = group[0].cited
        begin = group[0].loci[0]
        end = group[-1].loci[1]
        siglum = cited_work(first)
        if siglum:
            self._sigla.setdefault(siglum, _explained(siglum, first))
        urn = passage_urn(first)
        judgements = [judgement for one in group for judgement in one.judgements]
        several = len(self._readers) > 1
        names = dict.fromkeys(judgement.reader for judgement in judgements)
        notes = dict.fromkeys(
            Note(" ".join(one.note.split()), self._readers[one.reader] if several else "")
            for one in judgements
            if one.note.strip()
        )
        return Citation(
            "" if group[0].verbatim else "cf.",
            siglum,
            printed_locus(locus_range(begin, end)) if begin else first_locus(first),
            " … ".join(" ".join(one.cited.text[slice(*one.answer)].split()) for one in group),
            str(urn.at(locus_range(begin, end))) if urn is not None and begin else "",
            tuple(one.cited.id for one in group),
            tuple(notes),
            tuple(self._readers[name] for name in names) if several else (),
        )


def first_locus(segment: Segment) -> str:
    """Return the locus at which a segment begins, as it is printed; else what its id says.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> first_locus(Segment("a", "uox", locus="3.047-3.048"))
    '3.47'
    >>> first_locus(Segment("verg. aen. 2.774.1", "uox")), first_locus(Segment("q7", "uox"))
    ('2.774', 'q7')
    """
    locus = segment.loci[0].locus if segment.loci else segment.locus.partition("-")[0]
    if locus:
        return printed_locus(locus)
    return cite(segment).removeprefix(cited_work(segment)).strip()


def section_title(segment: Segment) -> str:
    """Return the work with its book, letter or poem.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> section_title(Segment("hier. epist. 130.5.5.3", "haesit", locus="130.5.5"))
    'Hier. epist. 130'
    """
    book, dot, _ = first_locus(segment).partition(".")
    return " ".join(filter(None, (cited_work(segment), book if dot else "")))


def _explained(siglum: str, segment: Segment) -> Siglum:
    work, urn = work_of(segment), passage_urn(segment)
    author, title = segment.author, segment.work
    if work is not None:
        author, title = author or work.author, title or work.title
    edition = ""
    if urn is not None and urn.edition:
        known = Catalogue.shipped().file_called(f"{urn.work}.{urn.edition}")
        edition = SOURCES[known.source].title if known else urn.edition
    return Siglum(siglum, author, title, edition)
