"""The words that answer each other, as one cell of a table."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, get_args
from urllib.parse import quote, unquote

from locisimiles.evidence.alignment import Alignment, WordPair
from locisimiles.evidence.bonds import Bond

if TYPE_CHECKING:
    from locisimiles.evidence.alignment import Span

__all__ = ["format_alignment", "parse_alignment"]

_UNFIT = re.compile(r"[\s:=%\ud800-\udfff]")
_SPANS = re.compile(r"([0-9]{1,9})-([0-9]{1,9})=([0-9]{1,9})-([0-9]{1,9})")
_BONDS = {str(bond): bond for bond in get_args(Bond)}


def format_alignment(alignment: Alignment) -> str:
    """Write an alignment: both stretches, then each pair of words with its bond and lemmas.

    Examples
    --------
    >>> from locisimiles.evidence import align
    >>> format_alignment(align("uox haesit", "haesit vox"))
    '0-10=0-10 0-3=7-10:form:uox=uox:1.0 4-10=0-6:form:haereo=haereo:1.0'
    """
    if alignment.query_span is None or alignment.source_span is None:
        return ""
    return " ".join(
        [
            _spans(alignment.query_span, alignment.source_span),
            *(
                f"{_spans(pair.query, pair.source)}:{pair.bond}:{_fit(pair.query_lemma)}="
                f"{_fit(pair.source_lemma)}:{pair.strength}"
                for pair in alignment.pairs
            ),
        ]
    )


def parse_alignment(cell: str, query: str, source: str) -> Alignment:
    """Read what `format_alignment` wrote about two texts.

    Raises
    ------
    ValueError
        If it is something else, or goes beyond the texts.
    """
    if not cell.strip():
        return Alignment((), None, None)
    try:
        stretch, *words = cell.split()
        query_span, source_span = _parsed(stretch)
        pairs = tuple(map(_pair, words))
    except (ValueError, KeyError) as error:
        raise ValueError(f"{cell[:60]!r} is no alignment") from error
    if not pairs:
        raise ValueError(f"{cell[:60]!r} is no alignment")
    ends = [(pair.query[1], pair.source[1]) for pair in pairs]
    ends.append((query_span[1], source_span[1]))
    if any(end > len(query) or other > len(source) for end, other in ends):
        raise ValueError("the alignment goes beyond the texts")
    return Alignment(pairs, query_span, source_span)


def _pair(text: str) -> WordPair:
    spans, bond, lemmas, strength = text.split(":")
    query_lemma, source_lemma = map(_unfit, lemmas.split("="))
    number = float(strength)
    if not math.isfinite(number):
        raise ValueError(strength)
    return WordPair(*_parsed(spans), _BONDS[bond], query_lemma, source_lemma, number)


def _spans(query: Span, source: Span) -> str:
    return f"{query[0]}-{query[1]}={source[0]}-{source[1]}"


def _parsed(text: str) -> tuple[Span, Span]:
    found = _SPANS.fullmatch(text)
    if found is None:
        raise ValueError(text)
    begin, end, source_begin, source_end = map(int, found.groups())
    if begin >= end or source_begin >= source_end:
        raise ValueError(text)
    return (begin, end), (source_begin, source_end)


def _fit(lemma: str) -> str:
    return _UNFIT.sub(lambda found: quote(found[0], safe="", errors="surrogatepass"), lemma)


def _unfit(lemma: str) -> str:
    return unquote(lemma, errors="surrogatepass")
