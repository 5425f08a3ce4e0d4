"""What the package says in English, said in the reader's language.

Errors, remarks about texts and names of tasks come from all rooms of the package, which know
nothing of readers, and are kept as they were said. A table has each of them as the code has it,
with places for names and numbers, and what it is in another language. What no table knows stays
English.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

__all__ = ["translate"]

_PLACE = re.compile(r"\{(\w+)\}")
_NUMBERS = frozenset(["count", "row", "more", "number", "k"])
_SAID_BY_US = frozenset(["reason"])  # what takes these places is to be translated, too
_LONGEST = 2000  # what is longer quotes somebody's text, and would take long to look up


class _Saying(NamedTuple):
    english: re.Pattern[str]
    translation: str


def translate(english: str, language: str) -> str:
    """Say in a language what the package said in English.

    Parameters
    ----------
    english
        A message: a problem, with its place before and a hint behind it if there are any.
    language
        One of `locisimiles.app.ui.catalogue.LANGUAGES`.

    Examples
    --------
    >>> translate("query.csv, row 17: the text is empty", "de")
    'query.csv, Zeile 17: der Text ist leer'
    >>> translate("a search is under way; wait for it, or cancel it", "fr")
    'une recherche est en cours ; attendez-la ou annulez-la'
    >>> translate("nobody has said this yet", "it")
    'nobody has said this yet'
    """
    if language == "en" or not english or len(english) > _LONGEST:
        return english
    whole = _translate_whole(english, language)
    if whole is not None:
        return whole
    for sign in ("; ", ": "):
        before, found, behind = english.partition(sign)
        if found:
            told = translate(before, language), translate(behind, language)
            if told != (before, behind):
                # French has a space before these signs.
                return (f" {sign}" if language == "fr" and sign == "; " else sign).join(told)
    return english


def _translate_whole(english: str, language: str) -> str | None:
    for saying in _sayings(language):
        found = saying.english.fullmatch(english)
        if found is not None:
            return _filled(saying.translation, found.groupdict(), language)
    return None


def _filled(translation: str, values: dict[str, str], language: str) -> str:
    told = {
        name: translate(value, language) if name in _SAID_BY_US else value
        for name, value in values.items()
    }
    return _PLACE.sub(lambda place: told[place[1]], translation)


@lru_cache
def _sayings(language: str) -> tuple[_Saying, ...]:
    """Return all messages, those with most words of their own first."""
    table = _load("translations", language)
    order = sorted(table, key=lambda english: -len(_PLACE.sub("", english)))
    return tuple(_Saying(_pattern(english), table[english]) for english in order)


def _pattern(english: str) -> re.Pattern[str]:
    pieces = _PLACE.split(english)  # letters, a name, letters, a name, letters …
    for at in range(1, len(pieces), 2):
        inside = r"[\d,]+" if pieces[at] in _NUMBERS else ".+?"
        pieces[at] = f"(?P<{pieces[at]}>{inside})"
    pieces[::2] = [re.escape(piece) for piece in pieces[::2]]
    return re.compile("".join(pieces), re.DOTALL)


@lru_cache
def _load(folder: str, language: str) -> dict[str, str]:
    path = resources.files("locisimiles.app.ui") / folder / f"{language}.json"
    table: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return table
