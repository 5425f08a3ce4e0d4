"""Messages as data: a code and values. The sentence is built where it is shown, in any language.

Templates are in ``LANGUAGE/ROOM.json``: the template of ``corpus.empty_text`` is ``empty_text`` in
``corpus.json``. An entry is a sentence, or a pair: what is wrong, and what to do about it. A name
that ends in ``_one`` is the variant for a ``count`` of one. ``authors.json`` has the names of
authors in all languages.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = [
    "LANGUAGES",
    "Message",
    "author_names",
    "choose_language",
    "format_decimal",
    "format_number",
    "format_percent",
]

LANGUAGES = {"en": "English", "de": "Deutsch", "it": "Italiano", "fr": "Français"}
"""The languages that have templates, each by its own name."""

_PLACE = re.compile(r"\{(\w+)\}")
# What only makes sense at a terminal, and what is left of a sentence without it.
_COMMAND = re.compile(
    r"(?<!\w)--[a-z]|\{(?:install|variable)\}|\blocisimiles (?:train|library|index)\b"
    r"|createdb|GRANT "
)
_OPTION = re.compile(r" \(--[\w-]+\)")
_CLAUSE_END = re.compile(r"(?<=\?) | ?; ")
_AUTHORS = ("author", "authors")
_NARROW_SPACE = "\u202f"
_MOST_LISTED = 6


@dataclass(frozen=True, slots=True)
class Message:
    """A message in no language yet.

    Parameters
    ----------
    code
        Names the template.
    values
        Fill the places in the template: words, numbers, other messages, or lists of these.

    Examples
    --------
    >>> message = Message("files.not_found")
    >>> message.text(), message.text("de")
    ('file not found', 'Datei nicht gefunden')
    """

    code: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text()

    def text(self, language: str = "en", *, commands: bool = True) -> str:
        """Return the sentence in one of `LANGUAGES`, or in English without a translation.

        Parameters
        ----------
        language
            The language.
        commands
            Whether to give advice that names a command or an option. The app has neither.

        Examples
        --------
        >>> Message("app.needs_psycopg").text(commands=False)
        'a PostgreSQL database needs psycopg'
        """
        template = self._template(language)
        if template is None:
            return self.code
        parts = [template] if isinstance(template, str) else template
        if not commands:
            parts = _without_commands(parts)

        def shown(place: re.Match[str]) -> str:
            value = self.values.get(place[1], place[0])
            if place[1] in _AUTHORS:
                value = _changed(value, lambda name: author_names(language).get(name, name))
            return _shown(value, language, commands=commands)

        filled = filter(None, (_PLACE.sub(shown, part) for part in parts))
        # French has a space before a semicolon.
        return (" ; " if language == "fr" else "; ").join(filled)

    def with_words(self, change: Callable[[str], str]) -> Message:
        """Return the same message with its words changed, such as paths that users must not see.

        Examples
        --------
        >>> Message("files.not_found", {"name": "tmp/a"}).with_words(lambda w: w[4:]).values
        {'name': 'a'}
        """
        return Message(self.code, {name: _changed(v, change) for name, v in self.values.items()})

    def as_json(self) -> list[object]:
        """Return the message as JSON; `from_json` reads it."""
        return [self.code, {name: _plain(value) for name, value in self.values.items()}]

    @classmethod
    def from_json(cls, content: Sequence[object]) -> Message:
        """Return the message that `as_json` returned.

        Examples
        --------
        >>> Message.from_json(["files.not_found", {}]) == Message("files.not_found")
        True
        """
        code, values = content
        if not isinstance(values, dict):
            raise TypeError(f"a message needs values by name, not {values!r}")
        return cls(str(code), {name: _revived(value) for name, value in values.items()})

    def _template(self, language: str) -> str | list[str] | None:
        room, _, name = self.code.partition(".")
        names = (f"{name}_one", name) if self.values.get("count") == 1 else (name,)
        for table in (_templates(language, room), _templates("en", room)):
            for known in names:
                if known in table:
                    return table[known]
        return None


def choose_language(accepted: str) -> str:
    """Return the first of our languages that a browser accepts; English if none.

    Parameters
    ----------
    accepted
        The header ``Accept-Language``.

    Examples
    --------
    >>> choose_language("fr-CH, fr;q=0.9, en;q=0.8"), choose_language("la")
    ('fr', 'en')
    """
    for part in accepted.split(","):
        language = part.partition(";")[0].strip().lower().partition("-")[0]
        if language in LANGUAGES:
            return language
    return "en"


@lru_cache
def author_names(language: str = "en") -> Mapping[str, str]:
    """Return the names of authors that are called otherwise in a language, by their English names.

    Examples
    --------
    >>> author_names("fr")["Virgil"], "Martial" in author_names("fr")
    ('Virgile', False)
    """
    path = resources.files(__name__) / "authors.json"
    table: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return {name: names[language] for name, names in table.items() if language in names}


def format_number(number: int, language: str = "en") -> str:
    """Return a whole number as it is written in a language.

    Examples
    --------
    >>> format_number(12_000), len(format_number(12_000, "de").split("\u202f"))
    ('12,000', 2)
    """
    grouped = f"{number:,}"
    return grouped if language == "en" else grouped.replace(",", _NARROW_SPACE)


def format_decimal(number: float, digits: int, language: str = "en") -> str:
    """Return a number with decimals as it is written in a language.

    Examples
    --------
    >>> format_decimal(0.873, 2), format_decimal(-0.04, 2, "de")
    ('0.87', '\u22120,04')
    """
    return _with_decimal_sign(f"{number:.{digits}f}", language).replace("-", "\u2212")


def format_percent(share: float, language: str = "en") -> str:
    """Return a share as a whole percentage.

    Examples
    --------
    >>> format_percent(0.42), format_percent(0.42, "it")
    ('42%', '42%')
    """
    space = _NARROW_SPACE if language in ("de", "fr") else ""
    return f"{share * 100:.0f}{space}%"


def _with_decimal_sign(number: str, language: str) -> str:
    return number if language == "en" else number.replace(".", ",")


def _without_commands(parts: Sequence[str]) -> list[str]:
    """Return the parts of a template without the clauses that name a command."""
    clauses = (_CLAUSE_END.split(_OPTION.sub("", part)) for part in parts)
    kept = [[one for one in clause if not _COMMAND.search(one)] for clause in clauses]
    return ["; ".join(clause) for clause in kept]


def _shown(value: object, language: str, *, commands: bool = True) -> str:
    if isinstance(value, Message):
        return value.text(language, commands=commands)
    if isinstance(value, float):
        return _with_decimal_sign(str(value), language)
    if isinstance(value, int) and not isinstance(value, bool):
        return format_number(value, language)
    if not isinstance(value, list | tuple):
        return str(value)
    listed = ", ".join(_shown(one, language, commands=commands) for one in value[:_MOST_LISTED])
    more = len(value) - _MOST_LISTED
    if more <= 0:
        return listed
    return Message("messages.more", {"listed": listed, "count": more}).text(language)


def _changed(value: object, change: Callable[[str], str]) -> object:
    if isinstance(value, Message):
        return value.with_words(change)
    if isinstance(value, list | tuple):
        return [_changed(one, change) for one in value]
    return change(value) if isinstance(value, str) else value


def _plain(value: object) -> object:
    if isinstance(value, Message):
        return value.as_json()
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _revived(value: object) -> object:
    if not isinstance(value, list):
        return value
    if len(value) == 2 and isinstance(value[1], dict):  # noqa: PLR2004 - a code and its values
        return Message.from_json(value)
    return [_revived(one) for one in value]


@lru_cache
def _templates(language: str, room: str) -> Mapping[str, str | list[str]]:
    if not room.isidentifier() or language not in LANGUAGES:
        return {}
    path = resources.files(__name__) / language / f"{room}.json"
    if not path.is_file():
        return {}
    table: dict[str, str | list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return table
