"""Find out what format a file has, from its content and its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.corpus.formats import FORMATS
from locisimiles.corpus.formats.delimited import looks_like_table
from locisimiles.corpus.formats.safe_xml import looks_like_xml
from locisimiles.corpus.formats.tess import looks_like_tess
from locisimiles.errors import EmptyInputError, ParameterError, UnknownFormatError

if TYPE_CHECKING:
    from locisimiles.corpus.formats import Format
    from locisimiles.corpus.inputs import RawInput

__all__ = ["detect_format"]

_SAMPLE = 4096
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_BY_SUFFIX = {suffix: known for known in FORMATS.values() for suffix in known.suffixes}
_SAVE_AS_TEXT = frozenset([".doc", ".docx", ".odt", ".pdf", ".rtf", ".epub"])


def detect_format(raw: RawInput, name: str | None = None) -> Format:
    """Return the format of a file.

    Parameters
    ----------
    raw
        The file.
    name
        The format, if the user says it.

    Raises
    ------
    UnknownFormatError
        If it is none of ours.
    EmptyInputError
        If there is nothing in the file.
    ParameterError
        If `name` is unknown.
    """
    if not raw.data.strip():
        raise EmptyInputError("the file is empty", file=raw.name)
    if name is not None:
        if name not in FORMATS:
            raise ParameterError(
                f"the format {name!r} is unknown", hint=f"choose one of {', '.join(FORMATS)}"
            )
        return FORMATS[name]
    if raw.data.startswith(b"PK\x03\x04"):
        return FORMATS["xlsx"]
    wide = raw.data.startswith(_WIDE_MARKS)
    if b"\x00" in raw.data[:_SAMPLE] and not wide:
        raise _unknown(raw)
    sample = raw.data[:_SAMPLE].decode("utf-16" if wide else "utf-8-sig", errors="replace")
    return _by_content(sample, raw.suffix) or _by_suffix(raw)


def _by_content(sample: str, suffix: str) -> Format | None:
    """Recognise what cannot be mistaken, whatever the file is called."""
    if looks_like_xml(sample):
        return FORMATS["tei"]
    if looks_like_tess(sample):
        return FORMATS["tess"]
    if suffix not in _BY_SUFFIX or suffix == ".txt":
        if looks_like_table(sample):
            return FORMATS["csv"]
        if sample.lstrip().startswith(('{"', '[{"')):
            return FORMATS["jsonl"]
    return None


def _by_suffix(raw: RawInput) -> Format:
    if raw.suffix in _SAVE_AS_TEXT:
        raise _unknown(raw)
    if raw.suffix in _BY_SUFFIX:
        return _BY_SUFFIX[raw.suffix]
    if not raw.by_itself:
        raise _unknown(raw)
    return FORMATS["txt"]


def _unknown(raw: RawInput) -> UnknownFormatError:
    if raw.suffix in _SAVE_AS_TEXT:
        hint = "save it as plain text (.txt, UTF-8) first"
    else:
        suffixes = ", ".join(suffix for known in FORMATS.values() for suffix in known.suffixes)
        hint = f"we read {suffixes}; name the format (--format) if the file is one of these"
    return UnknownFormatError("we do not read this kind of file", file=raw.name, hint=hint)
