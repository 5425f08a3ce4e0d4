"""An alignment as one cell of a table."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, get_args
from urllib.parse import quote, unquote

from locisimiles.errors import ParameterError
from locisimiles.evidence.alignment import Alignment, WordPair
from locisimiles.evidence.bonds import Bond

if TYPE_CHECKING:
    from locisimiles.evidence.alignment import Span

__all__ = ["format_alignment", "parse_alignment"]

_UNFIT = re.compile(r"[\s:=%\ud800-\udfff]")
_SPANS = re.compile(r"([0-9]{1,9})-([0-9]{1,9})=([0-9]{1,9})-([0-9]{1,9})")
_BONDS = {str(bond): bond for bond in get_args(Bond)}


def format_alignment(alignment: Alignment) -> str:
    """Write an alignment: both spans, then each pair of words with its bond and lemmas.

    Examples
    --------
    >>> from locisimiles.evidence import align
    >>> format_alignment(align("uox haesit", "haesit vox"))
    '0-10=0-10 0-3=7-10:form:uox=uox:1.0 4-10=0-6:form:haereo=haereo:1.0'
    """
    if alignment.query_span is None or alignment.source_span is None:
        return ""
    cells = [_spans(alignment.query_span, alignment.source_span)]
    for pair in alignment.pairs:
        lemmas = f"{_quote(pair.query_lemma)}={_quote(pair.source_lemma)}"
        cells.append(f"{_spans(pair.query, pair.source)}:{pair.bond}:{lemmas}:{pair.strength}")
    return " ".join(cells)


def parse_alignment(cell: str, query: str, source: str) -> Alignment:
    """Parse what `format_alignment` wrote of two texts, or raise a ParameterError."""
    if not cell.strip():
        return Alignment((), None, None)
    try:
        spans, *words = cell.split()
        query_span, source_span = _parse_spans(spans)
        pairs = tuple(map(_parse_pair, words))
    except (ValueError, KeyError):
        pairs = ()
    if not pairs:
        raise ParameterError("export.no_alignment", cell=cell[:60])
    ends = [(pair.query[1], pair.source[1]) for pair in pairs]
    ends.append((query_span[1], source_span[1]))
    if any(end > len(query) or other > len(source) for end, other in ends):
        raise ParameterError("export.alignment_beyond_texts")
    return Alignment(pairs, query_span, source_span)


def _parse_pair(text: str) -> WordPair:
    spans, bond, lemmas, strength = text.split(":")
    query_lemma, source_lemma = (
        unquote(lemma, errors="surrogatepass") for lemma in lemmas.split("=")
    )
    number = float(strength)
    if not math.isfinite(number):
        raise ValueError(strength)
    return WordPair(*_parse_spans(spans), _BONDS[bond], query_lemma, source_lemma, number)


def _spans(query: Span, source: Span) -> str:
    return f"{query[0]}-{query[1]}={source[0]}-{source[1]}"


def _parse_spans(text: str) -> tuple[Span, Span]:
    match = _SPANS.fullmatch(text)
    if match is None:
        raise ValueError(text)
    begin, end, source_begin, source_end = map(int, match.groups())
    if begin >= end or source_begin >= source_end:
        raise ValueError(text)
    return (begin, end), (source_begin, source_end)


def _quote(lemma: str) -> str:
    return _UNFIT.sub(lambda match: quote(match[0], safe="", errors="surrogatepass"), lemma)
