"""Translates what pages show into the language of their reader."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from locisimiles.app.results.explanations import explanation_text
from locisimiles.app.ui.cookies import read_cookie
from locisimiles.messages import (
    LANGUAGES,
    Message,
    author_names,
    choose_language,
    format_decimal,
    format_number,
    format_percent,
)

if TYPE_CHECKING:
    from fastapi import Request

    from locisimiles.errors import LocisimilesError

__all__ = ["Translator"]


class Translator:
    """Translates into one of `locisimiles.messages.LANGUAGES`; others become English.

    Examples
    --------
    >>> Translator("de")("read")
    'Lesen'
    >>> Translator("en")("segments", count=1), Translator("en")("segments", count=2000)
    ('1 segment', '2,000 segments')
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language if language in LANGUAGES else "en"

    @classmethod
    def of(cls, request: Request) -> Translator:
        """Return the translator for a browser: the language chosen on a page, or its own."""
        accepted = request.headers.get("accept-language", "")
        return cls(read_cookie(request, "language") or choose_language(accepted))

    def __call__(self, name: str, **values: object) -> str:
        """Return a text of the interface, by its name in ``ui.json``."""
        return Message(f"ui.{name}", values).text(self.language)

    def show(self, message: Message | LocisimilesError) -> str:
        """Return a message or an error, without advice that names a command."""
        return message.text(self.language, commands=False)

    def number(self, value: float, digits: int = 2) -> str:
        """Return a number, with decimals unless it is whole.

        Examples
        --------
        >>> Translator("de").number(0.873), Translator("en").number(1200)
        ('0,87', '1,200')
        """
        if isinstance(value, int):
            return format_number(value, self.language)
        return format_decimal(value, digits, self.language)

    def moment(self, time: float) -> str:
        """Return date and time of this place as they are written in the language.

        Examples
        --------
        >>> Translator("de").moment(1_800_000_000)[:10], Translator("en").moment(1_800_000_000)[:10]
        ('15.01.2027', '2027-01-15')
        """
        here = datetime.fromtimestamp(time, UTC).astimezone()
        return self(
            "moment",
            year=f"{here:%Y}", month=f"{here:%m}", day=f"{here:%d}", time=f"{here:%H:%M}",
        )  # fmt: skip

    def author(self, name: str) -> str:
        """Return the name of an author as readers of the language know it.

        Only the English names of the library are translated; others are those of a user's text.

        Examples
        --------
        >>> Translator("de").author("Jerome"), Translator("de").author("P. Vergilius Maro")
        ('Hieronymus', 'P. Vergilius Maro')
        """
        return author_names(self.language).get(name, name)

    def author_and_work(self, author: str, work: str) -> str:
        """Return author and work as one name; empty if neither is known.

        Examples
        --------
        >>> Translator("it").author_and_work("Virgil", "Aeneis")
        'Virgilio, Aeneis'
        """
        return ", ".join(filter(None, (self.author(author), work)))

    def named_beside(self, citation: str, author: str, work: str) -> str:
        """Return author and work as they stand beside a citation; empty if it spells them out.

        Examples
        --------
        >>> german = Translator("de")
        >>> german.named_beside("Verg. Aen. 2.774", "Virgil", "Aeneis")
        'Vergil, Aeneis'
        >>> german.named_beside("Petrarca, Africa 3.1", "Petrarca", "Africa")
        ''
        """
        name = self.author_and_work(author, work)
        return "" if citation == name or citation.startswith(f"{name} ") else name

    def percent(self, share: float) -> str:
        """Return a share as a percentage."""
        return format_percent(share, self.language)

    def task(self, task: str) -> str:
        """Return the task that a search reports."""
        return Message(f"progress.{task.replace(' ', '_')}").text(self.language)

    def method(self, name: str) -> str:
        """Return the description of a retrieval method."""
        return Message(f"methods.{name}").text(self.language)

    def explanation(self, stored: str) -> str:
        """Return the explanation of a pair, as a project stores it."""
        return explanation_text(stored, self.language)
