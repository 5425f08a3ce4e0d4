"""What may be wrong with the texts of a search: other languages, the same text twice, swapped."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus.library.dates import years_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus import Document

__all__ = ["doubts"]

_READ = 2000  # segments; enough to tell a language
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_LETTER = re.compile(r"[^\W\d_]")
# Words that are among the most frequent of a language, and none of Latin.
_OTHERS = {
    "English": frozenset("the and of to with that was which this from are have not they".split()),
    "German": frozenset("der das und nicht ist ein eine mit von den dem zu auf".split()),
    "French": frozenset("le les une dans pour pas sur avec du ce au".split()),
    "Italian": frozenset("il di che con del della gli dalla nel alla".split()),
}
_MANY_LETTERS, _MANY_WORDS, _FEWEST_WORDS = 0.5, 0.15, 6
_SIDES = ("query", "source")


def doubts(query: Document, source: Document, *, excludes: bool = False) -> Iterator[str]:
    """Yield what may be wrong with the texts of a search, as sentences.

    If it `excludes` pairs, a text may well be searched in itself.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> one, other = (Document.from_segments([Segment("a", t)]) for t in ("arma", "Ἄνδρα"))
    >>> list(doubts(one, other))
    ['the source seems to be Greek; only Latin is compared']
    """
    for side, document in zip(_SIDES, (query, source), strict=True):
        language = _language(document)
        if language:
            yield f"the {side} seems to be {language}; only Latin is compared"
    if query.fingerprint() == source.fingerprint():
        if excludes:
            return
        yield (
            "query and source are the same text, so each segment finds itself; to leave that out, "
            "add --exclude same-work"
        )
    elif _is_older(query, source):
        yield (
            "all of the query is older than all of the source; if the source quotes it, "
            "name them the other way round"
        )


def _language(document: Document) -> str | None:
    """Return the language of most of a text, if it is another than Latin and known."""
    text = " ".join(islice(document.texts, _READ))
    letters = len(_LETTER.findall(text))
    if len(_GREEK.findall(text)) > _MANY_LETTERS * max(letters, 1):
        return "Greek"
    words = re.findall(r"[^\W\d_]+", text.lower())
    if len(words) < _FEWEST_WORDS:
        return None
    counts = {name: sum(word in known for word in words) for name, known in _OTHERS.items()}
    language = max(counts, key=counts.__getitem__)
    return language if counts[language] > _MANY_WORDS * len(words) else None


def _is_older(query: Document, source: Document) -> bool:
    years = [years_of(document) for document in (query, source)]
    if not all(np.isfinite(known).all() for known in years):
        return False
    return bool(years[0].max() < years[1].min())
