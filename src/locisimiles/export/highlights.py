"""The words to highlight: which answer each other, in the same colour on both sides."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.evidence.alignment import Aligner
from locisimiles.export.explained import ExplainedResults

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.evidence.alignment import Alignment
    from locisimiles.results import Reference, Results

__all__ = ["Mark", "aligned", "marks_in_query", "marks_in_source", "pieces"]

_AT_ONCE = 2048


class Mark(NamedTuple):
    """A word to highlight; words with the same number answer each other."""

    start: int
    end: int
    number: int


def aligned(results: Results) -> Iterator[tuple[Reference, Alignment]]:
    """Yield each reference with the words that answer each other.

    They are those that the explanation speaks of, if there is one; else those of the same lemma.
    """
    if isinstance(results, ExplainedResults) and results.alignments is not None:
        yield from zip(results, results.alignments, strict=True)
        return
    aligner = Aligner()
    references = iter(results)
    while batch := list(islice(references, _AT_ONCE)):
        queries = [reference.query.text for reference in batch]
        sources = [reference.source.text for reference in batch]
        yield from zip(batch, aligner.align(queries, sources), strict=True)


def marks_in_query(alignment: Alignment) -> list[Mark]:
    """Return the words of the query to highlight, in their order."""
    return _marks(pair.query for pair in alignment.pairs)


def marks_in_source(alignment: Alignment) -> list[Mark]:
    """Return the words of the source to highlight, in their order."""
    return _marks(pair.source for pair in alignment.pairs)


def _marks(spans: Iterable[tuple[int, int]]) -> list[Mark]:
    marks = sorted(Mark(*span, number) for number, span in enumerate(spans))
    kept: list[Mark] = []
    for mark in marks:
        if not kept or mark.start >= kept[-1].end:  # markup cannot hold words that overlap
            kept.append(mark)
    return kept


def pieces(text: str, marks: Iterable[Mark]) -> Iterator[tuple[str, int | None]]:
    """Cut a text at its marks: each piece, with the number of its mark or None.

    Examples
    --------
    >>> list(pieces("et vox haesit", [Mark(3, 6, 1), Mark(7, 13, 0)]))
    [('et ', None), ('vox', 1), (' ', None), ('haesit', 0)]
    """
    at = 0
    for start, end, number in marks:
        if start > at:
            yield text[at:start], None
        yield text[start:end], number
        at = end
    if at < len(text):
        yield text[at:], None
