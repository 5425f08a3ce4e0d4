"""Words and where they stand."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Token", "tokenize"]

# \w without digits still holds numerals that are no letters: ², ½, Ⅷ, ①.
_LETTER = r"[^\W\d_\xb2\xb3\xb9\xbc-\xbe\u2070-\u209f\u2150-\u218b\u2460-\u24ff\u2776-\u2793]"
# A letter with the marks that may follow it (macrons, breves), any number of times.
_WORD = re.compile(rf"(?:{_LETTER}[\u0300-\u036f]*)+")


class Token(NamedTuple):
    """A word of a text and its place there."""

    text: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """Return the words of a text, without punctuation and numbers.

    Examples
    --------
    >>> [token.text for token in tokenize("Haesit uox faucibus, et 3 / ...")]
    ['Haesit', 'uox', 'faucibus', 'et']
    >>> tokenize("et tu")[1]
    Token(text='tu', start=3, end=5)
    """
    return [Token(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]
