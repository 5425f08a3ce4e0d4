"""What an input may cost: one budget for every parser, every importer and the app.

A small file can ask for any amount of memory: zip files and Parquet repeat a byte a billion times,
a spreadsheet declares cells that it does not have. So sizes are checked before memory is reserved
for them, and counted while an input is read. Whoever trusts an input raises the limit.
"""

from __future__ import annotations

import os
import re
import time
import unicodedata
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError, UnsafeInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["VARIABLE", "Limits", "check_cells", "check_packing", "check_rows", "check_seconds",
           "check_size", "check_text", "check_width", "current_limits",
           "limited"]  # fmt: skip

VARIABLE = "LOCISIMILES_LIMITS"
"""The environment variable that changes limits, such as ``bytes=2G,cells=50M``."""

_UNITS = {"": 1, "K": 1000, "M": 1000**2, "G": 1000**3}
_SETTING = re.compile(r"([a-z]+)=(\d{1,12})([KMG]?)")
_FREE = 64 * 1000**2  # what may be unpacked from the smallest file
_MB = 10**6


@dataclass(frozen=True, slots=True)
class Limits:
    """How large an input may be.

    Attributes
    ----------
    bytes
        Of a file, or of standard input.
    unpacked
        Bytes of all that a file holds in compressed form, together.
    expansion
        How many times its size a file may unpack to.
    cells
        Of a table: its rows times its columns.
    rows
        Of a table that is read into memory; a segment of a document is none.
    columns
        Of a table; spreadsheet programs allow as many.
    letters
        Of a segment, or of a cell.
    marks
        Combining marks upon one letter; Unicode's stream-safe texts have at most 30.
    depth
        Of JSON: lists and objects within each other.
    seconds
        That reading may take.
    memory
        Bytes that a process may take which reads what the app received; see `files.confined`.

    Examples
    --------
    >>> from locisimiles.files.limits import current_limits, limited
    >>> with limited(Limits(cells=10)):
    ...     current_limits().cells
    10
    """

    bytes: int = 512 * 1000**2
    unpacked: int = 1000**3
    expansion: int = 50
    cells: int = 16 * 1000**2
    rows: int = 1000**2
    columns: int = 16_384
    letters: int = 16 * 1000**2
    marks: int = 30
    depth: int = 100
    seconds: int = 600
    memory: int = 4 * 1000**3

    @classmethod
    def parse(cls, text: str) -> Limits:
        """Return limits changed by settings, or raise a ParameterError.

        Examples
        --------
        >>> Limits.parse("bytes=2G,cells=50M").cells
        50000000
        """
        names = [field.name for field in fields(cls)]
        changes = {}
        for setting in filter(None, (one.strip() for one in text.split(","))):
            match = _SETTING.fullmatch(setting)
            if match is None or match[1] not in names or not int(match[2]):
                raise ParameterError(
                    "files.unknown_limit",
                    variable=VARIABLE,
                    setting=setting,
                    names=names,
                )
            changes[match[1]] = int(match[2]) * _UNITS[match[3]]
        return replace(cls(), **changes)


_limits: ContextVar[Limits | None] = ContextVar("limits", default=None)
_parse = lru_cache(Limits.parse)


def current_limits() -> Limits:
    """Return the limits in force: those of `limited`, or else of the environment."""
    return _limits.get() or _parse(os.environ.get(VARIABLE, ""))


@contextmanager
def limited(limits: Limits) -> Iterator[None]:
    """Read with other limits in this thread."""
    token = _limits.set(limits)
    try:
        yield
    finally:
        _limits.reset(token)


def check_packing(file: str, packed: int, unpacked: int) -> None:
    """Raise an UnsafeInputError if what a file holds would take too much memory.

    Examples
    --------
    >>> check_packing("a.zip", packed=1_000_000, unpacked=5_000_000)
    """
    limits = current_limits()
    if unpacked > _FREE and unpacked > limits.expansion * packed:
        times = unpacked // max(packed, 1)
        raise UnsafeInputError(
            "files.expands", file=file, times=times, most=limits.expansion, variable=VARIABLE
        )
    check_size(file, unpacked)


def check_size(file: str, unpacked: int) -> None:
    """Raise an UnsafeInputError if what was or will be read of a file is too large."""
    limits = current_limits()
    if unpacked > limits.unpacked:
        raise UnsafeInputError(
            "files.unpacked_too_large",
            file=file,
            size=unpacked // _MB,
            most=limits.unpacked // _MB,
            variable=VARIABLE,
        )


def check_width(file: str, columns: int, row: int | None = None) -> None:
    """Raise an UnsafeInputError if a table has too many columns."""
    most = current_limits().columns
    if columns > most:
        raise UnsafeInputError(
            "files.too_many_columns", file=file, row=row, most=most, variable=VARIABLE
        )


def check_cells(file: str, cells: int, row: int | None = None) -> None:
    """Raise an UnsafeInputError if a table has too many cells."""
    most = current_limits().cells
    if cells > most:
        raise UnsafeInputError(
            "files.too_many_cells_in_all", file=file, row=row, most=most, variable=VARIABLE
        )


def check_rows(file: str, rows: int) -> None:
    """Raise an UnsafeInputError if a table has too many rows, each of which becomes objects."""
    most = current_limits().rows
    if rows > most:
        raise UnsafeInputError("files.too_many_rows", file=file, most=most, variable=VARIABLE)


def check_text(file: str, text: str, row: int | None = None) -> None:
    """Raise an UnsafeInputError if a text is too long, or a letter has too many marks.

    Bringing marks into their order takes time that grows with the square of their number.

    Examples
    --------
    >>> check_text("a.txt", "arma")
    """
    limits = current_limits()
    if len(text) > limits.letters:
        raise UnsafeInputError(
            "files.text_too_long", file=file, row=row, most=limits.letters, variable=VARIABLE
        )
    if not text.isascii() and _has_many_marks(text, limits.marks):
        raise UnsafeInputError(
            "files.too_many_marks", file=file, row=row, most=limits.marks, variable=VARIABLE
        )


def check_seconds(file: str, since: float) -> None:
    """Raise an UnsafeInputError if reading, begun at a time of `time.monotonic`, takes too long."""
    most = current_limits().seconds
    if time.monotonic() - since > most:
        raise UnsafeInputError("files.too_slow", file=file, most=most, variable=VARIABLE)


def _has_many_marks(text: str, most: int) -> bool:
    # A run of more marks has one at a multiple of their number, so most texts are seen at once.
    if not any(map(unicodedata.combining, set(text[most :: most + 1]))):
        return False
    run = 0
    for letter in text:
        run = run + 1 if unicodedata.combining(letter) else 0
        if run > most:
            return True
    return False
