"""Words to highlight: aligned words get the same colour on both sides."""

from __future__ import annotations

from itertools import islice, repeat
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.evidence.alignment import Aligner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.evidence.alignment import Alignment, Span
    from locisimiles.results.base import ResultColumns
    from locisimiles.results.reference import Reference

__all__ = ["Mark", "aligned_references", "marks_of", "number_marks", "pieces"]

_AT_ONCE = 2048


class Mark(NamedTuple):
    """A word to highlight; words with the same number are aligned."""

    start: int
    end: int
    number: int


def aligned_references(results: ResultColumns) -> Iterator[tuple[Reference, Alignment, str]]:
    """Yield each reference with its alignment and its explanation.

    Without alignments, words are aligned by their lemmas; without explanations, these are empty.
    """
    explanations = iter(results.explanations or repeat(""))
    if results.alignments is not None:
        yield from zip(results, results.alignments, explanations, strict=False)
        return
    aligner, references = Aligner(), iter(results)
    while batch := list(islice(references, _AT_ONCE)):
        queries = [reference.query.text for reference in batch]
        sources = [reference.source.text for reference in batch]
        yield from zip(batch, aligner.align(queries, sources), explanations, strict=False)


def marks_of(alignment: Alignment) -> tuple[list[Mark], list[Mark]]:
    """Return the words to highlight in the query and in the source."""
    pairs = alignment.pairs
    return number_marks(pair.query for pair in pairs), number_marks(pair.source for pair in pairs)


def number_marks(spans: Iterable[Span]) -> list[Mark]:
    """Return marks in text order, numbered like their spans; overlapping ones are dropped."""
    kept: list[Mark] = []
    for mark in sorted(Mark(*span, number) for number, span in enumerate(spans)):
        if not kept or mark.start >= kept[-1].end:  # markup cannot nest overlapping words
            kept.append(mark)
    return kept


def pieces(text: str, marks: Iterable[Mark]) -> Iterator[tuple[str, int | None]]:
    """Cut a text at its marks: yield each piece with the number of its mark, or None.

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
