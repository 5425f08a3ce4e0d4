"""Dictionary forms of Latin words, from the word list of simplemma.

The list has words as modern dictionaries print them, with v and without enclitics; texts come
with u or v, and with *-que* attached. Both are reconciled here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from locisimiles.latin.orthography import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["lemmatize"]

_CONSONANTAL_U = re.compile(r"(?:^|(?<=[aeioulr]))u(?=[aeiou])|(?<=^in)u(?=[aeiou])")
_CONSONANTAL_I = re.compile(r"^i(?=[aeou])|(?<=[aeou])i(?=[aeou])")
_ENCLITICS = ("que", "ue", "ne")
_SHORTEST_STEM = 2


def lemmatize(words: Sequence[str]) -> list[str]:
    """Return the lemma of each word, folded to one spelling.

    Parameters
    ----------
    words
        Words as they stand in a text.

    Returns
    -------
    list of str
        One lemma a word; a word that is not in the list is its own lemma.

    Examples
    --------
    >>> lemmatize(["Haesit", "uox", "faucibus", "virumque"])
    ['haereo', 'uox', 'fauces', 'uir']
    """
    return [_lemma(fold(word)) for word in words]


@lru_cache(maxsize=1 << 18)
def _lemma(word: str) -> str:
    known = _look_up(word)
    if known is not None:
        return known
    for enclitic in _ENCLITICS:
        stem = word.removesuffix(enclitic)
        if stem != word and len(stem) >= _SHORTEST_STEM:
            known = _look_up(stem)
            if known is not None:
                return known
    return word


def _look_up(word: str) -> str | None:
    import simplemma  # its word list takes more than a second to load

    for spelling in _spellings(word):
        if simplemma.is_known(spelling, lang="la"):
            return fold(simplemma.lemmatize(spelling, lang="la"))
    return None


def _spellings(word: str) -> list[str]:
    """Return how a dictionary might spell a folded word, the likeliest first."""
    with_v = _CONSONANTAL_U.sub("v", word)
    with_v_and_j = _CONSONANTAL_I.sub("j", with_v)
    return list(dict.fromkeys((with_v, word, with_v_and_j)))
