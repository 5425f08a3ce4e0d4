"""The words to highlight: which answer each other, in the same colour on both sides."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.evidence.alignment import Aligner, Alignment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.results import Reference

__all__ = ["Mark", "aligned", "marks_in_query", "marks_in_source", "pieces"]

_AT_ONCE = 500
# Words of longer texts answer each other everywhere, and finding out takes the square of them.
_LONGEST_TO_ALIGN = 20_000
_NOTHING = Alignment((), None, None)


class Mark(NamedTuple):
    """A word to highlight; words with the same number answer each other."""

    start: int
    end: int
    number: int


def aligned(references: Iterable[Reference]) -> Iterator[tuple[Reference, Alignment]]:
    """Yield each reference with the words that answer each other.

    Texts of more than 20,000 characters are left without.
    """
    aligner = Aligner()
    references = iter(references)
    while batch := list(islice(references, _AT_ONCE)):
        short = [reference for reference in batch if _is_short(reference)]
        found = iter(
            aligner.align([one.query.text for one in short], [one.source.text for one in short])
        )
        for reference in batch:
            yield reference, next(found) if _is_short(reference) else _NOTHING


def _is_short(reference: Reference) -> bool:
    return max(len(reference.query.text), len(reference.source.text)) <= _LONGEST_TO_ALIGN


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
