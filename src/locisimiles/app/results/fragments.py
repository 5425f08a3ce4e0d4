"""Texts cut into pieces: matching words, hits of the words that a reader looks for, the rest.

A fragment is a text as keyword in context (KWIC): the place with most matching words in the middle,
and what stands before and after it.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, NamedTuple

from locisimiles.latin.word_search import SearchableTexts, WordQuery
from locisimiles.results.highlights import Mark, number_marks, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Fragment", "Piece", "cut", "find_hits", "keyword_in_context", "with_fragments"]

_LONGEST_KEYWORD, _LONGEST_CONTEXT = 40, 100
_MOST_MARKS = 40
_ELLIPSIS = "…"

Span = tuple[int, int]


class Piece(NamedTuple):
    """A part of a text.

    Attributes
    ----------
    number
        Of the matching word it belongs to; that of the other text has the same. None if it does not
        match.
    is_hit
        Whether it is part of what a reader looks for.
    """

    text: str
    number: int | None = None
    is_hit: bool = False


class Fragment(NamedTuple):
    """The middle of a fragment, and what stands before and after it."""

    before: list[Piece]
    keyword: list[Piece]
    after: list[Piece]


def find_hits(words: str | None, texts: Sequence[str]) -> list[list[Span]]:
    """Return where words are in each text, if the text has them all.

    See `locisimiles.latin.word_search` for the words.

    Examples
    --------
    >>> find_hits("lemma:vir arm*", ["arma uirumque cano", "arma", ""])
    [[(0, 4), (5, 10)], [], []]
    """
    query = WordQuery.parse(words or "")
    if not query.phrases:
        return [[] for _ in texts]
    return SearchableTexts(texts).all_spans(query)


def cut(text: str, marks: Iterable[Mark], hits: Iterable[Sequence[int]] = ()) -> list[Piece]:
    """Cut a text at its marks and at hits.

    Examples
    --------
    >>> for piece in cut("arma uirumque", [Mark(5, 13, 0)], [(5, 10)]):
    ...     print(*piece)
    arma  None False
    uirum 0 True
    que 0 False
    """
    found = [Mark(start, end, 0) for start, end in hits]
    cuts: list[Piece] = []
    at = 0
    for piece, number in pieces(text, marks):
        end = at + len(piece)
        own = [
            Mark(max(hit.start, at) - at, min(hit.end, end) - at, 0)
            for hit in found
            if hit.start < end and hit.end > at
        ]
        cuts += [Piece(part, number, hit is not None) for part, hit in pieces(piece, own)]
        at = end
    return cuts


def keyword_in_context(
    text: str, spans: Iterable[Sequence[int]], hits: Sequence[Sequence[int]] = ()
) -> Fragment:
    """Return a text as keyword in context.

    In the middle are as many matching words as stand close together, without any the first hits.
    Without either, the fragment is the beginning of the text.

    Examples
    --------
    >>> text = "et inter ruborem atque pallorem " * 9
    >>> before, keyword, after = keyword_in_context(text, [(131, 136), (137, 144)])
    >>> [(piece.text, piece.number) for piece in keyword]
    [('inter', 0), (' ', None), ('ruborem', 1)]
    >>> before[0].text, after[-1].text
    ('… ', ' …')
    """
    marks = number_marks((span[0], span[1]) for span in spans)
    places = [(mark.start, mark.end) for mark in marks] or [(hit[0], hit[1]) for hit in hits]
    start, end = _whole_words(text, *_densest(places))
    first, last = _reach(text, start, end)

    def part(begin: int, stop: int) -> list[Piece]:
        def within(spans: Iterable[tuple[int, ...]]) -> list[Mark]:
            return [
                Mark(max(one[0], begin) - begin, min(one[1], stop) - begin, one[2])
                for one in spans
                if one[0] < stop and one[1] > begin
            ]

        found = within((hit[0], hit[1], 0) for hit in hits)
        return cut(text[begin:stop], within(marks), [hit[:2] for hit in found])

    before, after = part(first, start), part(end, last)
    if first:
        before.insert(0, Piece(f"{_ELLIPSIS} "))
    if last < len(text):
        after.append(Piece(f" {_ELLIPSIS}"))
    return Fragment(before, part(start, end), after)


def with_fragments(rows: Sequence[Mapping[str, Any]], words: str | None) -> list[dict[str, Any]]:
    """Add both texts as keywords in context to rows with texts; `words` are those to mark."""
    sides = ("query", "source")
    texts = list(dict.fromkeys(row[f"{side}_text"] for row in rows for side in sides))
    hits = dict(zip(texts, find_hits(words, texts), strict=True))
    made = []
    for row in rows:
        aligned = row["alignment"]
        spans = {
            "query": [word[:2] for word in aligned],
            "source": [word[2:4] for word in aligned],
        }
        fragments = {
            f"{side}_kwic": keyword_in_context(
                row[f"{side}_text"], spans[side], hits[row[f"{side}_text"]]
            )
            for side in sides
        }
        made.append({**row, **fragments})
    return made


def _densest(places: Sequence[Span]) -> Span:
    """Return where the most places are close together: of equal ones the shortest, then first."""
    if not places:
        return 0, 0
    together = (
        (first, last)
        for first, last in combinations_with_replacement(range(min(len(places), _MOST_MARKS)), 2)
        if first == last or places[last][1] - places[first][0] <= _LONGEST_KEYWORD
    )
    first, last = max(
        together, key=lambda ends: (ends[1] - ends[0], places[ends[0]][0] - places[ends[1]][1])
    )
    return places[first][0], places[last][1]


def _whole_words(text: str, start: int, end: int) -> Span:
    """Return a span that ends at spaces: punctuation and enclitics stay with their words."""
    while start and end and not text[start - 1].isspace():
        start -= 1
    while end and end < len(text) and not text[end].isspace():
        end += 1
    return start, end


def _reach(text: str, start: int, end: int) -> Span:
    """Return where the context begins and ends: at spaces, if there are any."""
    first, last = max(start - _LONGEST_CONTEXT, 0), min(end + _LONGEST_CONTEXT, len(text))
    if first:
        spaces = (at + 1 for at in range(first, start) if text[at].isspace())
        first = next(spaces, first)
    if last < len(text):
        spaces = (at for at in range(last, end - 1, -1) if text[at].isspace())
        last = next(spaces, last)
    return first, last
