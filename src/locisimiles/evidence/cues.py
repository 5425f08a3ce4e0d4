"""Cues of quotation in a text: *ut ait*, the name of an author, quotation marks."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from locisimiles.evidence.facts import Cue
from locisimiles.latin import tokenize
from locisimiles.latin.orthography import fold_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.evidence.alignment import Span

__all__ = ["NEAR", "find_cues"]

NEAR = 12
"""The most words between a cue and the span of the aligned words."""

_MARKS = (
    re.compile(r'[«“„"‹]([^«»“”„"‹›]+)[»”“"›]'),
    re.compile(r"‘([^‘’]+)’(?!\w)"),
    re.compile(r"(?<!\w)'([^']+)'(?!\w)"),  # unlike apostrophes, which follow a letter
)


def find_cues(text: str, span: Span | None, aligned: Sequence[Span]) -> tuple[Cue, ...]:
    """Find cues of quotation near some words of a text.

    Parameters
    ----------
    text
        The text of the query.
    span
        The span of its aligned words; None searches the whole text.
    aligned
        The aligned words, which are not cues themselves, but may stand in quotation marks.

    Examples
    --------
    >>> text = "unde et Vergilius, ut ait ille, uox faucibus haesit"
    >>> [(cue.kind, cue.text, cue.author) for cue in find_cues(text, (32, 51), ())]
    [('author', 'Vergilius', 'Virgil'), ('attribution', 'ut ait', '')]
    """
    tokens = _near(_folded(text), span)
    taken = set(aligned)
    free = [token for token in tokens if (token.start, token.end) not in taken]
    cues = [
        *_attributions(text, free),
        *_names(free, capitals=text != text.lower()),
        *_quotations(text, aligned),
    ]
    return tuple(sorted(cues, key=lambda cue: (cue.span, cue.kind)))


class _Folded(NamedTuple):
    """A word, its folded form, and its span."""

    text: str
    form: str
    start: int
    end: int


@lru_cache(maxsize=4096)  # the pairs of a query come one after another
def _folded(text: str) -> tuple[_Folded, ...]:
    tokens = tokenize(text)
    forms = fold_words([token.text for token in tokens])
    return tuple(
        _Folded(token.text, form, token.start, token.end)
        for token, form in zip(tokens, forms, strict=True)
    )


def _near(tokens: tuple[_Folded, ...], span: Span | None) -> tuple[_Folded, ...]:
    if span is None:
        return tokens
    inside = [at for at, token in enumerate(tokens) if span[0] <= token.start < span[1]]
    if not inside:
        return tokens
    return tokens[max(inside[0] - NEAR, 0) : inside[-1] + NEAR + 1]


def _attributions(text: str, tokens: Sequence[_Folded]) -> Iterator[Cue]:
    at = 0
    while at < len(tokens):
        length = 0
        for phrase in _phrases_by_first_word().get(tokens[at].form, ()):
            if len(phrase) > length and phrase == tuple(
                token.form for token in tokens[at : at + len(phrase)]
            ):
                length = len(phrase)
        if length:
            span = tokens[at].start, tokens[at + length - 1].end
            yield Cue("attribution", text[slice(*span)], span)
        at += length or 1


@lru_cache(maxsize=1)
def _phrases_by_first_word() -> dict[str, list[tuple[str, ...]]]:
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for phrase in _tables()["attributions"]:
        words = tuple(phrase.split())
        phrases.setdefault(words[0], []).append(words)
    return phrases


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    """Return lists of folded words; names as late authors use them.

    Names that several authors bear are left out. Without a capital, ``also_words`` and their cases
    are hardly ever a person. Case endings are listed by the ending of the nominative.
    """
    path = resources.files("locisimiles.evidence") / "data" / "cues.json"
    tables: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return tables


def _names(tokens: Sequence[_Folded], *, capitals: bool) -> Iterator[Cue]:
    for token in tokens:
        author = _author_forms(capitals=capitals).get(token.form)
        # In lower case, *persius* may be anything.
        if author and (token.text[0].isupper() or not capitals):
            yield Cue("author", token.text, (token.start, token.end), author)


@lru_cache(maxsize=2)
def _author_forms(*, capitals: bool) -> dict[str, str]:
    """Return authors by the forms of their names; without capitals, only unambiguous names."""
    tables, forms = _tables(), {}
    for author, names in tables["names"].items():
        for name in names:
            if capitals or name not in tables["also_words"]:
                ending = next(ending for ending in tables["name_endings"] if name.endswith(ending))
                stem = name.removesuffix(ending)
                forms.update({stem + case: author for case in tables["name_endings"][ending]})
    for author, stems in tables["adjectives"].items():  # *iuxta illud Uergilianum*
        for stem in stems:
            forms.update({stem + ending: author for ending in tables["adjective_endings"]})
    return forms


def _quotations(text: str, aligned: Sequence[Span]) -> Iterator[Cue]:
    """Yield passages in quotation marks that contain aligned words."""
    for marks in _MARKS:
        for match in marks.finditer(text):
            start, end = match.span(1)
            if any(start <= word[0] and word[1] <= end for word in aligned):
                yield Cue("quotation", text[start:end], (start, end))
