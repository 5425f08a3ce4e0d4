"""English meanings of shared words, from the dictionary that comes with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.latin.dictionary import Dictionary

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["find_glosses"]

_MOST = 3


def find_glosses(lemmas: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the first senses of the most frequent word with each lemma.

    Examples
    --------
    >>> find_glosses(["haereo", "nescioquid"])
    {'haereo': ('stick, adhere, cling to', 'hesitate', 'be in difficulties (sticky situation?)')}
    """
    dictionary = Dictionary.shipped()
    entries = {lemma: dictionary.find(lemma) for lemma in dict.fromkeys(lemmas)}
    return {lemma: found[0].senses[:_MOST] for lemma, found in entries.items() if found}
