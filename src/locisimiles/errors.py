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

Messages say what is wrong, where (file and row), and what to do about it.
"""

from __future__ import annotations

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
    problem
        What is wrong, as a clause without a final stop.
    hint
        What the user can do about it.

    Examples
    --------
    >>> print(LocisimilesError("the index is too old", hint="build it again"))
    the index is too old; build it again
    """

    def __init__(self, problem: str, *, hint: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.problem}; {self.hint}" if self.hint else self.problem


class InputError(LocisimilesError):
    """A text that was given to us cannot be used.

    Parameters
    ----------
    problem
        What is wrong.
    file
        Name of the file (or zip member, or ``<stdin>``) it was found in.
    row
        Row of a table or line of a text, counted from 1 as editors and spreadsheets do.
    hint
        What the user can do about it.

    Examples
    --------
    >>> print(InputError("the text is empty", file="query.csv", row=17, hint="remove the row"))
    query.csv, row 17: the text is empty; remove the row
    """

    def __init__(
        self,
        problem: str,
        *,
        file: str | None = None,
        row: int | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(problem, hint=hint)
        self.file = file
        self.row = row

    def __str__(self) -> str:
        places = [self.file, f"row {self.row}" if self.row is not None else None]
        where = ", ".join(place for place in places if place)
        message = super().__str__()
        return f"{where}: {message}" if where else message


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
