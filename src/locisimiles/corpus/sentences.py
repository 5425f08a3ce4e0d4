"""Where sentences end: at ``. ! ?``, except in ``P. Galba``, ``a. d. III Kal. Mart.`` and the like.

Latin editions disagree on capitals (many begin a sentence in lower case), so a stop is judged by
the word before it, and by capitals only where a name must follow.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from locisimiles.corpus.loci import roman_to_int

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = ["Stop", "StopRules", "sentence_ends"]

# fmt: off
_PRAENOMINA = frozenset(
    ["A", "Ap", "App", "C", "Cn", "D", "G", "Gn", "K", "L", "M", "Mam", "N", "P", "Q", "S", "Ser",
     "Sex", "Sp", "T", "Ti", "Tib", "V"]
)
_CALENDAR = frozenset(["cal", "eid", "id", "idib", "kal", "kalend", "non", "pr", "prid"])
_MONTHS = frozenset(
    ["ian", "febr", "mart", "apr", "april", "mai", "iun", "iul", "quint", "quinct", "sext",
     "sextil", "aug", "sept", "oct", "nov", "dec"]
)
_TITLES_AND_CITATIONS = frozenset(
    ["aed", "al", "cap", "capit", "cf", "cos", "coss", "cur", "desig", "epist", "etc", "fil", "fr",
     "imp", "leg", "lib", "pl", "plur", "pont", "pop", "praef", "procos", "propr", "ps", "quaest",
     "rom", "scil", "sen", "seq", "seqq", "tr", "trib", "vers", "vid"]
)
_SPEECH_TAGS = frozenset(
    ["ait", "aiunt", "inquam", "inquies", "inquis", "inquit", "inquiunt"]
)
# fmt: on

_CANDIDATE = re.compile(r"[.!?…](?:\s*[.!?…])*|[:;]")
_CLOSERS = re.compile(r"[\"'”’»›)\]}]*(?:\s[»›)\]])?")
_WORD_BEFORE = re.compile(r"[^\W\d_]+(?=['’]?$)")
_NEXT_WORD = re.compile(r"[\s/\"'“‘«‹(\[—–-]*([^\W\d_]+)")
_OPENING_QUOTE = re.compile(r"\s+(?:/\s+)?[\"'“‘«‹][^\W\d_]")
_CONTINUES = re.compile(r"[\s—–-]*[,;]")
_LETTER = re.compile(r"[^\W\d_]")
_LONGEST_ABBREVIATION = 12
_LONGEST_ASIDE = 60


Stop = Literal["never", "line-end", "always"]
"""Where a sign ends a sentence."""


class StopRules(NamedTuple):
    """Where ``:`` and ``;`` end a sentence, besides ``. ! ?``."""

    colon: Stop = "never"
    semicolon: Stop = "never"


def sentence_ends(
    text: str, rules: StopRules | None = None, *, line_ends: AbstractSet[int] = frozenset()
) -> list[int]:
    r"""Return the offsets at which the sentences of a text end, ascending.

    A quotation mark or bracket that closes after the stop belongs to the sentence. `line_ends` are
    the offsets at which verse lines end, for rules about line ends.

    Examples
    --------
    >>> text = "prensat unus P. Galba. 'quo tenditis?' inquit. sine fuco ac fallaciis negatur"
    >>> [text[a:b].strip() for a, b in zip([0, *sentence_ends(text)], sentence_ends(text))]
    ['prensat unus P. Galba.', "'quo tenditis?' inquit."]
    """
    rules = rules or StopRules()
    ends: list[int] = []
    start = searched = 0
    has_letter = False
    for candidate in _CANDIDATE.finditer(text):
        # A number or an ellipsis before the first word belongs to the sentence that follows.
        has_letter = has_letter or _LETTER.search(text, searched, candidate.start()) is not None
        searched = candidate.end()
        if not has_letter:
            continue
        closers = _CLOSERS.match(text, candidate.end())
        end = closers.end() if closers else candidate.end()
        if when := {":": rules.colon, ";": rules.semicolon}.get(candidate.group()):
            ends_here = _ends_clause(text, end, when, line_ends)
        else:
            ends_here = _ends_sentence(text, start, candidate, end)
        if ends_here:
            ends.append(end)
            start = searched = end
            has_letter = False
    return ends


def _ends_clause(text: str, end: int, when: str, line_ends: AbstractSet[int]) -> bool:
    if when == "line-end":
        return end in line_ends or _OPENING_QUOTE.match(text, end) is not None
    return when == "always"


def _ends_sentence(text: str, start: int, stop: re.Match[str], end: int) -> bool:
    if end < len(text) and not (text[end].isspace() or text[end] in "—–/"):
        return False
    if _CONTINUES.match(text, end):
        return False  # a quotation inside a sentence: 'te ipsum intellege'! —, uenerationi …
    following = _NEXT_WORD.match(text, end)
    next_word = following[1] if following else ""
    if next_word in _SPEECH_TAGS:
        return False
    return stop.group() != "." or not _is_abbreviation(text, start, stop.start(), next_word)


def _is_abbreviation(text: str, start: int, dot: int, next_word: str) -> bool:
    before = _WORD_BEFORE.search(text[max(start, dot - _LONGEST_ABBREVIATION) : dot])
    word = before.group() if before else ""
    folded, name_follows = word.lower(), next_word[:1].isupper()
    return (
        (len(word) == 1 and word.islower())  # a. d., i. e.: no sentence ends in a one-letter word
        or (word in _PRAENOMINA and name_follows)
        or (folded in _CALENDAR and (name_follows or roman_to_int(next_word) is not None))
        or (folded in _MONTHS | _TITLES_AND_CITATIONS and next_word[:1].islower())
        # The number of a chapter at the head of its first sentence.
        or (word.isupper() and text[start:dot].strip() == word and roman_to_int(word) is not None)
        or _inside_short_aside(text, start, dot)
    )


def _inside_short_aside(text: str, start: int, dot: int) -> bool:
    """Tell whether a dot is inside brackets that close soon, as in ``(Aeneid. lib. III)``."""
    opened = text.rfind("(", max(start, dot - _LONGEST_ASIDE), dot)
    if opened < 0 or ")" in text[opened : dot + 2]:
        return False
    return ")" in text[dot + 1 : dot + _LONGEST_ASIDE]
