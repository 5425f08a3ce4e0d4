"""The exceptions of locisimiles.

Everything the package raises on purpose is one of these, so one ``except`` catches them all::

    LocisimilesError
    ├── InputError                 an input cannot be used
    │   ├── UnknownFormatError     its format is unknown or not supported
    │   ├── DecodingError          its bytes are not text in the expected encoding
    │   ├── MissingColumnError     a table lacks the id or the text column
    │   ├── SegmentIdError         an id is empty or occurs twice
    │   ├── MalformedInputError    it is not well-formed (XML, JSON, CSV, XLSX, zip)
    │   ├── UnsafeInputError       it could do harm (bombs, paths outside an archive)
    │   └── EmptyInputError        it contains no text
    ├── LibraryError               the text library cannot do what was asked
    │   ├── UnknownTextError       no text of that name in the catalogue
    │   ├── TextNotInstalledError  the text is not installed on this machine
    │   └── DownloadError          a download failed, or differs from the catalogue
    ├── DatabaseError              the database of projects cannot be used
    ├── MissingDependencyError     a required library is not installed
    ├── OutputError                a file cannot be written
    └── ParameterError             an option or argument has an invalid value

An error carries the code of a message and its values. `str` returns the English sentence: what is
wrong, where (file and row), and what to do.
"""

from __future__ import annotations

import copyreg
from typing import TYPE_CHECKING

from locisimiles.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "DatabaseError",
    "DecodingError",
    "DownloadError",
    "EmptyInputError",
    "InputError",
    "LibraryError",
    "LocisimilesError",
    "MalformedInputError",
    "MissingColumnError",
    "MissingDependencyError",
    "OutputError",
    "ParameterError",
    "SegmentIdError",
    "TextNotInstalledError",
    "UnknownFormatError",
    "UnknownTextError",
    "UnsafeInputError",
]


class LocisimilesError(Exception):
    """Base class of every error that locisimiles raises on purpose.

    Parameters
    ----------
    code
        The code of the message; see `locisimiles.messages`.
    values
        The values of its placeholders.

    Attributes
    ----------
    message
        Code and values, which give a sentence in any language.
    """

    def __init__(self, code: str, /, **values: object) -> None:
        super().__init__(code)
        self.message = Message(code, values)

    def __str__(self) -> str:
        return self.text()

    def __reduce__(self) -> tuple[object, ...]:
        # So that it passes from a process to another with its values.
        return copyreg.__newobj__, (type(self),), self.__dict__  # type: ignore[attr-defined]

    def text(self, language: str = "en", *, commands: bool = True) -> str:
        """Return the place and the message in a language, with or without advice for a terminal."""
        return self.as_message().text(language, commands=commands)

    def as_message(self) -> Message:
        """Return the message, with its place."""
        return self.message

    def change_words(self, change: Callable[[str], str]) -> None:
        """Change strings among the values, for instance to hide paths."""
        self.message = self.message.with_words(change)


class InputError(LocisimilesError):
    """An input cannot be used.

    Parameters
    ----------
    code, values
        The message.
    file
        The name of the file (or zip member, or ``<stdin>``).
    row
        The row of a table or line of a text, counted from 1 as in editors and spreadsheets.

    Examples
    --------
    >>> print(InputError("files.not_found", file="query.csv"))
    query.csv: file not found
    """

    def __init__(
        self,
        code: str,
        /,
        *,
        file: str | None = None,
        row: int | None = None,
        **values: object,
    ) -> None:
        super().__init__(code, **values)
        self.file = file
        self.row = row

    def as_message(self) -> Message:
        """Return the message, with its place."""
        row = None if self.row is None else Message("messages.row", {"row": str(self.row)})
        where = [place for place in (self.file, row) if place]
        if not where:
            return self.message
        return Message("messages.at", {"where": where, "problem": self.message})

    def change_words(self, change: Callable[[str], str]) -> None:
        """Change strings among the values, and the name of the file."""
        super().change_words(change)
        self.file = change(self.file) if self.file else None


class UnknownFormatError(InputError):
    """The format of a file is unknown or not supported."""


class DecodingError(InputError):
    """The bytes of a file are not text in the expected encoding."""


class MissingColumnError(InputError):
    """A table lacks the id or the text column."""


class SegmentIdError(InputError):
    """The id of a segment is empty or occurs twice."""


class MalformedInputError(InputError):
    """A file is not well-formed."""


class UnsafeInputError(InputError):
    """A file could harm the machine, and is refused unread."""


class EmptyInputError(InputError):
    """An input contains no text."""


class LibraryError(LocisimilesError):
    """The text library cannot do what was asked."""


class UnknownTextError(LibraryError):
    """The catalogue has no text of that name."""


class TextNotInstalledError(LibraryError):
    """A text of the catalogue is not installed on this machine."""


class DownloadError(LibraryError):
    """A text could not be downloaded, or differs from the catalogue's version."""


class DatabaseError(LocisimilesError):
    """The database of projects cannot be reached, or refuses a request."""


class MissingDependencyError(LocisimilesError):
    """A required library is not installed."""


class OutputError(LocisimilesError):
    """A file cannot be written."""


class ParameterError(LocisimilesError, ValueError):
    """An option or argument has an invalid value."""
