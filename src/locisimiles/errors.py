"""The exceptions of locisimiles.

Everything the package raises on purpose is one of these, so that one ``except`` is enough::

    LocisimilesError
    ├── InputError                 something is wrong with a text that was given to us
    │   ├── UnknownFormatError     we cannot tell what kind of file it is, or do not read it
    │   ├── DecodingError          its bytes are not text in the expected encoding
    │   ├── MissingColumnError     a table lacks the id or the text column
    │   ├── SegmentIdError         an id is empty or occurs twice
    │   ├── MalformedInputError    it is not well-formed (XML, JSON, CSV, XLSX, zip)
    │   ├── UnsafeInputError       it is built to do harm (bombs, paths that climb out)
    │   └── EmptyInputError        there is no text in it
    ├── LibraryError               the text library cannot do what was asked
    │   ├── UnknownTextError       no text of that name in the catalogue
    │   ├── TextNotInstalledError  the text is known but not on this machine yet
    │   └── DownloadError          a text could not be fetched, or is not what was announced
    ├── DatabaseError              the database of projects cannot be used
    ├── MissingDependencyError     something must be installed first
    ├── OutputError                results cannot be written there
    └── ParameterError             an option has a value that makes no sense

An error is data: the code of a message and its values. `str` makes the English sentence of them,
which says what is wrong, where (file and row), and what to do about it.
"""

from __future__ import annotations

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
        Which message; see `locisimiles.messages`.
    values
        What takes the places in it.

    Attributes
    ----------
    message
        Code and values, from which the sentence is made in any language.
    """

    def __init__(self, code: str, /, *, hint: str | None = None, **values: object) -> None:
        super().__init__(code)
        self.message = Message(code, values)
        self.hint = hint

    def __str__(self) -> str:
        return self.text()

    def text(self, language: str = "en") -> str:
        """Return what is wrong, where, and what to do about it, in a language."""
        said = self.as_message().text(language)
        return f"{said}; {self.hint}" if self.hint else said

    def as_message(self) -> Message:
        """Return the message, with the place it speaks of."""
        return self.message

    def change_words(self, change: Callable[[str], str]) -> None:
        """Change the words in the message, such as paths that users must not see."""
        self.message = self.message.with_words(change)
        self.hint = change(self.hint) if self.hint else None

    @property
    def problem(self) -> str:
        """What is wrong, in English."""
        return self.message.text(hint=False)


class InputError(LocisimilesError):
    """A text that was given to us cannot be used.

    Parameters
    ----------
    code, values
        What is wrong.
    file
        Name of the file (or zip member, or ``<stdin>``) it was found in.
    row
        Row of a table or line of a text, counted from 1 as editors and spreadsheets do.

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
        hint: str | None = None,
        **values: object,
    ) -> None:
        super().__init__(code, hint=hint, **values)
        self.file = file
        self.row = row

    def as_message(self) -> Message:
        """Return the message, with the place it speaks of."""
        row = None if self.row is None else Message("messages.row", {"row": str(self.row)})
        where = [place for place in (self.file, row) if place]
        if not where:
            return self.message
        return Message("messages.at", {"where": where, "problem": self.message})

    def change_words(self, change: Callable[[str], str]) -> None:
        """Change the words in the message, and the name of the file."""
        super().change_words(change)
        self.file = change(self.file) if self.file else None


class UnknownFormatError(InputError):
    """We cannot tell what kind of file this is, or do not read its kind."""


class DecodingError(InputError):
    """The bytes of a file are not text in the expected encoding."""


class MissingColumnError(InputError):
    """A table lacks the column with the ids or the one with the texts."""


class SegmentIdError(InputError):
    """The id of a segment is empty, or two segments have the same."""


class MalformedInputError(InputError):
    """A file breaks the rules of its own format."""


class UnsafeInputError(InputError):
    """A file is built in a way that could harm the machine, and is refused unread."""


class EmptyInputError(InputError):
    """There is no text to work on."""


class LibraryError(LocisimilesError):
    """The text library cannot do what was asked."""


class UnknownTextError(LibraryError):
    """The catalogue has no text of that name."""


class TextNotInstalledError(LibraryError):
    """The catalogue knows the text, but it is not on this machine yet."""


class DownloadError(LibraryError):
    """A text could not be fetched, or what came is not what the catalogue announces."""


class DatabaseError(LocisimilesError):
    """The database that projects are kept in cannot be reached, or refuses what was asked."""


class MissingDependencyError(LocisimilesError):
    """What was asked for needs something that is not installed."""


class OutputError(LocisimilesError):
    """Results cannot be written where they should go."""


class ParameterError(LocisimilesError, ValueError):
    """An option or argument has a value that makes no sense."""
