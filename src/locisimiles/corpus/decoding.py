"""From bytes to text: UTF-8, with or without a mark; CP1252 for older files."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from locisimiles.errors import DecodingError

if TYPE_CHECKING:
    from locisimiles.corpus.inputs import RawInput
    from locisimiles.corpus.report import ReadReport

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


def decode(raw: RawInput, report: ReadReport, *, encoding: str | None = None) -> tuple[str, str]:
    """Return the text of a file and the name of its encoding.

    A file that is not UTF-8 is read as CP1252 (which contains Latin-1), and the report says so.
    A file that is mostly UTF-8 but has broken bytes is an error, since reading it as CP1252
    would turn every accent in it to rubbish.

    Raises
    ------
    DecodingError
        If the bytes are no text; the message names the row.
    """
    if encoding is not None:
        if not is_text_encoding(encoding):
            raise DecodingError(f"the encoding {encoding!r} is unknown", file=raw.name)
        return _decode_as(raw, encoding, 0).removeprefix("\ufeff"), encoding.lower()
    mark, marked = _mark_of(raw.data)
    if marked == "utf-8":
        return _decode_as(raw, marked, len(mark)), marked
    if marked:
        return _decode_as(raw, marked, 0), marked  # these codecs read the mark themselves
    try:
        return raw.data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        _refuse_broken_utf8(raw, error)
    text = _decode_as(raw, "cp1252", 0)
    report.note(raw.name, "not UTF-8, read as CP1252 (Latin-1)")
    return text, "cp1252"


def is_text_encoding(name: str) -> bool:
    """Tell whether Python knows an encoding of this name that files are written in.

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
    """Return the encoding that a byte order mark announces."""
    return _mark_of(data)[1]


def split_lines(text: str) -> list[str]:
    r"""Split a text at the ends of lines, of whatever system, and nowhere else.

    Examples
    --------
    >>> split_lines("a\r\nb\rc\nd\x0be")
    ['a', 'b', 'c', 'd\x0be']
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _mark_of(data: bytes) -> tuple[bytes, str | None]:
    return next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", None))


def _decode_as(raw: RawInput, encoding: str, start: int) -> str:
    try:
        return raw.data[start:].decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(raw, start + error.start, encoding) from error
    except UnicodeError as error:
        raise DecodingError(f"this is not {encoding.upper()} text", file=raw.name) from error


def _refuse_broken_utf8(raw: RawInput, error: UnicodeDecodeError) -> None:
    well_formed = len(_MULTIBYTE.findall(raw.data.decode("utf-8", "ignore").encode()))
    broken = raw.data.decode("utf-8", "replace").count("�")
    if well_formed > broken:
        raise _undecodable(raw, error.start, "utf-8") from error


def _undecodable(raw: RawInput, offset: int, encoding: str) -> DecodingError:
    return DecodingError(
        f"byte 0x{raw.data[offset]:02X} is not {encoding.upper()} text",
        file=raw.name,
        row=raw.data.count(b"\n", 0, offset) + 1,
        hint="save the file as UTF-8, or name its encoding (--encoding)",
    )
