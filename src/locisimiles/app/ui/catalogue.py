"""The words of the interface, in several languages."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources

from locisimiles.app.results.explanations import explained
from locisimiles.app.ui.translation import translate

__all__ = ["LANGUAGES", "Messages", "best_language"]

LANGUAGES = {"en": "English", "de": "Deutsch", "it": "Italiano", "fr": "Français"}
"""The languages of the interface."""


class Messages:
    """The words of one language.

    Parameters
    ----------
    language
        One of `LANGUAGES`; others become English.

    Examples
    --------
    >>> Messages("de")("read")
    'Lesen'
    >>> Messages("en")("count", shown="3", total="40")
    '3 of 40 pairs'
    >>> Messages("en")("segments", count="1"), Messages("en")("segments", count="2")
    ('1 segment', '2 segments')
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language if language in LANGUAGES else "en"
        self._messages = _load(self.language)

    def __call__(self, key: str, **values: str) -> str:
        """Return a message, with values at their places; there may be another for a count of 1."""
        one = f"{key}_one"
        message = self._messages[
            one if values.get("count") == "1" and one in self._messages else key
        ]
        for name, value in values.items():
            message = message.replace(f"{{{name}}}", value)
        return message

    def translated(self, english: str | Exception) -> str:
        """Return what the package said in English, in this language if that is known."""
        return translate(str(english), self.language)

    def explained(self, stored: str) -> str:
        """Return the explanation of a pair, as a project keeps it, in this language."""
        return explained(stored, self.language)


def best_language(accepted: str) -> str:
    """Choose by what a browser accepts.

    Examples
    --------
    >>> best_language("fr-CH, fr;q=0.9, en;q=0.8")
    'fr'
    >>> best_language("la")
    'en'
    """
    for part in accepted.split(","):
        language = part.partition(";")[0].strip().lower().partition("-")[0]
        if language in LANGUAGES:
            return language
    return "en"


@lru_cache
def _load(language: str) -> dict[str, str]:
    path = resources.files("locisimiles.app.ui") / "messages" / f"{language}.json"
    messages: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return messages
