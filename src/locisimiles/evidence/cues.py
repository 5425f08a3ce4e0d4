"""Signs in a text that something is quoted: *ut ait*, the name of an author, quotation marks."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.evidence.facts import Cue
from locisimiles.latin import tokenize
from locisimiles.latin.orthography import fold_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from locisimiles.evidence.alignment import Span

__all__ = ["NEAR", "find_cues"]

NEAR = 12
"""A cue stands at most so many words before or after the stretch of the aligned words."""

# Forms that introduce or accompany a quotation, folded.
_PHRASES = """
    ut scriptum est / scriptum est / ut dictum est / in prouerbio / uulgo dicitur / uetus uerbum
    ut ait / ut inquit / ut dicit / ut scribit / ut dicitur / ut aiunt / ut dixit / ut cecinit
    quod ait / iuxta illud / secundum illud / unde illud / hinc illud / illud quod
    inquit / inquiunt / ait / aiunt / cecinit / canit / legimus / dicens
    poeta / poetae / poetam / poetarum / comicus / comici / satyricus / satiricus / lyricus / lyrici
    orator / oratoris / tragicus / philosophus / uates / uersus / uersiculus / uersiculum / uersum
    """

# Names as late authors call them; who bears a name that several have is left to the reader.
_NAMES = {
    "tullius": "Cicero",
    "cicero": "Cicero",
    "maro": "Virgil",
    "uergilius": "Virgil",
    "uirgilius": "Virgil",
    "horatius": "Horace",
    "flaccus": "Horace",
    "ouidius": "Ovid",
    "naso": "Ovid",
    "lucretius": "Lucretius",
    "lucanus": "Lucan",
    "statius": "Statius",
    "papinius": "Statius",
    "martialis": "Martial",
    "catullus": "Catullus",
    "propertius": "Propertius",
    "tibullus": "Tibullus",
    "terentius": "Terence",
    "plautus": "Plautus",
    "ennius": "Ennius",
    "naeuius": "Naevius",
    "sallustius": "Sallust",
    "crispus": "Sallust",
    "persius": "Persius",
    "iuuenalis": "Juvenal",
    "seneca": "Seneca",
    "quintilianus": "Quintilian",
}
# What these mean, or mean in some case, without a capital, is hardly ever a person.
_ALSO_WORDS = frozenset(
    "maro flaccus naso lucanus statius martialis persius crispus plautus iuuenalis seneca".split()
)
# What is theirs: *iuxta illud Uergilianum*.
_ADJECTIVES = {
    "tullian": "Cicero",
    "ciceronian": "Cicero",
    "uergilian": "Virgil",
    "uirgilian": "Virgil",
    "maronian": "Virgil",
    "horatian": "Horace",
    "flaccian": "Horace",
    "ouidian": "Ovid",
    "nasonian": "Ovid",
    "lucretian": "Lucretius",
    "catullian": "Catullus",
    "terentian": "Terence",
    "plautin": "Plautus",
    "ennian": "Ennius",
    "naeuian": "Naevius",
    "sallustian": "Sallust",
    "persian": "Persius",
}
_OF_ADJECTIVES = "us a um i ae o am os as orum arum is e".split()
# By the ending of the nominative; those of the third declension insert what they grow by.
_ENDINGS = {
    "ius": ("ius", "i", "ii", "io", "ium"),
    "us": ("us", "i", "o", "um", "e"),
    "o": ("o", "onis", "oni", "onem", "one"),
    "is": ("is", "i", "em", "e"),
    "a": ("a", "ae", "am"),
}
_MARKS = (
    re.compile(r'[«“„"‹]([^«»“”„"‹›]+)[»”“"›]'),
    re.compile(r"‘([^‘’]+)’(?!\w)"),
    re.compile(r"(?<!\w)'([^']+)'(?!\w)"),  # an apostrophe has a letter on both sides, or before
)


def find_cues(text: str, span: Span | None, aligned: Sequence[Span]) -> tuple[Cue, ...]:
    """Find signs of quotation near some words of a text.

    Parameters
    ----------
    text
        The text of the query.
    span
        The stretch of its aligned words; without one the whole text is near.
    aligned
        The aligned words, which are no signs themselves, but may stand in quotation marks.

    Examples
    --------
    >>> text = "unde et Vergilius, ut ait ille, uox faucibus haesit"
    >>> [(cue.kind, cue.text, cue.author) for cue in find_cues(text, (32, 51), ())]
    [('author', 'Vergilius', 'Virgil'), ('attribution', 'ut ait', '')]
    """
    tokens = _near(_folded(text), span)
    taken = set(aligned)
    free = [token for token in tokens if (token.start, token.end) not in taken]
    names = _forms_without_capitals() if text == text.lower() else _forms()
    found = [*_phrases(text, free), *_names(free, names), *_quotations(text, aligned)]
    return tuple(sorted(found, key=lambda cue: (cue.span, cue.kind)))


class _Folded(NamedTuple):
    """A word, its form, and where it stands."""

    text: str
    form: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def _folded(text: str) -> tuple[_Folded, ...]:
    """Return the words of a text, which is often asked for with one source after the other."""
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


def _phrases(text: str, tokens: Sequence[_Folded]) -> Iterator[Cue]:
    at = 0
    while at < len(tokens):
        length = 0
        for phrase in _phrases_from().get(tokens[at].form, ()):
            if len(phrase) > length and phrase == tuple(
                token.form for token in tokens[at : at + len(phrase)]
            ):
                length = len(phrase)
        if length:
            span = tokens[at].start, tokens[at + length - 1].end
            yield Cue("attribution", text[slice(*span)], span)
        at += length or 1


@lru_cache(maxsize=1)
def _phrases_from() -> dict[str, list[tuple[str, ...]]]:
    """Return the phrases by their first words."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in _PHRASES.replace("\n", "/").split("/"):
        words = tuple(phrase.split())
        if words:
            found.setdefault(words[0], []).append(words)
    return found


def _names(tokens: Sequence[_Folded], names: Mapping[str, str]) -> Iterator[Cue]:
    for token in tokens:
        author = names.get(token.form)
        # *persius* with a small letter may be anything.
        if author and (token.text[0].isupper() or names is not _forms()):
            yield Cue("author", token.text, (token.start, token.end), author)


@lru_cache(maxsize=1)
def _forms() -> dict[str, str]:
    return _declined(_NAMES) | _of_theirs()


@lru_cache(maxsize=1)
def _forms_without_capitals() -> dict[str, str]:
    """Return the names that are no other words, for texts in small letters throughout."""
    names = {name: author for name, author in _NAMES.items() if name not in _ALSO_WORDS}
    return _declined(names) | _of_theirs()


def _of_theirs() -> dict[str, str]:
    return {
        stem + ending: author for stem, author in _ADJECTIVES.items() for ending in _OF_ADJECTIVES
    }


def _declined(names: Mapping[str, str]) -> dict[str, str]:
    forms = {}
    for name, author in names.items():
        ending = next(ending for ending in _ENDINGS if name.endswith(ending))
        stem = name.removesuffix(ending)
        forms.update({stem + own: author for own in _ENDINGS[ending]})
    return forms


def _quotations(text: str, aligned: Sequence[Span]) -> Iterator[Cue]:
    """Yield what stands in quotation marks and has aligned words in it."""
    for marks in _MARKS:
        for match in marks.finditer(text):
            start, end = match.span(1)
            if any(start <= word[0] and word[1] <= end for word in aligned):
                yield Cue("quotation", text[start:end], (start, end))
