"""Build an *apparatus fontium* from judged results."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from locisimiles.corpus.citations import cited_work, printed_locus
from locisimiles.corpus.library.dates import work_of
from locisimiles.corpus.lines import with_lines
from locisimiles.corpus.segmenter import VERSE_SEPARATOR
from locisimiles.export.addresses import WordAddresses
from locisimiles.export.apparatus.accepted import accepted_references
from locisimiles.export.apparatus.citing import CitationWriter, first_locus, section_title
from locisimiles.export.apparatus.model import ALSO, Apparatus, Entry, Passage, Reader, Section
from locisimiles.networks.places import touch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from locisimiles.corpus import Segment
    from locisimiles.evidence.alignment import Span
    from locisimiles.export.apparatus.accepted import Accepted
    from locisimiles.export.apparatus.model import Citation
    from locisimiles.results import Results

__all__ = ["build_apparatus"]

_LONGEST_LEMMA = 4  # words; of longer ones, the first and the last are printed
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_SPACES = re.compile(r"\s+")
_NAMELESS = "anon."


def build_apparatus(results: Results, *, text: bool = True) -> Apparatus:
    """Return the accepted references as an *apparatus fontium*.

    Parameters
    ----------
    results
        Judged results. A pair is accepted if the verdict of its readers is ``cit.`` or ``cf.``.
    text
        Include all passages of the text, not only those with references.

    Raises
    ------
    InputError
        If no reference was accepted.
    """
    accepted = accepted_references(results)
    readers = _readers(accepted)
    writer = CitationWriter(results.source, readers)
    by_passage = {
        query: _entries(results.query[query], list(of_passage), writer)
        for query, of_passage in groupby(accepted, key=lambda one: one.query)
    }
    positions = range(len(results.query)) if text else list(by_passage)
    counted = [one for one in accepted if one.is_best]
    verbatim = sum(one.verbatim for one in counted)
    dates = [judgement.date for one in accepted for judgement in one.judgements]
    works = dict.fromkeys(cited_work(results.query[query]) for query in by_passage)
    return Apparatus(
        "; ".join(filter(None, works)),
        tuple(_sections(results, positions, by_passage)),
        writer.sigla,
        readers,
        verbatim,
        len(counted) - verbatim,
        len(results),
        max(dates, default="")[: len("2026-11-18")],
        str(results.manifest.get("locisimiles", "")),
    )


def _readers(accepted: Sequence[Accepted]) -> tuple[Reader, ...]:
    """Return the readers by name, each with initials that no other has."""
    names = sorted({judgement.reader for one in accepted for judgement in one.judgements})
    readers: dict[str, Reader] = {}
    for name in names:
        initials = "".join(word[0].upper() for word in re.findall(r"[^\W\d_]+", name))
        siglum, number = initials or _NAMELESS, 1
        while siglum in readers:
            number += 1
            siglum = f"{initials or _NAMELESS}{number}"
        readers[siglum] = Reader(siglum, name)
    return tuple(readers.values())


def _entries(
    passage: Segment, accepted: Sequence[Accepted], writer: CitationWriter
) -> tuple[Entry, ...]:
    """Return the entries of a passage: one for each lemma, with all that answers it."""
    by_span: dict[Span, list[list[Accepted]]] = {}
    for group in _joined([one for one in accepted if one.is_best]):
        span = min(one.span[0] for one in group), max(one.span[1] for one in group)
        by_span.setdefault(span, []).append(group)
    marked = with_lines(passage)
    return tuple(
        Entry(
            span,
            _lemma(passage.text[slice(*span)]),
            printed_locus(marked.locus_at(span[0])) if marked.loci else first_locus(passage),
            tuple(_without_repetition(_citations(groups, accepted, writer))),
        )
        for span, groups in sorted(by_span.items())
    )


def _citations(
    groups: Sequence[list[Accepted]], accepted: Sequence[Accepted], writer: CitationWriter
) -> Iterator[Citation]:
    """Yield the citations of an entry, each followed by those with nearly the same words."""
    for group in sorted(groups, key=_order):
        yield writer.cite(group)
        best = {one.source for one in group}
        others = [one for one in accepted if not one.is_best and one.stands_under in best]
        for also in sorted(_joined(others), key=_order):
            yield replace(writer.cite(also), mark=ALSO)


def _joined(accepted: Sequence[Accepted]) -> list[list[Accepted]]:
    """Join references of the same type to neighbouring segments of one work."""
    groups: list[list[Accepted]] = []
    for one in accepted:
        near = [
            group
            for group in groups
            if any(one.verbatim == o.verbatim and touch(one.cited, o.cited) for o in group)
        ]
        groups = [group for group in groups if group not in near]
        groups.append([*(other for group in near for other in group), one])
    return [sorted(group, key=lambda one: one.source) for group in groups]


def _order(group: Sequence[Accepted]) -> tuple[bool, int]:
    """Order verbatim references first, then as the sources are ordered."""
    return not group[0].verbatim, group[0].source


def _lemma(words: str) -> str:
    """Return words as a lemma; of many, the first and the last.

    Examples
    --------
    >>> _lemma("haesit uox faucibus,"), _lemma("arma uirumque cano, Troiae / qui primus ab oris")
    ('haesit uox faucibus', 'arma … oris')
    """
    listed = [_EDGES.sub("", word) for word in words.split()]
    listed = [word for word in listed if word] or _SPACES.sub(" ", words).split()
    if len(listed) > _LONGEST_LEMMA:
        return f"{listed[0]} … {listed[-1]}"
    return " ".join(listed)


def _without_repetition(citations: Iterable[Citation]) -> Iterator[Citation]:
    before: Citation | None = None
    for citation in citations:
        same = (
            before is not None
            and citation.locus
            and not before.remark
            and (before.mark, before.siglum) == (citation.mark, citation.siglum)
        )
        yield replace(citation, repeats=True) if same else citation
        before = citation


def _sections(
    results: Results, positions: Iterable[int], entries: dict[int, tuple[Entry, ...]]
) -> Iterator[Section]:
    addresses = WordAddresses(results.query)
    segments = ((position, with_lines(results.query[position])) for position in positions)
    for title, of_section in groupby(segments, key=lambda one: section_title(one[1])):
        listed = list(of_section)
        verse = any(_is_verse(segment) for _, segment in listed)
        passages, last, label = [], None, None
        for position, segment in listed:
            first = first_locus(segment)
            passages.append(
                Passage(
                    segment.id,
                    segment.text,
                    segment.locus,
                    first if first != label else "",
                    addresses.of_segment(segment) or "",
                    verse and first != last,
                    entries.get(position, ()),
                )
            )
            last = printed_locus(segment.locus_at(len(segment.text)).rpartition("-")[2])
            label = first
        yield Section(title, verse, tuple(passages))


def _is_verse(segment: Segment) -> bool:
    work = work_of(segment)
    return VERSE_SEPARATOR in segment.text or (work is not None and work.verse)
