"""Decode text: UTF-8, with or without a byte order mark; CP1252 for older files."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from locisimiles.errors import DecodingError

if TYPE_CHECKING:
    from locisimiles.files.raw import RawInput

__all__ = ["decode", "is_text_encoding", "marked_encoding", "split_lines"]

# The mark of UTF-32 begins with that of UTF-16.
_MARKS = [
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
_MULTIBYTE = re.compile(rb"[\xc3-\xf4][\x80-\xbf]+")
_NOT_FOR_FILES = frozenset(
    ["idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"]
)


def decode(raw: RawInput, encoding: str | None = None) -> tuple[str, str]:
    """Return the text of a file and the name of its encoding.

    A file that is not UTF-8 is read as CP1252 (which contains Latin-1). A file that is mostly
    UTF-8 but has invalid bytes raises a DecodingError that names the row, since reading it as
    CP1252 would garble every accent.
    """
    if encoding is not None:
        if not is_text_encoding(encoding):
            raise DecodingError("files.unknown_encoding", file=raw.name, encoding=encoding)
        return _decode_as(raw, encoding).removeprefix("\ufeff"), encoding.lower()
    marked = marked_encoding(raw.data)
    if marked:
        # The codecs of UTF-16 and UTF-32 read the mark themselves.
        return _decode_as(raw, marked).removeprefix("\ufeff" if marked == "utf-8" else ""), marked
    try:
        return raw.data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        _refuse_broken_utf8(raw, error)
    return _decode_as(raw, "cp1252"), "cp1252"


def is_text_encoding(name: str) -> bool:
    """Return whether Python knows this name as an encoding of text files.

    Examples
    --------
    >>> is_text_encoding("latin-1"), is_text_encoding("unicode_escape"), is_text_encoding("klingon")
    (True, False, False)
    """
    try:
        known = codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    text_encoding: bool = getattr(known, "_is_text_encoding", True)
    return text_encoding and known.name.replace("_", "-") not in _NOT_FOR_FILES


def marked_encoding(data: bytes) -> str | None:
    """Return the encoding that a byte order mark declares."""
    return next((name for mark, name in _MARKS if data.startswith(mark)), None)


def split_lines(text: str) -> list[str]:
    r"""Split a text at the line ends of any system, and nowhere else.

    Examples
    --------
    >>> split_lines("a\r\nb\rc\nd\x0be")
    ['a', 'b', 'c', 'd\x0be']
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _decode_as(raw: RawInput, encoding: str) -> str:
    try:
        return raw.data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(raw, error.start, encoding) from error
    except UnicodeError as error:
        raise DecodingError("files.not_text", file=raw.name, encoding=encoding.upper()) from error


def _refuse_broken_utf8(raw: RawInput, error: UnicodeDecodeError) -> None:
    well_formed = len(_MULTIBYTE.findall(raw.data.decode("utf-8", "ignore").encode()))
    broken = raw.data.decode("utf-8", "replace").count("�")
    if well_formed > broken:
        raise _undecodable(raw, error.start, "utf-8") from error


def _undecodable(raw: RawInput, offset: int, encoding: str) -> DecodingError:
    return DecodingError(
        "files.undecodable",
        file=raw.name,
        row=raw.data.count(b"\n", 0, offset) + 1,
        byte=f"{raw.data[offset]:02X}",
        encoding=encoding.upper(),
    )
