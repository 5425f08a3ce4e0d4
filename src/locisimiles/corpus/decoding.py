"""From bytes to text: UTF-8, with or without a mark; CP1252 for older files."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from locisimiles.errors import DecodingError

if TYPE_CHECKING:
    from locisimiles.corpus.inputs import RawInput
    from locisimiles.corpus.report import ReadReport

__all__ = ["decode"]

_MARKS = [
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
_MULTIBYTE = re.compile(rb"[\xc3-\xf4][\x80-\xbf]+")


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
        return _decode_as(raw, encoding), encoding.lower()
    for mark, name in _MARKS:
        if raw.data.startswith(mark):
            return _decode_as(raw, "utf-8-sig" if name == "utf-8" else name), name
    try:
        return raw.data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        _refuse_broken_utf8(raw, error)
    text = _decode_as(raw, "cp1252")
    report.note(raw.name, "not UTF-8, read as CP1252 (Latin-1)")
    return text, "cp1252"


def _decode_as(raw: RawInput, encoding: str) -> str:
    try:
        text = raw.data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(raw, error, encoding) from error
    except LookupError as error:
        raise DecodingError(f"the encoding {encoding!r} is unknown", file=raw.name) from error
    return text.removeprefix("\ufeff")


def _refuse_broken_utf8(raw: RawInput, error: UnicodeDecodeError) -> None:
    well_formed = len(_MULTIBYTE.findall(raw.data.decode("utf-8", "ignore").encode()))
    broken = raw.data.decode("utf-8", "replace").count("�")
    if well_formed > broken:
        raise _undecodable(raw, error, "utf-8") from error


def _undecodable(raw: RawInput, error: UnicodeDecodeError, encoding: str) -> DecodingError:
    row = raw.data.count(b"\n", 0, error.start) + 1
    return DecodingError(
        f"byte 0x{raw.data[error.start]:02X} is not {encoding.upper()} text",
        file=raw.name,
        row=row,
        hint="save the file as UTF-8, or name its encoding (--encoding)",
    )
